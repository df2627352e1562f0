import PosternClient
import StrictJSON

/// Imports accounts one after another: shows, asks, writes, and has the daemon try each.
struct ImportRun {
    let command: Import
    let program: ForeignProgram
    let directory: ConfigurationDirectory
    /// Nil if the user is not asked.
    let prompt: Prompt?

    /// The result for one account.
    struct Outcome {
        enum State: String {
            case found, imported, present, signInNeeded, declined, failed
            /// It is of another host than the provider that was named.
            case skipped
        }

        var state: State
        /// Its name in the other program.
        var found: String
        var plan: ImportPlan?
        /// Instead of a plan, for the server of an MCP client.
        var server: MCPImport?
        var file: String?
        var credential: StoredCredential?
        var failure: CommandFailure?

        var document: JSONObject {
            var document: JSONObject = ["found": .string(found), "state": .string(state.rawValue)]
            if let plan {
                document["account"] = .string(plan.name)
                document["providerID"] = .string(plan.providerID)
                document["clientID"] = .string(plan.clientID)
                document["scopes"] = .array(plan.scopes.map { .string($0) })
                document["hasRefreshToken"] = .bool(plan.refreshToken != nil)
                if plan.accessToken != nil { document["hasAccessToken"] = true }
                if let login = plan.login { document["login"] = .string(login) }
            }
            if let server {
                document["account"] = .string(server.name)
                document["url"] = .string(server.url)
                document["clientID"] = server.grant.clientID.map { .string($0) }
                document["scopes"] = .array(server.grant.scopes.map { .string($0) })
                document["hasRefreshToken"] = .bool(server.grant.refreshToken != nil)
            }
            if let file { document["file"] = .string(file) }
            if let credential { document["uid"] = .string(credential.uid) }
            if let failure { document["message"] = .string(failure.sentence) }
            return document
        }
    }

    func outcome(of account: ForeignAccount) -> Outcome {
        var outcome = Outcome(state: .failed, found: account.name)
        do {
            let connection = try command.connect()
            defer { connection.close() }
            let existing = try ExistingConfiguration(path: directory.main, environment: command.environment)
            if let failure = try otherHost(of: account, existing) {
                Report.write(failure)
                outcome.state = .skipped
                outcome.failure = failure
                return outcome
            }
            let plan = try plan(for: account, existing, connection)
            outcome.plan = plan
            try take(plan, &outcome, connection)
        } catch {
            let failure = CommandFailure(error)
            Report.write(failure)
            outcome.failure = failure
        }
        return outcome
    }

    private func take(_ plan: ImportPlan, _ outcome: inout Outcome, _ connection: PosternConnection) throws {
        let kept = try connection.call(Interface.ListCredentials()).credentials
        if !command.replace, let there = kept.first(where: { isOf(plan, $0) }) {
            StandardError.write(line: "\(plan.name) is here already: \(there.calling)".plain)
            outcome.state = .present
            outcome.credential = there
            return
        }
        let file = plan.accountFiles.last ?? directory.file(of: plan.name)
        outcome.file = file
        show(plan, file)
        if command.dryRun {
            outcome.state = .found
            return
        }
        if let prompt, try !prompt.isYes("take \(outcome.found) over?".plain, byDefault: true) {
            outcome.state = .declined
            return
        }
        do { try write(plan, &outcome, connection) } catch PosternError.refused(.providerNotConfigured(let message, let id)) {
            // Discovery fails before anything is sent. oidc-agent adds a slash to every issuer, and few issuers have one.
            guard case .issuer(let issuer) = plan.provider, !plan.isProviderThere, issuer.ends(with: "/"), command.issuer == nil else {
                throw PosternError.refused(.providerNotConfigured(message: message, providerID: id))
            }
            var other = plan
            other.provider = .issuer(String(issuer.dropLast()))
            try write(other, &outcome, connection)
        }
    }

    private func isOf(_ plan: ImportPlan, _ credential: StoredCredential) -> Bool {
        if credential.account == plan.name { return true }
        guard credential.providerID == plan.providerID, plan.isProviderThere, let login = plan.login else { return false }
        return credential.uid == login || credential.email?.lowercased() == login.lowercased()
    }

    private func show(_ plan: ImportPlan, _ file: String) {
        let rows = [
            ("account", plan.login ?? "the owner of the token"),
            ("provider", plan.address.isEmpty ? plan.providerID : "\(plan.providerID) at \(plan.address)"),
            ("client", plan.clientID + (plan.clientSecret == nil ? "" : ", with a secret")), ("scopes", plan.scopes.joined(separator: " ")),
            tokenRow(of: plan),
        ]
        StandardError.write(line: "found in \(program.rawValue), for [account.\(plan.name)]:".plain)
        for (title, value) in rows where !value.isEmpty {
            StandardError.write(line: "  \(title)\(String(repeating: " ", count: 15 - title.count))\(value)".plain)
        }
        if plan.isAccountThere {
            StandardError.write(line: "configured already: \(plan.accountFiles.joined(separator: ", "))".plain)
            return
        }
        StandardError.write(line: "\(command.dryRun ? "would write" : "to be written:") \(file)".plain)
        for line in plan.configuration(secretFile: directory.secretFile(of: plan.name)).parts(separator: "\n") {
            StandardError.write(line: "  \(line)".plain)
        }
    }

    private func tokenRow(of plan: ImportPlan) -> (String, String) {
        let name = program.rawValue
        if plan.accessToken != nil { return ("access token", "yes, of \(name)'s own client; nothing renews it") }
        if plan.refreshToken != nil { return ("refresh token", "yes") }
        guard program.hasOwnClient else { return ("refresh token", "none: sign in once afterwards") }
        let place = command.configurationOnly ? "none" : "not in the file, \(name) keeps it in a keyring"
        return ("access token", "\(place): sign in once afterwards")
    }

    /// If the daemon refuses it, everything is removed again.
    private func write(_ plan: ImportPlan, _ outcome: inout Outcome, _ connection: PosternConnection) throws {
        let secretFile = directory.secretFile(of: plan.name)
        var written = WrittenFiles()
        do {
            try ConfigurationLock.held(for: directory.main) {
                try refuseChanges(since: plan)
                if !plan.isProviderThere, let secret = plan.clientSecret {
                    try written.write(secret.reveal() + "\n", to: secretFile, in: directory)
                }
                if !plan.isAccountThere {
                    try written.write(plan.configuration(secretFile: secretFile), to: directory.file(of: plan.name), in: directory)
                }
            }
            _ = try connection.call(Interface.Reload())
            guard try knows(plan, connection) else {
                throw CommandFailure(
                    "the daemon does not read \(directory.main)".plain,
                    advice: "give the configuration that it was started with: --config FILE")
            }
            guard plan.refreshToken ?? plan.accessToken != nil else {
                outcome.state = .signInNeeded
                outcome.failure = nil
                StandardError.write(line: "\(plan.name) is configured; sign in once with: postern sign-in \(plan.name)".plain)
                return
            }
            let reply = try connection.call(
                Interface.ImportCredential(
                    providerID: plan.name, refreshToken: plan.refreshToken, accessToken: plan.accessToken, scopes: plan.scopes,
                    replace: command.replace))
            outcome.credential = reply.credential
            outcome.state = .imported
            StandardError.write(line: "\(plan.name) was taken over: \(reply.credential.calling)".plain)
            if plan.accessToken != nil {
                StandardError.write(
                    line: ("\(plan.name) has no refresh token: the access token works until \(plan.providerID) ends it; then sign in with: "
                        + "postern sign-in \(plan.name)").plain)
            }
        } catch PosternError.refused(.signInRequired(let message, _, _)) {
            // The client is valid, and so is what was written for it.
            outcome.state = .signInNeeded
            throw CommandFailure(
                message.plain, status: .signInNeeded, advice: "the configuration stays; sign in with: postern sign-in \(plan.name)".plain)
        } catch {
            written.remove(from: directory)
            _ = try? connection.call(Interface.Reload())
            throw error
        }
    }

    /// Another command may have configured the same provider or account while the user was asked: keys of both would be mixed.
    private func refuseChanges(since plan: ImportPlan) throws {
        let present = try ExistingConfiguration(path: directory.main, environment: command.environment)
        guard plan.isProviderThere || present.server(of: plan.providerID) == nil,
            try plan.isAccountThere || present.account(plan.name) == nil
        else { throw CommandFailure("the configuration has changed in the meantime", advice: "run this command again") }
    }

    /// The daemon has read what was written: it knows the name, whether or not anybody has signed in with it.
    private func knows(_ plan: ImportPlan, _ connection: PosternConnection) throws -> Bool {
        do {
            _ = try connection.call(Interface.GetAccessToken(providerID: plan.name, minimumValiditySeconds: 0))
            return true
        } catch PosternError.refused(.providerNotFound) { return false } catch PosternError.refused { return true }
    }

    /// What the person has to know about the tokens that two programs have now.
    func tellAboutOriginals() {
        if program.hasOwnClient {
            StandardError.write(
                line: "\(program.rawValue) keeps using the same token. Postern can forget it but not revoke it; to end it for both, remove "
                    + "GitHub CLI under Applications in the server's settings")
            return
        }
        StandardError.write(
            line:
                "stop \(program.rawValue) for these accounts now: if the provider gives a new refresh token at each use, using the old one ends both"
        )
    }
}

/// Files that this run created, and removes if it fails.
private struct WrittenFiles {
    private var files: [(path: String, text: String)] = []

    mutating func write(_ text: String, to path: String, in directory: ConfigurationDirectory) throws {
        if try directory.write(text, to: path) { files.append((path, text)) }
    }

    func remove(from directory: ConfigurationDirectory) {
        for file in files {
            do { try directory.remove(file.text, at: file.path) } catch { Report.write(CommandFailure(error)) }
        }
    }
}

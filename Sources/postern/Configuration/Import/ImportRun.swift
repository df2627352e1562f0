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
            if let failure = try otherHost(of: account) {
                Report.write(failure)
                outcome.state = .skipped
                outcome.failure = failure
                return outcome
            }
            let plan = try plan(for: account, connection)
            outcome.plan = plan
            try take(plan, &outcome, connection)
        } catch {
            let failure = CommandFailure(error)
            Report.write(failure)
            outcome.failure = failure
        }
        return outcome
    }

    // MARK: Deciding

    /// Why the token must not go to the provider that was named: it is of another host.
    private func otherHost(of account: ForeignAccount) throws -> CommandFailure? {
        guard program.hasOwnClient, let id = command.provider, let host = account.host, let provider = account.provider else { return nil }
        let existing = try ExistingConfiguration(path: directory.main, environment: command.environment)
        guard let server = existing.server(of: id) else { return nil }
        guard provider.isServed(by: server) else {
            return CommandFailure("\(account.name) is skipped: its token is of \(host), and \(id) is at \(server.address)".plain)
        }
        guard try existing.mayGetTokens(id) else {
            return CommandFailure("\(account.name) is skipped: a package's file says where \(id) sends tokens".plain)
        }
        return nil
    }

    private func plan(for account: ForeignAccount, _ connection: PosternConnection) throws -> ImportPlan {
        let name = command.newName ?? ImportPlan.name(from: account.name)
        let existing = try ExistingConfiguration(path: directory.main, environment: command.environment)
        let providers = try connection.call(Interface.ListProviders()).providers
        if let id = command.provider {
            guard providers.contains(where: { $0.providerID == id && $0.configured }) else {
                throw CommandFailure("no provider \(id) is configured".plain, advice: "list them with: postern provider list")
            }
            let server = existing.server(of: id)
            // The daemon has another configuration: where it sends the token is unknown here.
            guard server != nil || !program.hasOwnClient else {
                throw CommandFailure(
                    "\(id) is not in \(directory.main)".plain,
                    advice: "give the configuration that the daemon was started with: --config FILE")
            }
            var plan = ImportPlan(
                name: name, login: command.login ?? account.login, providerID: id, isProviderThere: true, provider: .builtIn(id),
                clientID: server?.clientID ?? account.clientID ?? "", scopes: account.scopes, refreshToken: refreshToken(of: account))
            plan.address = server?.address ?? ""
            plan.accessToken = accessToken(of: account)
            return try checked(plan, existing, providers)
        }
        guard let provider = command.issuer.map({ Self.known(.issuer($0)) }) ?? account.provider.map(Self.known) else {
            throw CommandFailure(
                "\(account.name): its provider is unknown".plain,
                advice: "say which it is: --provider NAME for one of the configuration, --issuer URL for another OpenID provider")
        }
        if program.hasOwnClient { return try plan(for: account, of: provider, named: name, existing, providers) }
        let (clientID, secret) = try client(of: account)
        var plan = ImportPlan(
            name: name, login: command.login ?? account.login, providerID: "", isProviderThere: false, provider: provider,
            clientID: clientID, clientSecret: secret, userinfoEndpoint: command.userinfoEndpoint, scopes: account.scopes,
            refreshToken: refreshToken(of: account))
        if let id = try existing.providers(for: provider, clientID: clientID).first {
            plan.use(id, at: existing.server(of: id))
            return try checked(plan, existing, providers)
        }
        if case .endpoints = provider, command.userinfoEndpoint == nil {
            throw CommandFailure(
                "\(account.name): \(provider.description) does not say whose token it is".plain,
                advice: "give its issuer with --issuer if it is an OpenID provider, or else --userinfo-endpoint")
        }
        let wanted = Self.providerID(of: provider)
        // The same client of the same server needs no second provider; a different one does.
        for id in [wanted, "\(wanted)-\(name)"] {
            if let server = existing.server(of: id) {
                if server.clientID == clientID, plan.provider.isServed(by: server), try existing.mayGetTokens(id) {
                    plan.use(id, at: server)
                    break
                }
            } else if plan.provider.mayBeCalled(id), !providers.contains(where: { $0.providerID == id && $0.configured }) {
                plan.providerID = id
                plan.address = plan.provider.address
                break
            }
            if case .builtIn(let known, let tenant) = provider { plan.provider = try Self.standard(known, tenant: tenant) }
        }
        guard !plan.providerID.isEmpty else {
            throw CommandFailure(
                "\(wanted) is already configured with another client or server".plain, advice: "name a provider with --provider")
        }
        return try checked(plan, existing, providers)
    }

    /// An account whose token is of the other program's own client: the provider is one that is set up here, with a client of the person's.
    private func plan(
        for account: ForeignAccount, of provider: ForeignProvider, named name: String, _ existing: ExistingConfiguration,
        _ providers: [Interface.Provider]
    ) throws -> ImportPlan {
        let host = account.host ?? provider.address
        let ids = try existing.providers(for: provider, clientID: nil)
        guard let id = ids.first else {
            let advice =
                host == "github.com"
                ? "postern setup github.com sets it up; then run this again"
                : "set it up with host = \"\(host)\" in [provider.\"github.com\"], or name another provider of it with --provider"
            throw CommandFailure(
                "\(account.name): no provider for \(host) is set up here; \(program.rawValue) signs in as an application of its own".plain,
                advice: advice.plain)
        }
        guard ids.count == 1 else {
            throw CommandFailure(
                "\(account.name): several providers are for \(host): \(ids.joined(separator: ", "))".plain,
                advice: "choose one with --provider")
        }
        let server = existing.server(of: id)
        var plan = ImportPlan(
            name: name, login: command.login ?? account.login, providerID: "", isProviderThere: true, provider: provider,
            clientID: server?.clientID ?? "", scopes: [])
        plan.use(id, at: server)
        plan.accessToken = accessToken(of: account)
        return try checked(plan, existing, providers)
    }

    /// An account that is in any file is not overwritten: keys that only one of the two has would be mixed.
    private func checked(
        _ plan: ImportPlan, _ existing: ExistingConfiguration, _ providers: [Interface.Provider]
    ) throws -> ImportPlan {
        var plan = plan
        // Accounts and providers share their names.
        if command.newName == nil, plan.name == plan.providerID || providers.contains(where: { $0.providerID == plan.name }) {
            plan.name += "-account"
        }
        guard let account = try existing.account(plan.name) else { return plan }
        // An earlier, unsuccessful import keeps what it wrote if the user only has to sign in.
        let isNamed = account.login != nil || account.files == [directory.file(of: plan.name)]
        guard plan.isProviderThere, account.providerID == plan.providerID, account.login?.lowercased() == plan.login?.lowercased(), isNamed
        else {
            throw CommandFailure(
                "\(account.files.joined(separator: ", ")) already has [account.\(plan.name)], for another account".plain,
                advice: "choose another name with --as")
        }
        plan.accountFiles = account.files
        return plan
    }

    private func refreshToken(of account: ForeignAccount) -> Secret? { command.configurationOnly ? nil : account.refreshToken }

    private func accessToken(of account: ForeignAccount) -> Secret? { command.configurationOnly ? nil : account.accessToken }

    private func client(of account: ForeignAccount) throws -> (String, Secret?) {
        var secret = account.clientSecret
        if let file = command.clientSecretFile {
            let line = try SecretFile.line(of: ForeignFile.read(file), from: file)
            secret = line.isEmpty ? nil : Secret(line)
        }
        if let id = command.clientID ?? account.clientID { return (id, secret) }
        guard let prompt else {
            throw CommandFailure(
                "\(account.name): its client is not in the file".plain, status: .wrongUsage, advice: "give it with --client-id")
        }
        prompt.say("\(account.name): its client is not in the file; the other program's script or configuration has it".plain)
        let id = try prompt.line("client ID:")
        guard !id.isEmpty else { throw CommandFailure("no client was given", status: .declined) }
        if secret == nil {
            let text = try prompt.secret("client secret (empty if there is none):")
            if !text.isEmpty { secret = Secret(text) }
        }
        return (id, secret)
    }

    /// The issuers of the built-in providers.
    private static func known(_ provider: ForeignProvider) -> ForeignProvider {
        guard case .issuer(let issuer) = provider else { return provider }
        let parts = issuer.parts(separator: "/")
        guard parts.count >= 2, parts[0] == "https:" else { return provider }
        switch parts[1] {
        case "accounts.google.com": return .builtIn("google.com")
        case "login.microsoftonline.com" where parts.count >= 3: return .builtIn("microsoft.com", tenant: String(parts[2]))
        default: return provider
        }
    }

    /// As an ordinary OpenID provider, besides the built-in one, which has another client.
    private static func standard(_ id: String, tenant: String?) throws(CommandFailure) -> ForeignProvider {
        switch id {
        case "google.com": return .issuer("https://accounts.google.com")
        case "microsoft.com":
            guard let tenant, !["common", "organizations", "consumers"].contains(tenant) else {
                throw CommandFailure(
                    "microsoft.com is already configured with another client or tenant",
                    advice: "name a provider with --provider, or a tenant's --issuer")
            }
            return .issuer("https://login.microsoftonline.com/\(tenant)/v2.0")
        default: throw CommandFailure("\(id) is already configured with another client", advice: "name a provider with --provider")
        }
    }

    /// A name for the provider: that of the built-in one, or of its host.
    private static func providerID(of provider: ForeignProvider) -> String {
        switch provider {
        case .builtIn(let id, _): return id
        case .issuer(let url), .endpoints(_, let url):
            let parts = url.parts(separator: "/")
            return ImportPlan.name(from: parts.count > 1 ? String(parts[1]) : url)
        }
    }

    // MARK: Doing

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
            ("account", plan.login ?? "the owner of the refresh token"),
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
            StandardError.write(
                line: "\(plan.name) was taken over: \(reply.credential.calling)".plain
            )
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
                line: "\(program.rawValue) goes on with the same token. Postern can forget it, and not revoke it: remove GitHub CLI in the "
                    + "server's settings, under Applications, to end it for both")
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

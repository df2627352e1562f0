import Glibc
import PosternClient
import PosternConfiguration
import PosternValues

extension Import {
    func performImport(of client: ImportedMCPClient) throws {
        let mayAsk = try mayAsk()
        let source = MCPClientSource(program: client, file: file, urls: urls, environment: environment)
        let (found, place) = try source.grants()
        for problem in found.problems { Report.write(CommandFailure("\(place): \(problem)".plain)) }
        let chosen = try chosen(found.grants, in: place)
        let prompt = try mayAsk ? Prompt(interrupts: Interrupts()) : nil
        var run = MCPImportRun(
            command: self, program: client, directory: try ConfigurationDirectory(file: config, environment: environment), prompt: prompt,
            now: Int64(time(nil)))
        var outcomes: [ImportRun.Outcome] = []
        for grant in chosen { outcomes.append(run.outcome(of: grant)) }
        if common.json { try StandardOutput.write(document: ["accounts": .array(outcomes.map { .object($0.document) })]) }
        if outcomes.contains(where: { $0.state == .imported && $0.server?.grant.refreshToken != nil }) { run.tellAboutOriginals() }
        if let status = Self.status(of: outcomes) { throw CommandFailure("", status: status) }
        guard found.problems.isEmpty else { throw CommandFailure("", status: .failed) }
    }

    private func chosen(_ found: [MCPGrant], in place: String) throws(CommandFailure) -> [MCPGrant] {
        guard !found.isEmpty else { throw CommandFailure("\(place) has no server".plain) }
        var chosen = found
        if !account.isEmpty {
            if let missing = account.first(where: { name in !found.contains { $0.name == name || $0.url == name } }) {
                throw CommandFailure(
                    "\(place) has no server \(missing)".plain, advice: "it has: \(found.map(\.name).joined(separator: ", "))".plain)
            }
            chosen = found.filter { account.contains($0.name) || $0.url.map(account.contains) == true }
        }
        guard chosen.count == 1 || [newName, login, clientID, clientSecretFile].allSatisfy({ $0 == nil }) else {
            throw CommandFailure(
                "--as, --login, --client-id and --client-secret-file are for one server, and \(place) has \(found.count)".plain,
                status: .wrongUsage,
                advice: "choose it with --account: \(found.map { ShellWord.quoted($0.name) }.joined(separator: ", "))".plain)
        }
        return chosen
    }
}

/// Imports the servers of an MCP client one after another.
struct MCPImportRun {
    let command: Import
    let program: ImportedMCPClient
    let directory: ConfigurationDirectory
    /// Nil if the user is not asked.
    let prompt: Prompt?
    /// In seconds since 1970.
    let now: Int64
    /// The names that this run has given.
    private var given: Set<String> = []

    init(command: Import, program: ImportedMCPClient, directory: ConfigurationDirectory, prompt: Prompt?, now: Int64) {
        self.command = command
        self.program = program
        self.directory = directory
        self.prompt = prompt
        self.now = now
    }

    mutating func outcome(of grant: MCPGrant) -> ImportRun.Outcome {
        var outcome = ImportRun.Outcome(state: .failed, found: grant.name)
        do {
            let connection = try command.connect()
            defer { connection.close() }
            guard let server = try plan(for: grant) else {
                outcome.state = .skipped
                return outcome
            }
            outcome.server = server
            try take(server, &outcome, connection)
        } catch {
            let failure = CommandFailure(error)
            Report.write(failure)
            outcome.failure = failure
        }
        return outcome
    }

    // MARK: What is to be done

    /// - Returns: nil if there is nothing to import, which has been said.
    private mutating func plan(for found: MCPGrant) throws -> MCPImport? {
        var grant = found
        grant.clientID = command.clientID ?? grant.clientID
        if let file = command.clientSecretFile {
            let line = try SecretFile.line(of: ForeignFile.read(file), from: file)
            grant.clientSecret = line.isEmpty ? nil : Secret(line)
        }
        if command.configurationOnly { (grant.refreshToken, grant.accessToken) = (nil, nil) }
        guard let text = grant.url else {
            throw CommandFailure(
                "\(grant.name): \(program.rawValue) does not keep the server's URL, only a hash of it".plain,
                advice: program == .mcpRemote ? "give it with --url; --url may be repeated" : "sign in again with: postern mcp add URL")
        }
        let url: EndpointURL
        do throws(EndpointURLError) { url = try EndpointURL(text) } catch {
            throw CommandFailure("\(grant.name): the server's URL \(error)".plain)
        }
        guard command.configurationOnly || found.hasToken(at: now) else {
            let reason = found.accessToken == nil ? "has no token" : "has only an access token, which has expired"
            StandardError.write(line: "\(grant.name) is skipped: \(program.rawValue) \(reason) for \(text)".plain)
            return nil
        }
        let existing = try ExistingConfiguration(path: directory.main, environment: command.environment)
        let there = existing.servers(at: text)
        let name =
            try command.newName ?? there.first { !given.contains($0) } ?? existing.freeName(forServerAt: url.host, besides: given)
        guard there.contains(name) || !existing.isTaken(name) else {
            throw CommandFailure("\(name) is configured already, as something else".plain, advice: "choose another name with --as")
        }
        given.insert(name)
        return MCPImport(name: name, isThere: there.contains(name), url: text, grant: grant)
    }

    private func take(_ server: MCPImport, _ outcome: inout ImportRun.Outcome, _ connection: PosternConnection) throws {
        let kept = try connection.call(Interface.ListCredentials()).credentials
        if !command.replace, let there = kept.first(where: { $0.providerID == server.name }) {
            StandardError.write(line: "\(server.name) is here already: \(there.calling)".plain)
            outcome.state = .present
            outcome.credential = there
            return
        }
        if !server.isThere { outcome.file = directory.file(of: server.name) }
        show(server, outcome.file)
        if command.dryRun {
            outcome.state = .found
            return
        }
        if let prompt, try !prompt.isYes("take \(outcome.found) over?".plain, byDefault: true) {
            outcome.state = .declined
            return
        }
        try write(server, &outcome, connection)
    }

    private func show(_ server: MCPImport, _ file: String?) {
        let grant = server.grant
        let token =
            grant.refreshToken != nil
            ? ("refresh token", "yes")
            : grant.accessToken != nil
                ? ("access token", "yes; nothing renews it") : ("refresh token", "none: sign in once afterwards")
        let rows = [
            ("server", server.url), ("issuer", grant.issuer ?? grant.tokenEndpoint ?? "the one that the server names"),
            ("client", (grant.clientID ?? "") + (grant.clientSecret == nil ? "" : ", with a secret")),
            ("scopes", grant.scopes.joined(separator: " ")), token,
        ]
        StandardError.write(line: "found in \(program.rawValue), for [mcp.\(server.name)]:".plain)
        for (title, value) in rows where !value.isEmpty {
            StandardError.write(line: "  \(title)\(String(repeating: " ", count: 15 - title.count))\(value)".plain)
        }
        guard let file else {
            StandardError.write(line: "configured already: [mcp.\(server.name)]".plain)
            return
        }
        StandardError.write(line: "\(command.dryRun ? "would write" : "to be written:") \(file)".plain)
        for line in server.configuration(login: command.login).parts(separator: "\n") { StandardError.write(line: "  \(line)".plain) }
    }

    // MARK: Doing it

    /// If the daemon refuses it, what was written is removed again.
    private func write(_ server: MCPImport, _ outcome: inout ImportRun.Outcome, _ connection: PosternConnection) throws {
        let text = server.configuration(login: command.login)
        var written: String?
        do {
            if let file = outcome.file {
                let isNew = try ConfigurationLock.held(for: directory.main) {
                    let present = try ExistingConfiguration(path: directory.main, environment: command.environment)
                    guard !present.isTaken(server.name) else {
                        throw CommandFailure("the configuration has changed in the meantime", advice: "run this command again")
                    }
                    return try directory.write(text, to: file)
                }
                if isNew { written = file }
            }
            _ = try connection.call(Interface.Reload())
            guard try connection.call(Interface.ListProviders()).providers.contains(where: { $0.providerID == server.name }) else {
                throw CommandFailure(
                    "the daemon does not read \(directory.main)".plain,
                    advice: "give the configuration that it was started with: --config FILE")
            }
            try importToken(of: server, &outcome, connection)
        } catch PosternError.refused(.signInRequired(let message, _, _)) {
            // The server is as it was written; only the token is of no use.
            outcome.state = .signInNeeded
            throw CommandFailure(
                message.plain, status: .signInNeeded, advice: "the configuration stays; sign in with: postern sign-in \(server.name)".plain)
        } catch {
            if let written {
                try? directory.remove(text, at: written)
                _ = try? connection.call(Interface.Reload())
            }
            throw error
        }
    }

    private func importToken(of server: MCPImport, _ outcome: inout ImportRun.Outcome, _ connection: PosternConnection) throws {
        let grant = server.grant
        let accessToken = grant.refreshToken == nil ? grant.accessToken : nil
        guard grant.refreshToken ?? accessToken != nil else {
            outcome.state = .signInNeeded
            StandardError.write(line: "\(server.name) is configured; sign in once with: postern sign-in \(server.name)".plain)
            return
        }
        let reply = try connection.call(
            Interface.ImportCredential(
                providerID: server.name, refreshToken: grant.refreshToken, accessToken: accessToken, scopes: grant.scopes,
                replace: command.replace, clientID: grant.clientID, clientSecret: grant.clientSecret, resource: grant.resource,
                issuer: grant.issuer, tokenEndpoint: grant.tokenEndpoint))
        outcome.credential = reply.credential
        outcome.state = .imported
        StandardError.write(line: "\(server.name) was taken over: \(reply.credential.calling)".plain)
        if accessToken != nil {
            StandardError.write(
                line: ("\(server.name) has no refresh token: the access token works until it expires; then sign in with: "
                    + "postern sign-in \(server.name)").plain)
        }
    }

    /// What the person has to know about the tokens that two programs had.
    func tellAboutOriginals() {
        StandardError.write(
            line: "\(program.rawValue) is signed out of these servers now, if they gave a new refresh token in place of the one that was "
                + "used: remove them there, or let it get its tokens from Postern. Using the old one again could end both")
    }
}

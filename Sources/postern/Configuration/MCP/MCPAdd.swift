import PosternClient
import PosternConfiguration
import PosternValues
import ProgramOptions
import StrictJSON

struct MCPAdd: DaemonCommand {
    static let name = "add"
    static let abstract = "Add an MCP server by its URL, and sign in to it."
    static let discussion = """
        Asks the server who issues its tokens and how Postern is known there, shows that, writes [mcp.NAME] into the configuration and \
        signs in. Without --as the name is made from the host: mcp.linear.app is linear. A second account at one server is a second name. \
        If a rule is broken that keeps a sign-in from succeeding, nothing is written; postern mcp check URL shows each rule.

        An issuer at which Postern cannot register itself needs a client that you register there; the command says with which redirect \
        URI. --client-id then names it.

        An issuer that has endpoints at other hosts than its own could be passing you on to somebody else's. Each such host is shown, and \
        you are asked whether it is the issuer's; --yes does not answer that, but --endpoint-host does. For a server that is there \
        already, --endpoint-host adds the host to its section.

        EXAMPLES
          postern mcp add https://mcp.linear.app/mcp
          postern mcp add https://mcp.example.org/mcp --as work --scope read
          postern mcp add https://mcp.example.org/mcp --client-id abc --yes
          postern mcp add https://mcp.example.org/mcp --endpoint-host login.example.com
        """

    let url: String
    let newName: String?
    let login: String?
    let scopes: [String]
    let endpointHosts: [String]
    let clientID: String?
    let clientSecretFile: String?
    let secretIn: SecretPlacement
    let yes: Bool
    let signIn: Bool
    let common: CommonOptions

    init(_ line: inout OptionReader) {
        url = line.argument("url", help: "The server's URL, as an MCP client is given it.")
        newName = line.option("as", named: "name", help: "Its name here. (default: from the host)", ifEmpty: "is empty: give a name")
        login = line.option(
            "login", named: "account", help: "Who signs in: an address or a name, as a hint for the page.", ifEmpty: "is empty")
        scopes = line.options(
            "scope", named: "scope", help: "Request this scope instead of those that the server names. May be repeated.",
            ifEmpty: "is empty")
        endpointHosts = line.options(
            "endpoint-host", named: "host",
            help: "A host at which you know the issuer to have endpoints, besides its own. May be repeated.", ifEmpty: "is empty")
        clientID = line.option("client-id", named: "id", help: "The client ID of a client that you registered.", ifEmpty: "is empty")
        clientSecretFile = line.option(
            "client-secret-file", .file, named: "file", help: "A file whose first line is its secret; - is standard input.")
        secretIn =
            SecretPlacement(
                rawValue: line.option(
                    "secret-in", .oneOf(SecretPlacement.allCases.map(\.rawValue)), named: "place", default: SecretPlacement.file.rawValue,
                    help: "Where the secret is kept: file, keyring or credential (systemd's)."))
            ?? .file
        yes = line.flag("yes", help: "Do not ask; assume yes.")
        signIn = line.flagWithOpposite("sign-in", help: "Sign in once it is added.")
        common = line.commonOptions()
    }

    func validate() throws(UsageError) {
        if clientSecretFile != nil, clientID == nil { throw UsageError("--client-secret-file goes with --client-id") }
    }

    func perform() throws {
        guard let address = WebAddress(url) else {
            throw CommandFailure(
                "\"\(url)\" is not the URL of a server".plain, status: .wrongUsage,
                advice: "give it as an MCP client is given it, such as https://mcp.example.org/mcp")
        }
        let dialogue = try AccountDialogue(common: common)
        let connection = try connect()
        defer { connection.close() }
        let files = try AccountFiles(asking: connection)
        let (servers, name): ([ConfiguredServer], String)
        do {
            servers = try ConfiguredServer.all(in: try files.text())
            if let present = servers.first(where: { $0.url.isSameURL(as: url) && [nil, $0.name].contains(newName) }) {
                return try signInAgain(present, dialogue, files, connection)
            }
            name = try freeName(try files.settings(), host: address.host)
        } catch {
            throw CommandFailure(editing: error)
        }
        let found = try connection.call(Interface.ResolveResource(url: url))
        // The daemon knows the URL however it is written.
        if newName == nil, let present = servers.first(where: { $0.name == found.name }) {
            return try signInAgain(present, dialogue, files, connection)
        }
        try show(found)
        try check(found, asking: connection)
        let hosts = try agreedHosts(in: found, dialogue.prompt, besides: endpointHosts)
        if let prompt = dialogue.prompt, !yes, try !prompt.isYes("Add it as \(name)?", byDefault: true) { throw AccountDialogue.declined }
        try write(name, at: found.issuer, hosts, files, connection)
        var document = found.document(url: url)
        document.set("name", name)
        StandardError.note("[mcp.\(name)] is in the configuration".plain)
        guard signIn else {
            StandardError.note("to sign in: postern sign-in \(ShellWord.quoted(name))".plain)
            if common.json { try StandardOutput.write(document: document) }
            return
        }
        try signIn(name, as: agreed(found, hosts), dialogue, files, connection, &document)
    }

    private func freeName(_ settings: AccountSettings, host: String) throws(CommandFailure) -> String {
        guard let newName else { return settings.freeName(forServerAt: host) }
        try AccountNames.check(newName, settings)
        return newName
    }

    // MARK: What was found

    private func show(_ found: Interface.ResolveResource.Reply) throws {
        guard !common.json else { return }
        var found = found
        if clientID != nil { found.registration = .configured }
        found.scopes = wanted(of: found)
        let width = Terminal.columns(of: 2)
        for line in found.facts(url: url).facts(within: width) { StandardError.note(line) }
        for finding in findings(of: found) where finding.level != .ok {
            for line in finding.lines(terminal: terminal, width: width) { StandardError.write(line: line) }
        }
    }

    /// What the command line gives is not missing.
    private func findings(of found: Interface.ResolveResource.Reply) -> [Finding] {
        found.findings.map(Finding.init).filter { finding in
            // Whose the hosts are is asked.
            if finding.title == "endpoints", found.endpointHosts != nil { return false }
            return clientID == nil || !["client", "registration"].contains(finding.title)
        }
    }

    /// The hosts at which the issuer may have endpoints, besides its own. Only the user can say whose they are.
    ///
    /// - Parameter known: those that the user named, or agreed to before.
    private func agreedHosts(
        in found: Interface.ResolveResource.Reply, _ prompt: Prompt?, besides known: [String]
    ) throws -> [String] {
        let agreed = known.map { $0.lowercased() }
        let further = (found.endpointHosts ?? []).filter { !agreed.contains($0) }
        guard !further.isEmpty else { return known }
        let issuer = found.issuer ?? "the issuer"
        let sentence = "\(issuer) has endpoints at \(further.joined(separator: " and "))"
        guard let prompt, !yes else {
            let options = (endpointHosts + further).map { " --endpoint-host \(ShellWord.quoted($0))" }.joined()
            let name = newName.map { " --as \(ShellWord.quoted($0))" } ?? ""
            throw CommandFailure(
                "\(sentence), which is not its own host, so nothing was written".plain,
                advice: "only if you know that this is the issuer's: postern mcp add \(ShellWord.quoted(url))\(name)\(options)".plain)
        }
        let question = "\(sentence). Do you know that this is the issuer's? You would sign in and send its tokens there."
        guard try prompt.isYes(question.plain, byDefault: false) else { throw AccountDialogue.declined }
        return known + further
    }

    /// - Parameter end: what did not happen because of it.
    private func check(
        _ found: Interface.ResolveResource.Reply, asking connection: PosternConnection, _ end: String = "nothing was written"
    ) throws {
        let failures = findings(of: found).filter { $0.level == .fail }
        if let issuer = found.issuer, found.registration == .none, clientID == nil {
            let uris = try connection.call(Interface.GetStatus()).callbackURLs
            throw CommandFailure(
                "Postern cannot register itself at \(issuer), so \(end)".plain,
                advice: ("register a public (native) client there with the callback URL \(uris.joined(separator: " or ")), then: "
                    + "postern mcp add \(ShellWord.quoted(url)) --client-id ID").plain)
        }
        guard failures.isEmpty else {
            throw CommandFailure(
                "a sign-in for \(url) would not succeed, so \(end)".plain,
                advice: "each rule: postern mcp check \(ShellWord.quoted(url))".plain)
        }
    }

    // MARK: Writing

    private func write(
        _ name: String, at issuer: String?, _ hosts: [String], _ files: AccountFiles, _ connection: PosternConnection
    ) throws {
        let section = ["mcp", name]
        var edits: [ConfigurationText.Edit] = [.set(section + ["url"], .text(url))]
        if let login { edits.append(.set(section + ["login"], .text(login))) }
        if !scopes.isEmpty { edits.append(.set(section + ["scopes"], .list(scopes))) }
        if !hosts.isEmpty { edits.append(.set(section + ["endpoint-hosts"], .list(hosts))) }
        // A client that is registered by hand is only for the issuer that was shown.
        if let clientID, let issuer {
            edits += [.set(section + ["client-id"], .text(clientID)), .set(section + ["issuer"], .text(issuer))]
        }
        var undo: () throws -> Void = {}
        if let clientSecretFile {
            let secret = try SecretFile.read(clientSecretFile)
            let placed = PlacedSecret(
                providerID: name, key: "client-secret", placement: secretIn,
                directory: ReplacedFile.directory(of: try files.text().mainFile), environment: environment)
            edits.append(.set(section + ["client-secret"], try placed.value()))
            undo = try placed.undo(of: secret)
            try placed.store(secret)
        }
        do {
            try files.change(over: connection) { settings in
                // Another command may have taken the name in the meantime.
                try AccountNames.check(name, settings)
                return edits
            }
        } catch {
            do { try undo() } catch { StandardError.tell("it could not be restored: \(error)".plain) }
            throw error
        }
    }

    // MARK: Signing in

    private func wanted(of found: Interface.ResolveResource.Reply) -> [String] { scopes.isEmpty ? found.scopes : scopes }

    /// What was shown, for the sign-in: the server and its issuer may say something else by then. Nil without an issuer.
    private func agreed(_ found: Interface.ResolveResource.Reply, _ hosts: [String]) -> Interface.AgreedServer? {
        found.issuer.map { Interface.AgreedServer(issuer: $0, resource: found.resource, endpointHosts: hosts, scopes: wanted(of: found)) }
    }

    /// Signs in to what was agreed to. If it is something else now, it is shown, and the person is asked again.
    private func signIn(
        _ name: String, as agreed: Interface.AgreedServer?, _ dialogue: AccountDialogue, _ files: AccountFiles,
        _ connection: PosternConnection, _ document: inout JSONObject
    ) throws {
        do {
            try finish(name, as: agreed, dialogue, &document)
        } catch PosternError.refused(.serverChanged(let message, let providerID)) {
            guard let prompt = dialogue.prompt, !yes else {
                var failure = CommandFailure(InterfaceError.serverChanged(message: message, providerID: providerID))
                let word = ShellWord.quoted(name)
                failure.advice = "[mcp.\(name)] is in the configuration; postern mcp check \(word) shows the server as it is now".plain
                throw failure
            }
            StandardError.tell(message.plain)
            let found = try connection.call(Interface.ResolveResource(url: url))
            try show(found)
            try check(found, asking: connection, "nobody is signed in")
            // Hosts were agreed to as one issuer's.
            let known = found.issuer == agreed?.issuer ? agreed?.endpointHosts : nil
            let hosts = try agreedHosts(in: found, prompt, besides: known ?? endpointHosts)
            guard try prompt.isYes("Sign in to that?", byDefault: false) else { throw AccountDialogue.declined }
            if hosts != agreed?.endpointHosts {
                let path = ["mcp", name, "endpoint-hosts"]
                try files.change(over: connection) { _ in [hosts.isEmpty ? .unset(path) : .set(path, .list(hosts))] }
            }
            try signIn(name, as: self.agreed(found, hosts), dialogue, files, connection, &document)
        }
    }

    private func finish(
        _ name: String, as agreed: Interface.AgreedServer? = nil, _ dialogue: AccountDialogue, _ document: inout JSONObject
    ) throws {
        let proved = try dialogue.prove(.provider(Interface.SignIn(providerID: name, presentation: .daemon, agreed: agreed)), .keep)
        if common.json {
            document["signedIn"] = true
            document.set("account", proved.account?.object)
            return try StandardOutput.write(document: document)
        }
        try StandardOutput.tell(PersonText.outcome(of: proved))
        if let note = dialogue.renewalNote(for: proved) { StandardError.note(note) }
        if terminal.isInteractive {
            StandardError.note("to connect a client: postern mcp config claude-code \(ShellWord.quoted(name)) --write".plain)
        }
    }

    private func signInAgain(
        _ present: ConfiguredServer, _ dialogue: AccountDialogue, _ files: AccountFiles, _ connection: PosternConnection
    ) throws {
        let word = ShellWord.quoted(present.name)
        let kept = try connection.call(Interface.ListCredentials()).credentials.first { $0.providerID == present.name }
        let sentence =
            "\(url) is there already, as \(present.name), and "
            + (kept.map { "\($0.calling) is signed in" } ?? "nobody is signed in")
        guard login == nil, scopes.isEmpty, clientID == nil else {
            throw CommandFailure(
                sentence.plain, advice: "to change it: postern config set mcp.\(word).KEY VALUE; another account: --as NAME".plain)
        }
        StandardError.tell(sentence.plain)
        let further = endpointHosts.filter { !present.endpointHosts.contains($0) }
        if !further.isEmpty {
            try files.change(over: connection) { _ in
                [.set(["mcp", present.name, "endpoint-hosts"], .list(present.endpointHosts + further))]
            }
            StandardError.note("endpoint-hosts of [mcp.\(present.name)] has \(further.joined(separator: ", ")) now".plain)
        }
        guard signIn else { return }
        if let prompt = dialogue.prompt, !yes {
            let question = kept == nil ? "Sign in?" : "Sign in again? That replaces the account."
            guard try prompt.isYes(question, byDefault: kept == nil) else { throw AccountDialogue.declined }
        } else if !yes, kept != nil || endpointHosts.isEmpty {
            // Who agrees to a host wants to sign in, but nobody is signed out for it.
            guard further.isEmpty else { return }
            throw CommandFailure(
                "nothing was changed", advice: "to sign in: postern sign-in \(word); another account there: --as NAME".plain)
        }
        var document: JSONObject = ["url": .string(present.url), "name": .string(present.name)]
        try finish(present.name, dialogue, &document)
    }
}

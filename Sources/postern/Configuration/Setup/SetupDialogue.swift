import Glibc
import PosternClient
import PosternConfiguration
import ProgramOptions

import struct PosternCore.ProviderRegistration

/// Guides a user from no configuration to a provider that they are signed in to.
struct SetupDialogue {
    /// The answers given on the command line.
    struct Answers {
        var clientID: String?
        var clientSecretFile: String?
        var issuer: String?
        var displayName: String?
        var placement = SecretPlacement.file
        var isYes = false

        /// An option of the set-up is given, so an existing configuration is to be changed.
        var isChange: Bool { clientID != nil || clientSecretFile != nil || issuer != nil || displayName != nil }
    }

    let account: AccountDialogue
    let file: ConfigurationFileOption
    var answers = Answers()

    private var environment: [String: String] { ProcessEnvironment.current }
    private var socketPath: String { account.common.socketPath }
    /// Nil if the user is not asked.
    private var prompt: Prompt? { answers.isYes ? nil : account.prompt }

    func run(_ name: String?, signsIn: Bool) throws {
        do {
            try startDaemon()
            let target = try target(name)
            let isSetUp = target.provider?.configured == true && !answers.isChange
            if try !isSetUp || isChangeWanted(target) { try setUp(target) }
            if signsIn { return try signIn(target.id) }
            if account.common.json { try StandardOutput.write(document: ["providerID": .string(target.id)]) }
        } catch {
            throw CommandFailure(editing: error)
        }
    }

    /// Like ``run(_:signsIn:)``, for a sign-in that found no client.
    static func setUp(_ account: AccountDialogue, missing providerID: String) throws {
        let dialogue = SetupDialogue(account: account, file: ConfigurationFileOption())
        do { try dialogue.setUp(try dialogue.target(providerID)) } catch { throw CommandFailure(editing: error) }
    }

    // MARK: The daemon

    private func startDaemon() throws {
        let problem: PosternError
        do throws(PosternError) {
            try connect().close()
            return
        } catch {
            problem = error
        }
        let units = SystemdUnits(environment: environment)
        // A socket other than systemd's is the user's own responsibility.
        let isUsual = socketPath == SocketPath.current && (environment["POSTERN_SOCKET"] ?? "").isEmpty
        guard case .daemonUnreachable = problem, isUsual else { throw problem }
        guard units.isThere else {
            // If there is no place for the socket either, the problem itself says what to do.
            guard !PosternError.lacksRuntimeDirectory(socketPath) else { throw problem }
            throw CommandFailure(
                "the daemon is not running", status: .daemonUnreachable,
                advice: "this user's systemd does not answer; start posternd by hand")
        }
        let question = "The daemon is not running. Make systemd start it when it is needed (systemctl --user enable --now postern.socket)?"
        guard answers.isYes || prompt != nil else {
            throw CommandFailure(
                "the daemon is not running", status: .daemonUnreachable,
                advice: "systemctl --user enable --now postern.socket; or give --yes"
            )
        }
        if let prompt, try !prompt.isYes(question, byDefault: true) { throw AccountDialogue.declined }
        guard units.run(["enable", "--now", "postern.socket"]) else {
            throw CommandFailure(
                "systemd did not start the socket", status: .daemonUnreachable,
                advice: "postern doctor says more; you can also start posternd by hand")
        }
        try connect().close()
    }

    private func connect() throws(PosternError) -> PosternConnection { try PosternConnection(socketPath: socketPath) }

    private func call<Parameters: MethodParameters>(_ parameters: Parameters) throws -> Parameters.Reply {
        try PosternConnection.call(parameters, at: socketPath)
    }

    private func say(_ lines: String...) { for line in lines { StandardError.tell(line) } }

    // MARK: Which provider

    private struct Target {
        var id: String
        /// The daemon's description; nil if the daemon does not know the provider yet.
        var provider: Provider?

        var displayName: String { (provider?.displayName ?? id).plain }
        var kind: Provider.Kind { provider?.kind ?? .oidc }
    }

    private func target(_ name: String?) throws -> Target {
        let providers = try call(Interface.ListProviders()).providers
        let id: String
        if let name {
            guard !name.isEmpty else { throw CommandFailure.emptyProvider }
            id = name
        } else {
            guard let prompt else {
                throw CommandFailure(
                    "which provider?", status: .wrongUsage,
                    advice: "postern setup PROVIDER, one of these or a name for another one: "
                        + providers.map(\.providerID).joined(separator: ", ").plain)
            }
            let names = providers.map { Self.choice($0, among: providers) } + ["another OpenID provider"]
            guard let chosen = try prompt.choice("Which one?", among: names) else { throw AccountDialogue.declined }
            id = chosen < providers.count ? providers[chosen].providerID : try newName(prompt)
        }
        if let provider = providers.first(where: { $0.providerID == id }) { return Target(id: id, provider: provider) }
        let alike = providers.filter { $0.providerID.begins(with: id + ".") }
        if alike.count == 1, answers.issuer == nil {
            say("\(id) is \(alike[0].providerID)".plain)
            return Target(id: alike[0].providerID, provider: alike[0])
        }
        if answers.issuer == nil, let meant = Suggestion.closest(to: id, among: providers.map(\.providerID)) {
            guard let prompt else {
                throw CommandFailure(
                    "there is no provider called \"\(id)\"; did you mean \(meant)?".plain, status: .wrongUsage,
                    advice: "--issuer sets up an OpenID provider of that name")
            }
            if try prompt.isYes("There is no provider called \"\(id)\" yet. Did you mean \(meant)?".plain, byDefault: true) {
                return Target(id: meant, provider: providers.first { $0.providerID == meant })
            }
        }
        // File names contain it.
        if let mistake = ProviderNaming.mistake(in: id) {
            throw CommandFailure(
                "\"\(id)\": \(mistake)".plain, status: .wrongUsage,
                advice: id.unicodeScalars.contains("/")
                    ? "a name of your choice goes before the address: postern setup work --issuer https://…"
                    : "postern setup work sets up a provider of the name work")
        }
        guard prompt != nil || answers.issuer != nil else {
            throw CommandFailure(
                "there is no provider called \"\(id)\"".plain, status: .wrongUsage,
                advice: "--issuer and --client-id set up an OpenID provider of that name; postern provider list shows those that are there")
        }
        return Target(id: id, provider: nil)
    }

    /// For a provider that is not built in.
    private func newName(_ prompt: Prompt) throws -> String {
        while true {
            let name = try answer("A name for it, such as work:", prompt)
            guard let mistake = ProviderNaming.mistake(in: name) else { return name }
            say("\"\(name)\": \(mistake)".plain)
        }
    }

    /// With the protocol if two providers have one name, as with X.
    static func choice(_ provider: Provider, among providers: [Provider]) -> String {
        let isAmbiguous = providers.contains { $0.displayName == provider.displayName && $0.providerID != provider.providerID }
        let version = provider.kind == .oauth1 ? "OAuth 1.0a" : "OAuth 2.0"
        return "\(provider.providerID)  \(provider.displayName)\(isAmbiguous ? " (\(version))" : "")".plain
    }

    /// A provider that is set up can be set up again.
    private func isChangeWanted(_ target: Target) throws -> Bool {
        say("\(target.displayName) is already set up.")
        guard let prompt else { return false }
        return try prompt.isYes("Change its client?", byDefault: false)
    }

    // MARK: Registering

    private func setUp(_ target: Target) throws {
        let text = try file.text(environment)
        var values: [(path: [String], value: ConfigurationValue)] = []
        func put(_ key: String, _ value: ConfigurationValue) { values.append((["provider", target.id, key], value)) }
        let old = try text.entries(at: ["provider", target.id])
        func has(_ key: String) -> Bool { old.contains { text.path($0.key) == ["provider", target.id, key] } }
        // A new secret or a new issuer, for a client whose ID is already configured.
        let keepsClient = answers.clientID == nil && has("client-id") && (answers.clientSecretFile != nil || answers.issuer != nil)
        if target.provider != nil, answers.issuer != nil { try checkTakesIssuer(target, hasOne: has("issuer")) }
        // The page need not be opened if everything that it gives is known already.
        let isComplete = answers.clientID != nil || keepsClient
        guard isComplete || prompt != nil else {
            throw CommandFailure(
                "\(target.displayName) gives a client ID when Postern is registered there; give it with --client-id", status: .wrongUsage,
                advice: "postern provider show \(target.id) says what to register; --client-secret-file gives the secret".plain)
        }
        if target.provider == nil {
            put("kind", .text("oidc"))
            put("issuer", .text(try issuer(of: target, text)))
        } else if let issuer = try changedIssuer(of: target, hasOne: has("issuer"), text) {
            put("issuer", .text(issuer))
        }
        if let name = answers.displayName { put("display-name", .text(name)) }
        warn(of: target, text)
        if !isComplete { try register(target, text) }

        var secrets: [(PlacedSecret, String)] = []
        var removed: [[String]] = []
        let oldID = old.first { text.path($0.key)?.last.map(ProviderRegistration.Field.isID) == true }?.text
        var isOtherClient = false
        let directory = ReplacedFile.directory(of: text.mainFile)
        for field in ProviderRegistration.fields(of: target.id, target.kind) {
            switch field.kind {
            case .text where keepsClient && has(field.key): continue
            case .text:
                guard let value = try value(of: field, of: target) else { continue }
                put(field.key, .text(value))
                // The secret of another client cannot be kept.
                if ProviderRegistration.Field.isID(field.key), let oldID, oldID != value { isOtherClient = true }
            case .secretFile:
                guard let prompt else { throw incomplete(target) }
                put(field.key, .secret(.file(try answer(field.label + ":", prompt))))
            case .secret(let whenEmpty):
                let keepsSecret = has(field.key) && !isOtherClient
                let isAsked = answers.clientID == nil || isOtherClient
                let hint = keepsSecret ? "Enter: keep the current one" : whenEmpty
                guard let secret = try secret(field, whenEmpty: hint, isAsked: isAsked) else {
                    guard keepsSecret || whenEmpty != nil else { throw incomplete(target) }
                    if has(field.key), !keepsSecret { removed.append(["provider", target.id, field.key]) }
                    if !keepsSecret, let flow = ProviderRegistration.of(target.id, target.kind)?.flowWithoutSecret {
                        put("flow", .text(flow.rawValue))
                    }
                    continue
                }
                let placed = PlacedSecret(
                    providerID: target.id, key: field.key, placement: answers.placement, directory: directory, environment: environment)
                put(field.key, try placed.value())
                secrets.append((placed, secret))
                if old.contains(where: { text.path($0.key) == ["provider", target.id, "flow"] && $0.text == "device" }) {
                    put("flow", .text("browser"))
                }
            }
        }
        let place = text.userFile(with: ["provider", target.id]) ?? "\(directory)/config.d/\(target.id).toml"
        // For providers where Postern needs none, a person may have configured one.
        let isAskedFor = ProviderRegistration.fields(of: target.id, target.kind).contains { $0.key == "client-secret" }
        if isOtherClient, !isAskedFor, has("client-secret") { removed.append(["provider", target.id, "client-secret"]) }
        for path in removed {
            let key = path.joined(separator: ".")
            guard text.userFile(with: path) == place else {
                throw CommandFailure(
                    "\(key) is the old client's, and does not stand in \(place)".plain,
                    advice: "give the new client's with --client-secret-file; postern config show says where the old one stands")
            }
            say("The secret was the old client's, so \(key) goes; --client-secret-file gives the new one's.".plain)
        }
        try write(secrets, to: text) { ConfigurationUpdate(change: try $0.setting(values, removing: removed, in: place)) }
        try check(target)
    }

    /// Warns of an address that another program has if the provider permits no other, before anybody registers it.
    private func warn(of target: Target, _ text: ConfigurationText) {
        guard let redirectURI = target.provider?.redirectURI, let address = WebAddress(redirectURI), address.isLoopback,
            let configured = try? text.configuration().provider(target.id)?.provider, !configured.takesAnyLoopbackPort,
            let problems = try? call(Interface.GetStatus()).problems
        else { return }
        let authorities = address.host == "localhost" ? ["127.0.0.1", "[::1]"].map { "\($0):\(address.port)" } : [address.authority]
        for problem in problems where authorities.contains(where: { problem.begins(with: $0 + " ") }) {
            say(
                "\(problem.parts(separator: ";").first ?? "")".plain,
                "\(target.displayName) sends people to no other port, so nobody can sign in there before it is free.".plain,
                "  \(CallbackCheck.fix(taken: address, Remedies(hasSystemd: SystemdUnits(environment: environment).isThere)))".plain)
        }
    }

    private func issuer(of target: Target, _ text: ConfigurationText) throws -> String {
        if let issuer = answers.issuer { return try checked(issuer, of: target, text) }
        guard let prompt else {
            throw CommandFailure(
                "\(target.id) is not built in; give the issuer of an OpenID provider with --issuer".plain, status: .wrongUsage,
                advice: "postern provider list shows those that are there")
        }
        say("\(target.id) is not built in. Any OpenID provider can be set up with its issuer, the URL that identifies it.".plain)
        return try checked(try answer("Issuer (https://…):", prompt), of: target, text)
    }

    /// Checked before any further question, so that nobody registers anything after a typing error.
    private func checked(_ given: String, of target: Target, _ text: ConfigurationText) throws -> String {
        guard let prompt else { return given }
        var issuer = given
        while true {
            if let mistake = mistake(inIssuer: issuer, of: target, text) {
                say(mistake.plain)
                issuer = try answer("Issuer (https://…):", prompt)
            } else if let problem = problem(atIssuer: issuer, of: target) {
                say(problem.plain)
                let another = try prompt.line("Issuer (Enter alone: \(issuer.plain), all the same):")
                guard !another.isEmpty else { return issuer }
                issuer = another
            } else {
                return issuer
            }
        }
    }

    /// The configuration's objection to it; nil if it would be accepted.
    private func mistake(inIssuer issuer: String, of target: Target, _ text: ConfigurationText) -> String? {
        let section = ["provider", target.id]
        var values: [(path: [String], value: ConfigurationValue)] = [(section + ["issuer"], .text(issuer))]
        if target.provider == nil { values.append((section + ["kind"], .text("oidc"))) }
        do { _ = try text.setting(values) } catch let error as ConfigurationError { return error.message } catch { return "\(error)" }
        return nil
    }

    /// Why nobody can sign in there now; nil also if this cannot be determined.
    private func problem(atIssuer issuer: String, of target: Target) -> String? {
        let reply = try? call(Interface.CheckProvider(providerID: target.id, issuer: issuer))
        return reply?.findings.first { $0.level == .fail }?.detail
    }

    private func checkTakesIssuer(_ target: Target, hasOne: Bool) throws {
        guard !hasOne else { return }
        guard ConfigurationText.isBuiltIn(target.id) else {
            throw CommandFailure(
                "\(target.id) has no issuer: the configuration names its endpoints one by one".plain, status: .wrongUsage,
                advice: "postern config edit changes them; or give the other provider its own name: postern setup work --issuer …")
        }
        throw CommandFailure(
            "\(target.id) is built in and takes no --issuer".plain, status: .wrongUsage,
            advice: "give the other provider its own name: postern setup work --issuer …")
    }

    /// For a provider that is set up: another issuer, if one is given or typed.
    private func changedIssuer(of target: Target, hasOne: Bool, _ text: ConfigurationText) throws -> String? {
        if let issuer = answers.issuer {
            return try checked(issuer, of: target, text)
        }
        guard hasOne, !answers.isChange, let prompt else { return nil }
        let issuer = try prompt.line("Issuer (Enter: keep the current one):")
        return issuer.isEmpty ? nil : try checked(issuer, of: target, text)
    }

    /// Says what to register, and opens the page for it.
    private func register(_ target: Target, _ text: ConfigurationText) throws {
        let host = try text.entries(at: ["provider", target.id, "host"]).first?.text
        let redirectURI = try target.provider.map(\.redirectURI) ?? call(Interface.GetStatus()).callbackURLs.first
        let directory = ReplacedFile.directory(of: text.mainFile)
        let registration = ProviderRegistration.of(
            target.id, target.kind, directory: directory, host: host, redirectURI: redirectURI)
        let page = registration?.page
        say("", "Register Postern at \(target.displayName)\(page?.isFilledIn == true ? "; what it asks for is filled in:" : ":")")
        if let page { say("  " + account.terminal.link(page.url)) }
        if let redirectURI {
            let isCopied = Clipboard.copy(redirectURI, terminal: account.terminal, environment: environment)
            say(
                "Its callback URL\(isCopied ? " (copied to the clipboard, where the terminal allows that)" : ""):", "  \(redirectURI)".plain
            )
        }
        for line in registration?.callbackInDialogue ?? registration?.plainCallback ?? [] { say(line) }
        if let page { open(page, text) }
        say("")
    }

    private func open(_ page: ProviderRegistration.Page, _ text: ConfigurationText) {
        guard TerminalLocation.current.canOpenBrowser, let browser = try? text.configuration().signIn.browser else {
            return
        }
        switch browser {
        case .none: return
        case .command(let words): BrowserLaunch(words).show(page.url)
        case .portal: BrowserLaunch(["xdg-open"]).show(page.url)
        }
    }

    // MARK: Asking

    private func value(of field: ProviderRegistration.Field, of target: Target) throws -> String? {
        if ProviderRegistration.Field.isID(field.key), let given = answers.clientID { return given }
        guard let prompt else { throw incomplete(target) }
        return try answer(field.label + ":", prompt)
    }

    private func answer(_ question: String, _ prompt: Prompt) throws -> String {
        while true {
            let answer = try prompt.line(question)
            if !answer.isEmpty { return answer }
            say("Nothing was typed, and it is needed. Ctrl-C ends this.")
        }
    }

    /// Nil if there is none.
    private func secret(_ field: ProviderRegistration.Field, whenEmpty: String?, isAsked: Bool) throws -> String? {
        if let path = answers.clientSecretFile { return try SecretFile.read(path) }
        guard isAsked, let prompt else { return nil }
        while true {
            let hint = whenEmpty.map { "; \($0)" } ?? ""
            let answer = PastedLines.trimmed(try prompt.secret("\(field.label) (not shown\(hint)):"))
            if !answer.isEmpty { return answer }
            if whenEmpty != nil { return nil }
            say("Nothing was typed, and it is needed. Ctrl-C ends this.")
        }
    }

    private func incomplete(_ target: Target) -> CommandFailure {
        CommandFailure(
            "\(target.displayName) needs more than was given", status: .wrongUsage,
            advice: "postern provider show \(target.id) says what; use --client-secret-file, or run it in a terminal".plain)
    }

    // MARK: Writing

    private func write(
        _ secrets: [(PlacedSecret, String)], to text: ConfigurationText, _ makeUpdate: (ConfigurationText) throws -> ConfigurationUpdate
    ) throws {
        let update = try makeUpdate(text)
        let file = ConfigurationPlace.short(update.change.file, environment)
        guard !update.change.isNothing || !secrets.isEmpty else {
            return say("Nothing needs to change: \(file) says all of this already.".plain)
        }
        if update.change.isNothing {
            say("", "\(file) needs no change. This is written:".plain)
        } else {
            say("", "This goes into \(file)\(update.change.isNew ? "" : ", which is there already"):".plain)
            for line in update.lines { say("  " + line) }
        }
        for (placed, _) in secrets {
            for line in try placed.announcement() { say((update.change.isNothing ? "  " : "and ") + line.plain) }
        }
        if let prompt, try !prompt.isYes("Write it?", byDefault: true) { throw AccountDialogue.declined }
        try self.file.locked(text, environment) { present in
            let current = try makeUpdate(present)
            // Another command may have changed the files since they were read; what was agreed to is written, and nothing else.
            guard current.change.file == update.change.file, current.lines == update.lines else {
                throw CommandFailure("\(file) has changed in the meantime and was not written".plain, advice: "run this command again")
            }
            try apply(current, secrets)
        }
    }

    private func apply(_ update: ConfigurationUpdate, _ secrets: [(PlacedSecret, String)]) throws {
        // If the client is not accepted, its secret must not replace the one that works.
        var undo: [() throws -> Void] = []
        do {
            for (placed, secret) in secrets {
                undo.append(try placed.undo(of: secret))
                try placed.store(secret)
            }
            undo.append(try update.write())
            _ = try call(Interface.Reload())
        } catch {
            for step in undo.reversed() {
                do { try step() } catch { say("it could not be restored: \(error)".plain) }
            }
            throw error
        }
    }

    /// Checks the client with the provider, as `postern provider check` does.
    private func check(_ target: Target) throws {
        guard let provider = try call(Interface.ListProviders()).providers.first(where: { $0.providerID == target.id }) else {
            throw CommandFailure(
                "the daemon does not know \(target.id): it reads another configuration".plain, advice: "give that file with --config")
        }
        guard provider.configured else {
            throw CommandFailure(
                (provider.problem ?? "its client ID or secret is missing").plain, advice: "postern setup \(target.id)".plain)
        }
        guard provider.flows.contains(.browser) else { return say("\(provider.displayName) is set up, for sign-ins by code.".plain) }
        let findings = try call(Interface.CheckProvider(providerID: target.id)).findings.map(Finding.init)
        let terminal = account.terminal
        for finding in findings where finding.level == .fail || (finding.title == "client" && finding.level == .warn) {
            for line in finding.lines(terminal: terminal, width: terminal.width) { StandardError.write(line: line) }
        }
        guard let failure = findings.first(where: { $0.level == .fail }) else {
            if findings.contains(where: { $0.title == "client" && $0.level == .ok }) {
                say("\(provider.displayName) accepted the client ID and secret.".plain)
            }
            return
        }
        let sentence =
            failure.title == "client"
            ? "\(provider.displayName) refused the client ID or the secret" : "nobody can sign in with \(provider.displayName) yet"
        throw CommandFailure(
            sentence.plain, advice: "the files stay; postern setup \(target.id) asks again, and changes them".plain)
    }

    // MARK: Signing in

    private func signIn(_ id: String) throws {
        let way = SignInWay.provider(
            Interface.SignIn(providerID: id, intent: .signIn, app: account.common.app, presentation: .daemon))
        let proved = try account.prove(way, .signIn)
        if account.common.json { return try StandardOutput.write(document: proved.reply) }
        try StandardOutput.write(line: PersonText.outcome(of: proved))
        say("To get a token: postern token \(id)".plain)
    }
}

/// A secret passed by a script.
enum SecretFile {
    /// Returns the first line.
    ///
    /// - Parameter path: `-` is standard input.
    static func read(_ path: String) throws -> String {
        let name = path == "-" ? "standard input" : path
        let descriptor = path == "-" ? dup(STDIN_FILENO) : open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY)
        guard descriptor >= 0 else { throw CommandFailure("\(name) cannot be read: \(String(cString: strerror(errno)))".plain) }
        defer { close(descriptor) }
        guard let bytes = DescriptorReader.all(from: descriptor, limit: 4096, until: { $0.contains(0x0A) }) else {
            throw CommandFailure("\(name) cannot be read: \(String(cString: strerror(errno)))".plain)
        }
        guard !bytes.isEmpty else { throw CommandFailure("\(name) is empty; its first line should be the client secret".plain) }
        let line = try line(of: bytes, from: name)
        guard !line.isEmpty, line.utf8.count <= 4096 else {
            throw CommandFailure("the first line of \(name) should be the client secret, but it is empty or too long".plain)
        }
        return line
    }

    /// The first line, without a byte order mark before it and blanks around it.
    static func line(of bytes: [UInt8], from name: String) throws(CommandFailure) -> String {
        let text = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes.dropFirst(3) : bytes[...]
        guard let line = String(validating: text.prefix { $0 != 0x0A }, as: UTF8.self) else {
            throw CommandFailure("the first line of \(name) is not UTF-8".plain)
        }
        return PastedLines.trimmed(line)
    }
}

import Glibc
import PosternClient
import StrictJSON

/// Lets the user prove who they are, in whatever way, and guides them if the account rules refuse.
struct AccountDialogue {
    /// The result of a proof.
    struct Proved {
        /// The last reply, unparsed.
        var reply: JSONObject
        /// Nil with the intents `credential` and `keep`.
        var result: AuthResult?
        /// With the intent `keep`.
        var account: StoredCredential?
        /// The way the user signed in, for people: `GitHub`, `a password`.
        var wayName: String
    }

    typealias SetUp = (AccountDialogue, String) throws -> Void

    let common: CommonOptions
    /// The command line's options for pages; nil for a command that opens one only if necessary.
    let ask: AskOptions?
    /// Sets up the provider of that name, which has no client yet; nil if the command does not offer it.
    let setUp: SetUp?
    /// What a server demanded, which the sign-in's challenge says only to the daemon.
    let demand: SignInDemand?
    let terminal: Terminal
    let interrupts: Interrupts
    /// Nil if the user cannot be asked: without a terminal, and with `--json`.
    let prompt: Prompt?

    init(common: CommonOptions, ask: AskOptions? = nil, setUp: SetUp? = nil, demand: SignInDemand? = nil) throws {
        self.common = common
        self.ask = ask
        self.setUp = setUp
        self.demand = demand
        terminal = .current
        interrupts = try Interrupts()
        prompt = common.json ? nil : Prompt(interrupts: interrupts)
    }

    /// - Throws: ``CommandFailure`` if the rules refuse with no way out, or if the user declines.
    func prove(_ way: SignInWay, _ intent: Intent) throws -> Proved {
        do {
            switch way {
            case .provider(let parameters): return try page(parameters, intent)
            case .password(let email): return try password(email: email, intent)
            case .anonymous: return try anonymous()
            }
        } catch PosternError.refused(let refusal) {
            return try goOn(after: refusal, way, intent)
        }
    }

    /// What the user can do about a refusal.
    func goOn(after refusal: InterfaceError, _ way: SignInWay, _ intent: Intent) throws -> Proved {
        switch refusal {
        case .secondFactorRequired(_, let resolver, let hints) where prompt != nil:
            return try secondFactor(of: SecondFactorChallenge(resolver: resolver, factors: hints), wayName: name(of: way))
        case .accountExistsWithDifferentCredential(_, let email, let owners, let credential):
            return try joinOwner(of: email, owners, credential, way, refusal)
        case .accountNotConfirmed(_, let account, let uid, let credential):
            return try confirm(account, uid, credential, way, intent, refusal)
        case .credentialAlreadyInUse(_, _, let credential) where intent == .link:
            return try becomeOwner(by: credential, way, refusal)
        case .providerNotConfigured(_, let providerID):
            guard intent == .signIn || intent == .keep, let setUp, isSetUpWanted(providerID) else {
                throw advice(way, intent).failure(refusal)
            }
            try setUp(self, providerID)
            return try page(for: way, intent)
        // The caller may have a way to make it recent, or to show the server again.
        case .requiresRecentSignIn, .serverChanged: throw PosternError.refused(refusal)
        default:
            throw advice(way, intent).failure(refusal)
        }
    }

    /// The signed-in user; nil if there is none.
    func currentUser() throws -> User? { try call(Interface.GetCurrentUser(app: common.app)).user }

    // MARK: The ways

    private func page(_ parameters: Interface.SignIn, _ intent: Intent) throws -> Proved {
        let place = TerminalLocation.current
        let opensHere = place.canOpenBrowser && ask?.noBrowser != true
        let name = try ProviderName.look(up: parameters.providerID, socketPath: common.socketPath)
        var parameters = parameters
        parameters.intent = intent
        // What is kept concerns no app.
        if intent == .keep { parameters.app = nil }
        parameters.presentation = opensHere ? .daemon : .client
        let demand = parameters.challenge == nil ? SignInDemand(scopes: parameters.scopes ?? []) : demand
        let told = terminal.showsWords && !StandardError.isQuiet ? demand : nil
        for line in told?.lines(of: name) ?? [] { StandardError.tell(line) }
        let run = try SignInRun(
            socketPath: common.socketPath, request: parameters,
            flowSwitch: FlowSwitch(socketPath: common.socketPath, providerID: parameters.providerID),
            narration: SignInNarration(
                providerName: name, presentation: opensHere ? .browserHere : .elsewhere(from: place),
                isInteractive: terminal.isInteractive, terminal: terminal, timeoutAdvice: ask == nil ? nil : "--timeout says how long",
                deviceCommand: ask == nil ? deviceCommand(parameters.providerID, intent) : nil, toldScopes: told?.scopes ?? [],
                times: { [terminal] in terminal.timesOfWords }),
            terminal: terminal, interrupts: interrupts)
        let outcome = try run.run()
        guard let account = outcome.event.account else { return Proved(reply: outcome.reply, result: outcome.event.result, wayName: name) }
        return proof(of: account, reply: outcome.reply)
    }

    /// - Parameter account: at a provider whose name the command line need not have.
    func proof(of account: StoredCredential, reply: JSONObject) -> Proved {
        Proved(reply: reply, result: nil, account: account, wayName: name(ofProvider: account.providerID))
    }

    private func deviceCommand(_ providerID: String, _ intent: Intent) -> String {
        let words = "\(ShellWord.quoted(providerID)) --device"
        return switch intent {
        case .link, .reauthenticate: advice().command("\(intent.rawValue) \(words)").plain
        case .signIn, .keep, .credential: advice(nil, intent).signIn(words).plain
        }
    }

    private func anonymous() throws -> Proved {
        try proved(by: Interface.SignInAnonymously(app: common.app), wayName: "", \.result)
    }

    /// Uses an existing credential: a handle, or an address and a password.
    func settle(_ credential: CredentialInput, _ intent: Intent, wayName: String) throws -> Proved {
        try proved(
            by: Interface.SignInWithCredential(credential: credential, intent: intent, app: common.app), wayName: wayName, \.result)
    }

    func proved<Parameters: MethodParameters>(
        by parameters: Parameters, wayName: String, _ result: KeyPath<Parameters.Reply, AuthResult>
    ) throws -> Proved {
        let reply = try raw(parameters)
        let read = try PosternConnection.read(Parameters.Reply.self, from: reply)
        return Proved(reply: reply, result: read[keyPath: result], wayName: wayName)
    }

    /// Repeats the request after what was missing has been provided.
    private func page(for way: SignInWay, _ intent: Intent) throws -> Proved {
        guard case .provider(let parameters) = way else { return try prove(way, intent) }
        return try page(parameters, intent)
    }

    /// Asked only if a client is missing: a dialogue cannot provide anything else that a provider lacks.
    private func isSetUpWanted(_ providerID: String) -> Bool {
        guard let prompt, let provider = try? call(Interface.ListProviders()).providers.first(where: { $0.providerID == providerID }),
            !provider.configured
        else { return false }
        return (try? prompt.isYes("\(provider.displayName.plain) is not set up yet. Set it up now?", byDefault: true)) ?? false
    }

    // MARK: Asking the daemon

    func call<Parameters: MethodParameters>(_ parameters: Parameters) throws -> Parameters.Reply {
        try PosternConnection.read(Parameters.Reply.self, from: try raw(parameters))
    }

    /// Runs on its own thread, so that an interrupt ends the wait.
    func raw<Parameters: MethodParameters>(_ parameters: Parameters) throws -> JSONObject {
        let connection = try PosternConnection(socketPath: common.socketPath)
        defer { connection.close() }
        let answers = try Mailbox<Result<JSONObject, PosternError>>()
        let object = parameters.object
        let isStarted = DedicatedThread.start {
            do throws(PosternError) {
                answers.put(.success(try connection.call(Parameters.method.name, object)))
            } catch {
                answers.put(.failure(error))
            }
        }
        guard isStarted else { throw CommandFailure("no thread could be started") }
        while true {
            if let answer = answers.takeAll().first { return try answer.get() }
            var polled = [interrupts.descriptor, answers.descriptor].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
            guard poll(&polled, 2, -1) > 0 else { continue }
            if polled[0].revents != 0, interrupts.take() { throw PosternError.cancelled }
        }
    }

    // MARK: Words

    func name(of way: SignInWay) -> String { name(ofProvider: way.providerID) }

    func name(ofProvider providerID: String) -> String {
        if providerID == SignInWay.passwordID { return "a password" }
        return (try? ProviderName.look(up: providerID, socketPath: common.socketPath)) ?? providerID.plain
    }

    func advice(_ way: SignInWay? = nil, _ intent: Intent? = nil, of user: User? = nil) -> AccountAdvice {
        AccountAdvice(
            providerID: way?.providerID, intent: intent, app: common.app, usersProviderIDs: user?.providerData.map(\.providerID) ?? [])
    }

    var nobody: CommandFailure { .nobody(in: common.app) }

    /// How to get a token of the account that is kept now; nil if there is none.
    func tokenAdvice(for proved: Proved) -> String? {
        guard let account = proved.account else { return nil }
        let kept = (try? call(Interface.ListCredentials()).credentials) ?? []
        return "To get a token: postern token \(AccountText.words(for: account, among: kept))".plain
    }

    /// That the account ends with its access token, and what would help; nil if it is renewed, or has no end.
    func renewalNote(for proved: Proved) -> String? {
        proved.account.flatMap { CredentialText.withoutRenewal($0, at: proved.wayName, times: terminal.timesOfWords) }
    }

    /// The user was asked and declined.
    static let declined = CommandFailure("nothing was changed", status: .declined)
}

extension CommandFailure {
    static func nobody(in app: String) -> CommandFailure {
        CommandFailure(
            "nobody is signed in to the app \(app)".plain, status: .signInNeeded,
            advice: "sign in with: \(AccountAdvice(app: app).signIn("PROVIDER"))".plain)
    }
}

extension AccountDialogue {
    /// Runs an action that may require a recent sign-in: if so, the user proves their identity again, and the action is repeated.
    func recently<Value>(_ body: () throws -> Value) throws -> Value {
        do {
            return try body()
        } catch PosternError.refused(.requiresRecentSignIn(let message)) {
            try reauthenticate(.requiresRecentSignIn(message: message))
        }
        return try body()
    }

    /// The reply to a call that may need a recent sign-in. With `--json` it is printed unchanged, and nil returned.
    func reply<Parameters: MethodParameters>(to parameters: Parameters) throws -> Parameters.Reply? {
        try common.reply(Parameters.Reply.self, from: recently { try raw(parameters) })
    }

    private func reauthenticate(_ refusal: InterfaceError) throws {
        let user = try currentUser()
        guard let prompt, let user, !user.providerData.isEmpty else { throw advice(of: user).failure(refusal) }
        let providers = user.providerData.map(\.providerID)
        let names = providers.map { name(ofProvider: $0) }
        prompt.say("This needs a recent sign-in.")
        let index: Int
        if names.count == 1 {
            guard try prompt.isYes("Sign in again with \(names[0]), and go on?", byDefault: true) else { throw Self.declined }
            index = 0
        } else {
            guard let chosen = try prompt.choice("Sign in again with which one, and go on?", among: names) else { throw Self.declined }
            index = chosen
        }
        let proved = try prove(way(providers[index], email: user.email), .reauthenticate)
        prompt.say(PersonText.outcome(of: proved))
    }
}

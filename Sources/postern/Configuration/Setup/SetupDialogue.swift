import PosternClient

/// Guides a user from no configuration to a provider that they are signed in to.
struct SetupDialogue {
    /// The answers given on the command line.
    struct Answers {
        var clientID: String?
        var clientSecretFile: String?
        var issuer: String?
        var displayName: String?
        var scopes: [String] = []
        var placement = SecretPlacement.file
        var isYes = false

        /// An option of the set-up is given, so an existing configuration is to be changed.
        var isChange: Bool {
            clientID != nil || clientSecretFile != nil || issuer != nil || displayName != nil || !scopes.isEmpty
        }
    }

    let account: AccountDialogue
    let file: ConfigurationFileOption
    var answers = Answers()

    var environment: [String: String] { ProcessEnvironment.current }
    var socketPath: String { account.common.socketPath }
    /// Nil if the user is not asked.
    var prompt: Prompt? { answers.isYes ? nil : account.prompt }

    func run(_ name: String?, signsIn: Bool) throws {
        do {
            try startDaemon()
            let target = try target(name)
            let isSetUp = target.provider?.configured == true && !answers.isChange
            let failed = try isSetUp ? whatFailed(at: target) : nil
            if try failed != nil || !isSetUp || isChangeWanted(target) { try setUp(target, fixing: failed) }
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

    // MARK: Signing in

    private func signIn(_ id: String) throws {
        let parameters = Interface.SignIn(providerID: id, app: account.common.app, presentation: .daemon)
        let proved: AccountDialogue.Proved
        if account.common.givenApp == nil {
            let signIn = try AccountSignIn(account, parameters, as: nil)
            proved = try signIn.finish(try account.prove(.provider(signIn.parameters), .keep))
        } else {
            proved = try account.prove(.provider(parameters), .signIn)
        }
        if account.common.json { return try StandardOutput.write(document: proved.reply) }
        try StandardOutput.tell(PersonText.outcome(of: proved))
        if let note = account.renewalNote(for: proved) { say(note) }
        say(account.tokenAdvice(for: proved) ?? "To get a token: postern token \(id)".plain)
    }

    // MARK: Asking the daemon, and telling the user

    func connect() throws(PosternError) -> PosternConnection { try PosternConnection(socketPath: socketPath) }

    func call<Parameters: MethodParameters>(_ parameters: Parameters) throws -> Parameters.Reply {
        try PosternConnection.call(parameters, at: socketPath)
    }

    func say(_ lines: String...) { for line in lines { StandardError.tell(line) } }
}

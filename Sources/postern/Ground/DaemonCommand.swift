import ArgumentParser
import PosternClient
import StrictJSON

/// A command of `postern`: `perform` does the work; a failure becomes a message on standard error and an exit status.
protocol DaemonCommand: ParsableCommand {
    associatedtype Options: CommandOptions
    var common: Options { get set }
    func perform() throws
}

extension DaemonCommand {
    func run() throws {
        if common.quiet { StandardError.beQuiet() }
        do {
            try perform()
        } catch {
            let failure = CommandFailure(error).suggesting(at: common.socketPath)
            Report.write(failure, json: common.json)
            throw ExitCode(failure.status.rawValue)
        }
    }

    var environment: [String: String] { ProcessEnvironment.current }
    var terminal: Terminal { .current(environment: environment) }

    func connect() throws -> PosternConnection { try PosternConnection(socketPath: common.socketPath) }

    /// Makes one call on its own connection. With `--json` the reply is printed unchanged, and nil returned.
    func call<Parameters: MethodParameters>(_ parameters: Parameters) throws -> Parameters.Reply? {
        let connection = try connect()
        defer { connection.close() }
        return try call(parameters, on: connection)
    }

    /// The same, for a command that makes further calls.
    func call<Parameters: MethodParameters>(_ parameters: Parameters, on connection: PosternConnection) throws -> Parameters.Reply? {
        let reply = try connection.call(Parameters.method.name, parameters.object)
        guard common.json else { return try PosternConnection.read(Parameters.Reply.self, from: reply) }
        try StandardOutput.write(document: reply)
        return nil
    }
}

/// A command about the app's user, which may have to ask the user questions.
protocol AccountCommand: DaemonCommand where Options == UserOptions {
    /// The command line's options for pages; nil for a command that opens one only if necessary.
    var ask: AskOptions? { get }
    func perform(in dialogue: AccountDialogue) throws
}

extension AccountCommand {
    var ask: AskOptions? { nil }

    func perform() throws {
        let dialogue = try AccountDialogue(common: common, ask: ask)
        do {
            try perform(in: dialogue)
        } catch PosternError.refused(let refusal) {
            throw dialogue.advice().failure(refusal)
        }
    }
}

/// A command in which a user proves who they are; such commands differ in what follows.
protocol ProvingCommand: AccountCommand {
    static var intent: Intent { get }
    var proof: ProofOptions { get }
}

extension ProvingCommand {
    var ask: AskOptions? { proof.ask }

    func perform(in dialogue: AccountDialogue) throws {
        if proof.provider == "" { throw CommandFailure.emptyProvider }
        // Checked now, so that nobody goes through a page for nothing.
        let before = Self.intent == .signIn ? nil : try dialogue.currentUser()
        if Self.intent != .signIn, before == nil { throw dialogue.nobody }
        let proved = try dialogue.recently { try dialogue.prove(proof.way(app: common.app), Self.intent) }
        if common.json { return try StandardOutput.write(document: proved.reply) }
        try StandardOutput.write(line: PersonText.outcome(of: proved, before: before))
    }

    /// An anonymous user can prove nothing, and cannot be linked to anything.
    func refuseAnonymous() throws {
        guard proof.provider == SignInWay.anonymousID else { return }
        throw ValidationError("that needs a provider, or a password")
    }
}

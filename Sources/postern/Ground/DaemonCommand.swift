import PosternClient
import ProgramOptions

/// A command of `postern`: `perform` does the work; a failure becomes a message on standard error and an exit status.
protocol DaemonCommand: ProgramCommand {
    var common: CommonOptions { get }
    func perform() throws
}

extension DaemonCommand {
    func run() -> Int32 {
        if common.quiet { StandardError.beQuiet() }
        do {
            try perform()
            return CommandStatus.done.rawValue
        } catch {
            let failure = CommandFailure(error).suggesting(at: common.socketPath)
            Report.write(failure, json: common.json)
            return failure.status.rawValue
        }
    }

    var environment: [String: String] { ProcessEnvironment.current }
    var terminal: Terminal { .current }

    /// For a person who sees a part of it; a program that reads the results gets nothing more to read.
    func pointToAccounts() {
        if terminal.showsResults, terminal.showsWords, !common.json {
            StandardError.note("all accounts, and what needs you: postern accounts")
        }
    }

    func connect() throws -> PosternConnection { try PosternConnection(socketPath: common.socketPath) }

    /// Makes one call on its own connection. With `--json` the reply is printed unchanged, and nil returned.
    func call<Parameters: MethodParameters>(_ parameters: Parameters) throws -> Parameters.Reply? {
        let connection = try connect()
        defer { connection.close() }
        return try call(parameters, on: connection)
    }

    /// The same, for a command that makes further calls.
    func call<Parameters: MethodParameters>(_ parameters: Parameters, on connection: PosternConnection) throws -> Parameters.Reply? {
        try common.reply(Parameters.Reply.self, from: connection.call(Parameters.method.name, parameters.object))
    }
}

/// A command with no options but those that most have.
protocol OptionlessCommand: DaemonCommand {
    init(common: CommonOptions)
}

extension OptionlessCommand {
    init(_ line: inout OptionReader) { self.init(common: line.commonOptions()) }
}

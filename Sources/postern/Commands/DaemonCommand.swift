import ArgumentParser
import PosternClient
import StrictJSON

/// A command of `postern`: `perform` does the work; a failure becomes words on standard error and an exit status.
protocol DaemonCommand: ParsableCommand {
    var common: CommonOptions { get }
    func perform() throws
}

extension DaemonCommand {
    func run() throws {
        do {
            try perform()
        } catch {
            let failure = CommandFailure(error)
            Report.write(failure)
            throw ExitCode(failure.status.rawValue)
        }
    }

    var environment: [String: String] { ProcessEnvironment.current }
    var terminal: Terminal { .current(environment: environment) }

    func connect() throws -> PosternConnection { try PosternConnection(socketPath: common.socketPath) }

    /// One call on a connection of its own. With `--json` the reply is printed as it came, and nil returned.
    func call<Parameters: MethodParameters>(_ parameters: Parameters) throws -> Parameters.Reply? {
        let connection = try connect()
        defer { connection.close() }
        let reply = try connection.call(Parameters.method.name, parameters.object)
        guard common.json else { return try PosternConnection.read(Parameters.Reply.self, from: reply) }
        try StandardOutput.write(document: reply)
        return nil
    }
}

import PosternClient
import ProgramOptions

struct WhoAmI: DaemonCommand {
    static let name = "whoami"
    static let abstract = "Show the app's current user."
    static let discussion = """
        Their name and address, their ways to sign in, and their second factors. Ends with status 3 if nobody is signed in.

        EXAMPLES
          postern whoami
          postern whoami --app my-tool --json
        """

    let common: CommonOptions

    init(_ line: inout OptionReader) {
        common = line.userOptions()
    }

    func perform() throws {
        let connection = try connect()
        defer { connection.close() }
        let reply = try connection.call(Interface.GetCurrentUser.method.name, Interface.GetCurrentUser(app: common.app).object)
        guard let user = try PosternConnection.read(Interface.GetCurrentUser.Reply.self, from: reply).user else {
            let command = AccountAdvice(app: common.app).command("sign-in PROVIDER")
            throw CommandFailure("nobody is signed in", status: .signInNeeded, advice: "sign in with: \(command)".plain)
        }
        guard !common.json else { return try StandardOutput.write(document: reply) }
        try StandardOutput.write(lines: UserText.lines(for: user, times: terminal.times, width: Terminal.columns))
    }
}

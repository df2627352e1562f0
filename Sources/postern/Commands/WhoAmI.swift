import ArgumentParser
import PosternClient

struct WhoAmI: DaemonCommand {
    static let configuration = CommandConfiguration(
        commandName: "whoami",
        abstract: "Say who the app's current user is.",
        discussion: """
            Their name and address, what they sign in with, and the second factors. Ends with status 3 where nobody is signed in.

            EXAMPLES
              postern whoami
              postern whoami --app my-tool --json
            """)

    @OptionGroup var common: CommonOptions

    func perform() throws {
        let connection = try connect()
        defer { connection.close() }
        let reply = try connection.call(Interface.GetCurrentUser.method.name, Interface.GetCurrentUser(app: common.app).object)
        if common.json { try StandardOutput.write(document: reply) }
        guard let user = try PosternConnection.read(Interface.GetCurrentUser.Reply.self, from: reply).user else {
            let command = AccountAdvice(app: common.app).command("sign-in PROVIDER")
            throw CommandFailure("nobody is signed in", status: .signInNeeded, advice: "sign in with: \(command)".plain)
        }
        guard !common.json else { return }
        for line in UserText.lines(for: user) { try StandardOutput.write(line: line) }
    }
}

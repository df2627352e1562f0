import ArgumentParser
import PosternClient

struct Cancel: DaemonCommand {
    static let configuration = CommandConfiguration(
        abstract: "End a sign-in for everybody who waits for it.",
        discussion: """
            EXAMPLES
              postern sessions
              postern cancel SESSION
            """)

    @Argument(help: "The sign-in, as postern sessions names it.")
    var session: String

    @OptionGroup var common: CommonOptions

    func perform() throws {
        guard try call(Interface.CancelSession(sessionID: session)) != nil else { return }
        StandardError.write(line: "cancelled")
    }
}

import ArgumentParser
import PosternClient

struct Cancel: DaemonCommand, PlainCommand {
    static let configuration = CommandConfiguration(
        commandName: "cancel",
        abstract: "Cancel a sign-in for all programs that wait for it.",
        discussion: """
            EXAMPLES
              postern sessions
              postern cancel SESSION
            """)

    @Argument(help: "The sign-in, as postern sessions names it.", completion: .sessions)
    var session: String

    @OptionGroup var common: CommonOptions

    mutating func take(from line: inout PlainLine) {
        common = Options(plain: &line)
        session = line.argument()
    }

    func perform() throws {
        guard !session.isEmpty else { throw SessionText.empty }
        guard try call(Interface.CancelSession(sessionID: session)) != nil else { return }
        StandardError.note("cancelled")
    }
}

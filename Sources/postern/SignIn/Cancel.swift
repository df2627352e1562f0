import PosternClient
import ProgramOptions

struct Cancel: DaemonCommand {
    static let name = "cancel"
    static let abstract = "Cancel a sign-in for all programs that wait for it."
    static let discussion = """
        EXAMPLES
          postern sessions
          postern cancel SESSION
        """

    let session: String
    let common: CommonOptions

    init(_ line: inout OptionReader) {
        session = line.argument("session", .names(.sessions), help: "The sign-in, as postern sessions names it.")
        common = line.commonOptions()
    }

    func perform() throws {
        guard !session.isEmpty else { throw SessionText.empty }
        guard try call(Interface.CancelSession(sessionID: session)) != nil else { return }
        StandardError.note("cancelled")
    }
}

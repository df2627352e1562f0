import Glibc
import PosternClient
import ProgramOptions

struct Lock: DaemonCommand {
    static let name = "lock"
    static let abstract = "Make the daemon forget the key of its store."
    static let discussion = """
        Until postern unlock, no token is given out and nobody signs in. Pending sign-ins are kept, and can be resumed.

        EXAMPLES
          postern lock
        """

    let common: CommonOptions

    init(_ line: inout OptionReader) {
        common = CommonOptions(&line)
    }

    func perform() throws {
        guard try call(Interface.Lock()) != nil else { return }
        StandardError.note("locked")
    }
}

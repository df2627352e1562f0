import Glibc
import PosternClient
import ProgramOptions

struct Lock: OptionlessCommand {
    static let name = "lock"
    static let abstract = "Make the daemon forget the key of its store."
    static let discussion = """
        Until postern unlock, no token is given out and nobody signs in. Pending sign-ins are kept, and can be resumed.

        EXAMPLES
          postern lock
        """

    let common: CommonOptions

    func perform() throws {
        guard try call(Interface.Lock()) != nil else { return }
        StandardError.note("locked")
    }
}

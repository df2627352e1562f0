import ArgumentParser
import Glibc
import PosternClient

struct Lock: DaemonCommand, PlainCommand {
    static let configuration = CommandConfiguration(
        commandName: "lock",
        abstract: "Make the daemon forget the key of its store.",
        discussion: """
            Until postern unlock, no token is given out and nobody signs in. Pending sign-ins are kept, and can be resumed.

            EXAMPLES
              postern lock
            """)

    @OptionGroup var common: CommonOptions

    func perform() throws {
        guard try call(Interface.Lock()) != nil else { return }
        StandardError.note("locked")
    }
}

import ArgumentParser
import PosternClient

struct Lock: DaemonCommand {
    static let configuration = CommandConfiguration(
        abstract: "Have the daemon forget the key of its store.",
        discussion: """
            Until postern unlock, no token is given out and nobody signs in. Sign-ins that wait for their person
            wait on, and can be taken up again.

            EXAMPLES
              postern lock
            """)

    @OptionGroup var common: CommonOptions

    func perform() throws {
        guard try call(Interface.Lock()) != nil else { return }
        StandardError.write(line: "locked")
    }
}

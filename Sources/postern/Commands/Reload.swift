import ArgumentParser
import PosternClient

struct ReloadCommand: DaemonCommand {
    static let configuration = CommandConfiguration(
        commandName: "reload",
        abstract: "Have the daemon read its configuration anew.",
        discussion: """
            On an error the old configuration stays in force, and the place of the error is told.

            EXAMPLES
              postern reload
            """)

    @OptionGroup var common: CommonOptions

    func perform() throws {
        guard try call(Interface.Reload()) != nil else { return }
        StandardError.write(line: "the configuration was read anew")
    }
}

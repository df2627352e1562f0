import ArgumentParser
import PosternClient

struct ReloadCommand: DaemonCommand, PlainCommand {
    static let configuration = CommandConfiguration(
        commandName: "reload",
        abstract: "Reload the configuration.",
        discussion: """
            On an error the old configuration stays in force, and the error names the file and line.

            EXAMPLES
              postern reload
            """)

    @OptionGroup var common: CommonOptions

    func perform() throws {
        guard try call(Interface.Reload()) != nil else { return }
        StandardError.note("the configuration was reloaded")
    }
}

import PosternClient
import ProgramOptions

struct ReloadCommand: OptionlessCommand {
    static let name = "reload"
    static let abstract = "Reload the configuration."
    static let discussion = """
        On an error the old configuration stays in force, and the error names the file and line.

        EXAMPLES
          postern reload
        """

    let common: CommonOptions

    func perform() throws {
        guard try call(Interface.Reload()) != nil else { return }
        StandardError.note("the configuration was reloaded")
    }
}

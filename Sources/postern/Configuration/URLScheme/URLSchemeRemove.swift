import PosternClient
import ProgramOptions

struct URLSchemeRemove: DaemonCommand {
    static let name = "remove"
    static let abstract = "Stop opening a scheme with Postern."
    static let discussion = """
        Removes the desktop file. A line in mimeapps.list that still names it does nothing.

        EXAMPLES
          postern url-scheme remove com.example.app
        """

    let scheme: String
    let common: CommonOptions

    init(_ line: inout OptionReader) {
        scheme = line.argument("scheme", help: "The scheme, as postern url-scheme list names it.")
        common = line.commonOptions()
    }

    func perform() throws {
        let scheme = try URLScheme(self.scheme)
        let directory = try ApplicationsDirectory(environment: environment)
        guard try directory.remove(scheme) else {
            throw CommandFailure("\(scheme.name) is not registered here", advice: "postern url-scheme list shows those that are")
        }
        DesktopTool(environment: environment).updateCache(of: directory)
        if common.json { return try StandardOutput.write(document: ["scheme": .string(scheme.name)]) }
        StandardError.note("\(scheme.name): is no longer opened by Postern")
    }
}

import ArgumentParser

struct URLSchemeRemove: DaemonCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove",
        abstract: "Take a scheme away from Postern again.",
        discussion: """
            Removes the desktop file. A line in mimeapps.list that still names it does nothing.

            EXAMPLES
              postern url-scheme remove com.example.app
            """)

    @Argument(help: "The scheme, as postern url-scheme list names it.")
    var scheme: String

    @OptionGroup var common: CommonOptions

    func perform() throws {
        let scheme = try URLScheme(self.scheme)
        let directory = try ApplicationsDirectory(environment: environment)
        guard try directory.remove(scheme) else {
            throw CommandFailure("\(scheme.name) is not registered here", advice: "postern url-scheme list shows those that are")
        }
        DesktopTool(environment: environment).updateCache(of: directory)
        if common.json { return try StandardOutput.write(document: ["scheme": .string(scheme.name)]) }
        StandardError.write(line: "\(scheme.name): is no longer handed to postern")
    }
}

import ArgumentParser
import PosternClient

struct URLSchemeRemove: DaemonCommand, PlainCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove",
        abstract: "Stop opening a scheme with Postern.",
        discussion: """
            Removes the desktop file. A line in mimeapps.list that still names it does nothing.

            EXAMPLES
              postern url-scheme remove com.example.app
            """)

    @Argument(help: "The scheme, as postern url-scheme list names it.")
    var scheme: String

    @OptionGroup var common: CommonOptions

    mutating func take(from line: inout PlainLine) {
        common = Options(plain: &line)
        scheme = line.argument()
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

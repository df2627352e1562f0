import ArgumentParser
import PosternClient

struct ProviderShow: DaemonCommand, PlainCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Show what to register at a provider, and where its ID and secret go.",
        discussion: """
            EXAMPLES
              postern provider show github.com
              postern provider show github.com --json | jq -r .redirectURI
            """)

    @Argument(help: "The provider, as postern provider list names it.", completion: .providers)
    var provider: String

    @OptionGroup var common: CommonOptions

    mutating func take(from line: inout PlainLine) {
        common = Options(plain: &line)
        provider = line.argument()
    }

    func perform() throws {
        let connection = try connect()
        defer { connection.close() }
        let shown = try self.provider(named: provider, among: connection.call(Interface.ListProviders()).providers)
        if common.json { return try StandardOutput.write(document: shown.object) }
        let lines = ProviderText.lines(for: shown, directory: ConfigurationPlace.shown(in: environment), width: Terminal.columns)
        try StandardOutput.write(lines: lines)
    }
}

import PosternClient
import ProgramOptions

struct ProviderShow: DaemonCommand {
    static let name = "show"
    static let abstract = "Show what to register at a provider, and where its ID and secret go."
    static let discussion = """
        EXAMPLES
          postern provider show github.com
          postern provider show github.com --json | jq -r .redirectURI
        """

    let provider: String
    let common: CommonOptions

    init(_ line: inout OptionReader) {
        provider = line.argument("provider", .names(.providers), help: "The provider, as postern provider list names it.")
        common = line.commonOptions()
    }

    func perform() throws {
        let shown = try self.provider(named: provider)
        if common.json { return try StandardOutput.write(document: shown.object) }
        let lines = ProviderText.lines(for: shown, directory: ConfigurationPlace.shown(in: environment), width: Terminal.columns)
        try StandardOutput.write(lines: lines)
    }
}

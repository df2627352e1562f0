import PosternClient
import ProgramOptions

struct ProviderList: OptionlessCommand {
    static let name = "list"
    static let abstract = "List the providers that the daemon knows."
    static let discussion = """
        EXAMPLES
          postern provider list
          postern provider list --json |
              jq -r '.providers[] | select(.configured) | .providerID'
        """

    let common: CommonOptions

    func perform() throws {
        guard let reply = try call(Interface.ListProviders()) else { return }
        guard !reply.providers.isEmpty else { return StandardError.note("no provider is configured") }
        var table = Table()
        table.add("PROVIDER", "NAME", "KIND", "READY", "SCOPES")
        for provider in reply.providers {
            table.add(
                provider.providerID, provider.displayName, provider.kind.rawValue, provider.configured ? "yes" : "no",
                provider.scopes.joined(separator: " "))
        }
        try StandardOutput.write(lines: table.listing(within: Terminal.columns))
    }
}

import ArgumentParser

struct URLSchemeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "url-scheme",
        abstract: "Let answers come back by a URL scheme of an application.",
        discussion: """
            For providers that take no loopback address, or redirect to a registered application. The provider's redirect-uri in the \
            configuration has to begin with the same scheme.

            EXAMPLES
              postern url-scheme register com.example.app --provider work
              postern url-scheme list
              postern url-scheme remove com.example.app
            """,
        subcommands: [URLSchemeRegister.self, URLSchemeRemove.self, URLSchemeList.self])
}

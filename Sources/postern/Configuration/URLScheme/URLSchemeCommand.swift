import ArgumentParser
import PosternClient

struct URLSchemeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "url-scheme",
        abstract: "Receive answers by an application's URL scheme.",
        discussion: """
            For providers that do not accept a loopback address, or that redirect to a registered application. The provider's redirect-uri \
            in the configuration must begin with the same scheme.

            EXAMPLES
              postern url-scheme register com.example.app --provider work
              postern url-scheme list
              postern url-scheme remove com.example.app
            """,
        subcommands: [URLSchemeRegister.self, URLSchemeRemove.self, URLSchemeList.self])
}

import PosternClient
import ProgramOptions

enum URLSchemeCommand: CommandWord {
    static let name = "url-scheme"
    static let abstract = "Receive answers by an application's URL scheme."
    static let discussion = """
        For providers that do not accept a loopback address, or that redirect to a registered application. The provider's redirect-uri \
        in the configuration must begin with the same scheme.

        EXAMPLES
          postern url-scheme register com.example.app --provider work
          postern url-scheme list
          postern url-scheme remove com.example.app
        """
    static let sections = [CommandSection([URLSchemeRegister.self, URLSchemeRemove.self, URLSchemeList.self])]
}

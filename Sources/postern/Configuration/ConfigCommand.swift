import PosternClient
import ProgramOptions

enum ConfigCommand: CommandWord {
    static let name = "config"
    static let abstract = "Show and change the configuration."
    static let discussion = """
        A key is written as in the file: callback.port, or provider."github.com".client-id, whose quotes may be left out. A change keeps comments and order, is checked before it is written, and takes effect at once or when the command says.

        EXAMPLES
          postern config show
          postern config set sign-in.timeout 5m
          postern config get provider.github.com.client-id
          postern config unset sign-in.timeout
          postern config edit
        """
    static let sections = [
        CommandSection([ConfigPath.self, ConfigShow.self, ConfigGet.self, ConfigSet.self, ConfigUnset.self, ConfigEdit.self])
    ]
}

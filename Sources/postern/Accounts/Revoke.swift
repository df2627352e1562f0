import PosternClient
import ProgramOptions

struct Revoke: DaemonCommand {
    static let name = "revoke"
    static let abstract = "Revoke an account's tokens at the provider, if possible, and forget the account here."
    static let discussion = """
        It does what postern sign-out does with an account: it says who has the account, too, and asks on a terminal.

        The browser may still be signed in at the provider. With --end-session an OpenID provider's sign-out page opens as well; \
        end-session = true in the provider's section of the configuration does so every time.

        EXAMPLES
          postern revoke github.com
          postern revoke work --end-session
          postern revoke work --account ada@example.com
        """

    let account: String
    let options: RemovalOptions
    let common: CommonOptions

    init(_ line: inout OptionReader) {
        account = line.argument(
            "account", .names(.keptAccounts), help: "The account: its name in the configuration, its address, or its provider.")
        options = RemovalOptions(&line)
        common = line.commonOptions()
    }

    func validate() throws(UsageError) { try options.validate() }

    func perform() throws {
        try AccountRemoval(word: account, options: options, dialogue: AccountDialogue(common: common)).run()
    }
}

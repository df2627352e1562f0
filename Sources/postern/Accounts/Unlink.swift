import PosternClient
import ProgramOptions

struct Unlink: AccountCommand {
    static let name = "unlink"
    static let abstract = "Remove a way to sign in from the current user."
    static let discussion = """
        The last one stays: without it nobody could sign in as this user again. The app gives up \
        its tokens; if you keep the account for your programs, too, they stay, and postern sign-out ends them.

        EXAMPLES
          postern unlink github.com
          postern unlink password --app my-tool
        """

    let provider: String
    let common: CommonOptions

    init(_ line: inout OptionReader) {
        provider = line.argument("provider", .names(.linkedWays), help: "The provider, as postern whoami names it; or password.")
        common = line.userOptions()
    }

    func perform(in dialogue: AccountDialogue) throws {
        guard !provider.isEmpty else {
            throw CommandFailure.empty("the provider's name", advice: "postern whoami shows the linked providers")
        }
        guard let user = try dialogue.reply(to: Interface.UnlinkProvider(providerID: provider, app: common.app))?.user else { return }
        let left = user.providerData.map { dialogue.name(ofProvider: $0.providerID) }.joined(separator: ", ")
        try StandardOutput.write(
            line: "\(dialogue.name(ofProvider: provider)) is unlinked from \(PersonText.name(of: user))\(common.inApp)".plain
                + (left.isEmpty ? "" : "; left: \(left)"))
    }
}

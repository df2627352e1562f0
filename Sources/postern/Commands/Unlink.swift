import ArgumentParser
import PosternClient

struct Unlink: AccountCommand {
    static let configuration = CommandConfiguration(
        abstract: "Take a way to sign in off the current user.",
        discussion: """
            The last one stays: without it nobody could sign in as this user again. What the provider gave is kept; postern revoke \
            takes it back.

            EXAMPLES
              postern unlink github.com
              postern unlink password --app my-tool
            """)

    @Argument(help: "The provider, as postern whoami names it; or password.")
    var provider: String

    @OptionGroup var common: CommonOptions

    func perform(in dialogue: AccountDialogue) throws {
        let reply = try dialogue.recently { try dialogue.raw(Interface.UnlinkProvider(providerID: provider, app: common.app)) }
        if common.json { return try StandardOutput.write(document: reply) }
        let user = try PosternConnection.read(Interface.UnlinkProvider.Reply.self, from: reply).user
        let left = user.providerData.map { dialogue.name(ofProvider: $0.providerID) }.joined(separator: ", ")
        try StandardOutput.write(
            line: "\(dialogue.name(ofProvider: provider)) is unlinked from \(PersonText.name(of: user))".plain
                + (left.isEmpty ? "" : "; left: \(left)"))
    }
}

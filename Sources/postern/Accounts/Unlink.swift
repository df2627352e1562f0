import PosternClient
import ProgramOptions

struct Unlink: AccountCommand {
    static let name = "unlink"
    static let abstract = "Remove a way to sign in from the current user."
    static let discussion = """
        The last one stays: without it nobody could sign in as this user again. The credential is kept; postern revoke revokes it.

        EXAMPLES
          postern unlink github.com
          postern unlink password --app my-tool
        """

    let provider: String
    let common: UserOptions

    init(_ line: inout OptionReader) {
        provider = line.argument("provider", .linkedWays, help: "The provider, as postern whoami names it; or password.")
        common = UserOptions(&line)
    }

    func perform(in dialogue: AccountDialogue) throws {
        guard !provider.isEmpty else {
            throw CommandFailure.empty("the provider's name", advice: "postern whoami shows the linked providers")
        }
        let reply = try dialogue.recently { try dialogue.raw(Interface.UnlinkProvider(providerID: provider, app: common.app)) }
        if common.json { return try StandardOutput.write(document: reply) }
        let user = try PosternConnection.read(Interface.UnlinkProvider.Reply.self, from: reply).user
        let left = user.providerData.map { dialogue.name(ofProvider: $0.providerID) }.joined(separator: ", ")
        try StandardOutput.write(
            line: "\(dialogue.name(ofProvider: provider)) is unlinked from \(PersonText.name(of: user))".plain
                + (left.isEmpty ? "" : "; left: \(left)"))
    }
}

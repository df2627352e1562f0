import PosternClient
import ProgramOptions

struct DeleteUser: AccountCommand {
    static let name = "delete-user"
    static let abstract = "Delete the current user and everything stored about them."
    static let discussion = """
        Also revokes the user's credentials at the providers, if possible, and says so; accounts that you keep for your programs stay. \
        It needs a sign-in within the last five \
        minutes; on a terminal it offers one, and asks for the user's address first.

        EXAMPLES
          postern delete-user
          postern delete-user --app my-tool --yes
        """

    let yes: Bool
    let common: CommonOptions

    init(_ line: inout OptionReader) {
        yes = line.flag("yes", help: "Do not ask.")
        common = line.userOptions()
    }

    func perform(in dialogue: AccountDialogue) throws {
        guard let user = try dialogue.currentUser() else { throw dialogue.nobody }
        if !yes { try confirm(user, dialogue) }
        let watch = try DeletionWatch(of: user, socketPath: common.socketPath)
        defer { watch.stop() }
        guard try dialogue.reply(to: Interface.DeleteUser(app: common.app)) != nil else { return }
        try StandardOutput.write(line: "deleted: \(PersonText.name(of: user))\(common.inApp)")
        watch.tell { StandardError.write(line: $0) }
    }

    private func confirm(_ user: User, _ dialogue: AccountDialogue) throws {
        guard let prompt = dialogue.prompt else {
            throw CommandFailure.noTerminal(
                to: "confirm the deletion of \(PersonText.name(of: user))",
                advice: "to delete without asking: \(dialogue.advice().command("delete-user --yes"))".plain)
        }
        let word = user.email ?? user.uid
        let providers = user.providerData.map { dialogue.name(ofProvider: $0.providerID) }.joined(separator: ", ")
        prompt.say(
            "This deletes \(PersonText.name(of: user)), user \(user.uid.plain)\(common.inApp)"
                + (providers.isEmpty ? "." : ", who signs in with \(providers)."),
            "All apps are signed out, and this cannot be undone.")
        guard try prompt.line("Type \(word.plain) to delete it:").lowercased() == word.lowercased() else {
            throw AccountDialogue.declined
        }
    }
}

import ArgumentParser
import PosternClient

struct DeleteUser: AccountCommand {
    static let configuration = CommandConfiguration(
        commandName: "delete-user",
        abstract: "Delete the current user, with all that is kept of them.",
        discussion: """
            Takes what the providers gave back there, where it can, and says so. It wants a sign-in of the last five minutes; on a \
            terminal it offers one, and asks for the user's address first.

            EXAMPLES
              postern delete-user
              postern delete-user --app my-tool --yes
            """)

    @Flag(help: "Do not ask.")
    var yes = false

    @OptionGroup var common: UserOptions

    func perform(in dialogue: AccountDialogue) throws {
        guard let user = try dialogue.currentUser() else { throw dialogue.nobody }
        if !yes { try confirm(user, dialogue) }
        let watch = try DeletionWatch(of: user, socketPath: common.socketPath)
        defer { watch.stop() }
        let reply = try dialogue.recently { try dialogue.raw(Interface.DeleteUser(app: common.app)) }
        if common.json { return try StandardOutput.write(document: reply) }
        try StandardOutput.write(line: "deleted: \(PersonText.name(of: user))")
        watch.tell { StandardError.write(line: $0) }
    }

    private func confirm(_ user: User, _ dialogue: AccountDialogue) throws {
        guard let prompt = dialogue.prompt else {
            throw CommandFailure(
                "nobody can be asked whether \(PersonText.name(of: user)) is to be deleted",
                advice: "to have it done without asking: \(dialogue.advice().command("delete-user --yes"))".plain)
        }
        let word = user.email ?? user.uid
        let providers = user.providerData.map { dialogue.name(ofProvider: $0.providerID) }.joined(separator: ", ")
        prompt.say(
            "This deletes \(PersonText.name(of: user)), user \(user.uid.plain)"
                + (providers.isEmpty ? "." : ", who signs in with \(providers)."),
            "All apps are signed out, and nothing of it can be brought back.")
        guard try prompt.line("Type \(word.plain) to delete it:").lowercased() == word.lowercased() else {
            throw AccountDialogue.declined
        }
    }
}

import ArgumentParser
import PosternClient

struct SecondFactorRemove: AccountCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove",
        abstract: "Take a second factor off the current user.",
        discussion: """
            EXAMPLES
              postern second-factor list
              postern second-factor remove UID
            """)

    @Argument(help: "The factor, as postern second-factor list names it.")
    var uid: String

    @OptionGroup var common: CommonOptions

    func perform(in dialogue: AccountDialogue) throws {
        let reply = try dialogue.recently { try dialogue.raw(Interface.RemoveSecondFactor(uid: uid, app: common.app)) }
        if common.json { return try StandardOutput.write(document: reply) }
        let left = try PosternConnection.read(Interface.RemoveSecondFactor.Reply.self, from: reply).user.secondFactors.count
        try StandardOutput.write(line: "removed; " + (left == 0 ? "signing in asks for no code any more" : "\(left) left"))
    }
}

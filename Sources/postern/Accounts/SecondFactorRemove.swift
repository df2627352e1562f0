import PosternClient
import ProgramOptions

struct SecondFactorRemove: AccountCommand {
    static let name = "remove"
    static let abstract = "Remove a second factor from the current user."
    static let discussion = """
        EXAMPLES
          postern second-factor list
          postern second-factor remove UID
        """

    let uid: String
    let common: UserOptions

    init(_ line: inout OptionReader) {
        uid = line.argument("uid", .secondFactors, help: "The factor, as postern second-factor list names it.")
        common = UserOptions(&line)
    }

    func perform(in dialogue: AccountDialogue) throws {
        guard !uid.isEmpty else { throw CommandFailure.empty("the factor's UID", advice: "postern second-factor list shows them") }
        let reply = try dialogue.recently { try dialogue.raw(Interface.RemoveSecondFactor(uid: uid, app: common.app)) }
        if common.json { return try StandardOutput.write(document: reply) }
        let left = try PosternConnection.read(Interface.RemoveSecondFactor.Reply.self, from: reply).user.secondFactors.count
        try StandardOutput.write(line: "removed; " + (left == 0 ? "signing in no longer asks for a code" : "\(left) left"))
    }
}

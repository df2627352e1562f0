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
    let common: CommonOptions

    init(_ line: inout OptionReader) {
        uid = line.argument("uid", .names(.secondFactors), help: "The factor, as postern second-factor list names it.")
        common = line.userOptions()
    }

    func perform(in dialogue: AccountDialogue) throws {
        guard !uid.isEmpty else { throw CommandFailure.empty("the factor's UID", advice: "postern second-factor list shows them") }
        guard let user = try dialogue.reply(to: Interface.RemoveSecondFactor(uid: uid, app: common.app))?.user else { return }
        let left = user.secondFactors.count
        try StandardOutput.write(line: "removed\(common.inApp); " + (left == 0 ? "signing in no longer asks for a code" : "\(left) left"))
    }
}

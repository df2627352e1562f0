import PosternClient
import ProgramOptions

struct CreateUser: AccountCommand {
    static let name = "create-user"
    static let abstract = "Make a user with an address and a password, and sign in as them."
    static let discussion = """
        On a terminal the password is typed twice, and not shown; elsewhere it is one line of standard input.

        EXAMPLES
          postern create-user ada@example.com --name 'Ada Lovelace'
          pass show ada | postern create-user ada@example.com
        """

    let email: String
    let name: String?
    let common: CommonOptions

    init(_ line: inout OptionReader) {
        email = line.argument("email", help: "The address to sign in with.")
        name = line.option("name", named: "name", help: "The user's name.")
        common = line.userOptions()
    }

    func perform(in dialogue: AccountDialogue) throws {
        guard !email.isEmpty else { throw CommandFailure.empty("the address", advice: "give one to sign in with, such as ada@example.com") }
        let reply = try dialogue.withNewPassword(for: email) { password in
            try dialogue.raw(Interface.CreateUser(email: email, password: password, displayName: name, app: common.app))
        }
        guard let user = try common.reply(Interface.CreateUser.Reply.self, from: reply)?.result.user else { return }
        try StandardOutput.write(line: "created, and signed in as, \(PersonText.name(of: user))\(common.inApp)")
    }
}

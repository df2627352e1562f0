import PosternClient
import ProgramOptions
import StrictJSON

struct UpdateUser: AccountCommand {
    static let name = "update-user"
    static let abstract = "Change the current user's name, photo, address or password."
    static let discussion = """
        Only what you name changes. An empty name or photo is removed. A new address or password needs a sign-in within the last five \
        minutes; on a terminal it offers one. The password is asked for, or is one line of standard input.

        EXAMPLES
          postern update-user --name 'Ada King'
          postern update-user --email ada@example.org
          postern update-user --password
          pass show ada | postern update-user --password
        """

    let name: String?
    let photo: String?
    let email: String?
    let password: Bool
    let common: CommonOptions

    init(_ line: inout OptionReader) {
        name = line.option("name", named: "name", help: "The user's name.")
        photo = line.option("photo", named: "url", help: "The URL of the user's picture.")
        email = line.option("email", named: "address", help: "The user's address.")
        password = line.flag("password", help: "Ask for a new password.")
        common = line.userOptions()
    }

    func validate() throws(UsageError) {
        if name == nil, photo == nil, email == nil, !password {
            throw UsageError("what should change? --name, --photo, --email or --password")
        }
    }

    func perform(in dialogue: AccountDialogue) throws {
        var parameters = Interface.UpdateUser(app: common.app, displayName: name, photoURL: photo, email: email)
        let reply: JSONObject
        if password {
            guard let user = try dialogue.currentUser() else { throw dialogue.nobody }
            reply = try dialogue.withNewPassword(for: email ?? user.email ?? PersonText.name(of: user)) { password in
                parameters.password = password
                return try dialogue.recently { try dialogue.raw(parameters) }
            }
        } else {
            reply = try dialogue.recently { try dialogue.raw(parameters) }
        }
        guard let user = try common.reply(Interface.UpdateUser.Reply.self, from: reply)?.user else { return }
        try StandardOutput.write(line: "changed: \(PersonText.name(of: user))\(common.inApp)")
    }
}

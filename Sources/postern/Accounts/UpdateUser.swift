import ArgumentParser
import PosternClient
import StrictJSON

struct UpdateUser: AccountCommand, PlainCommand {
    static let configuration = CommandConfiguration(
        commandName: "update-user",
        abstract: "Change the current user's name, photo, address or password.",
        discussion: """
            Only what you name changes. An empty name or photo is removed. A new address or password needs a sign-in within the last five \
            minutes; on a terminal it offers one. The password is asked for, or is one line of standard input.

            EXAMPLES
              postern update-user --name 'Ada King'
              postern update-user --email ada@example.org
              postern update-user --password
              pass show ada | postern update-user --password
            """)

    @Option(help: ArgumentHelp("The user's name.", valueName: "name"))
    var name: String?

    @Option(help: ArgumentHelp("The URL of the user's picture.", valueName: "url"))
    var photo: String?

    @Option(help: ArgumentHelp("The user's address.", valueName: "address"))
    var email: String?

    @Flag(help: "Ask for a new password.")
    var password = false

    @OptionGroup var common: UserOptions

    mutating func take(from line: inout PlainLine) {
        name = line.option("--name")
        photo = line.option("--photo")
        email = line.option("--email")
        password = line.flag("--password")
        common = Options(plain: &line)
    }

    mutating func validate() throws {
        if name == nil, photo == nil, email == nil, !password {
            throw ValidationError("what should change? --name, --photo, --email or --password")
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
        if common.json { return try StandardOutput.write(document: reply) }
        let user = try PosternConnection.read(Interface.UpdateUser.Reply.self, from: reply).user
        try StandardOutput.write(line: "changed: \(PersonText.name(of: user))")
    }
}

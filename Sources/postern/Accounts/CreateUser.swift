import ArgumentParser
import PosternClient

struct CreateUser: AccountCommand, PlainCommand {
    static let configuration = CommandConfiguration(
        commandName: "create-user",
        abstract: "Make a user with an address and a password, and sign in as them.",
        discussion: """
            On a terminal the password is typed twice, and not shown; elsewhere it is one line of standard input.

            EXAMPLES
              postern create-user ada@example.com --name 'Ada Lovelace'
              pass show ada | postern create-user ada@example.com
            """)

    @Argument(help: "The address to sign in with.")
    var email: String

    @Option(help: ArgumentHelp("The user's name.", valueName: "name"))
    var name: String?

    @OptionGroup var common: UserOptions

    mutating func take(from line: inout PlainLine) {
        name = line.option("--name")
        common = Options(plain: &line)
        email = line.argument()
    }

    func perform(in dialogue: AccountDialogue) throws {
        guard !email.isEmpty else { throw CommandFailure.empty("the address", advice: "give one to sign in with, such as ada@example.com") }
        let reply = try dialogue.withNewPassword(for: email) { password in
            try dialogue.raw(Interface.CreateUser(email: email, password: password, displayName: name, app: common.app))
        }
        if common.json { return try StandardOutput.write(document: reply) }
        let user = try PosternConnection.read(Interface.CreateUser.Reply.self, from: reply).result.user
        try StandardOutput.write(line: "created, and signed in as, \(PersonText.name(of: user))")
    }
}

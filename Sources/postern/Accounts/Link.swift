import ArgumentParser
import PosternClient

struct Link: ProvingCommand, PlainCommand {
    static let intent = Intent.link
    static let configuration = CommandConfiguration(
        commandName: "link",
        abstract: "Add another way to sign in to the current user.",
        discussion: """
            Signs in through the provider as postern sign-in does, with the same options, and adds the account to the current user. With \
            password it adds an address and a password, which is asked for twice. An anonymous user becomes a permanent one, and keeps its \
            uid.

            If the account already belongs to another user, it offers on a terminal to sign in as that one.

            EXAMPLES
              postern link github.com
              postern link work --app my-tool --no-browser
              postern link password --email ada@example.com
            """)

    @OptionGroup var proof: ProofOptions
    @OptionGroup var common: UserOptions

    mutating func take(from line: inout PlainLine) {
        common = Options(plain: &line)
        proof = ProofOptions(plain: &line)
    }

    mutating func validate() throws { try refuseAnonymous() }
}

struct Unlink: AccountCommand, PlainCommand {
    static let configuration = CommandConfiguration(
        commandName: "unlink",
        abstract: "Remove a way to sign in from the current user.",
        discussion: """
            The last one stays: without it nobody could sign in as this user again. The credential is kept; postern revoke revokes it.

            EXAMPLES
              postern unlink github.com
              postern unlink password --app my-tool
            """)

    @Argument(help: "The provider, as postern whoami names it; or password.", completion: .linkedWays)
    var provider: String

    @OptionGroup var common: UserOptions

    mutating func take(from line: inout PlainLine) {
        common = Options(plain: &line)
        provider = line.argument()
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

struct Reauthenticate: ProvingCommand, PlainCommand {
    static let intent = Intent.reauthenticate
    static let configuration = CommandConfiguration(
        commandName: "reauthenticate",
        abstract: "Prove once more who the current user is.",
        discussion: """
            Deleting the user, a new address or password, and second factors need a sign-in within the last five minutes. It takes the \
            options of postern sign-in, and fails if a different person comes back from the provider. With password the address defaults \
            to the user's own.

            EXAMPLES
              postern reauthenticate github.com
              postern reauthenticate password
            """)

    @OptionGroup var proof: ProofOptions
    @OptionGroup var common: UserOptions

    mutating func take(from line: inout PlainLine) {
        common = Options(plain: &line)
        proof = ProofOptions(plain: &line)
    }

    mutating func validate() throws { try refuseAnonymous() }
}

import ArgumentParser
import PosternClient

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

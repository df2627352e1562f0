import ArgumentParser
import PosternClient

struct Reauthenticate: ProvingCommand {
    static let intent = Intent.reauthenticate
    static let configuration = CommandConfiguration(
        abstract: "Prove once more who the current user is.",
        discussion: """
            Deleting the user, a new address or password, and second factors want a sign-in of the last five minutes. It takes the \
            options of postern sign-in, and fails where somebody else comes back from the provider. With password the address is the \
            user's own where none is given.

            EXAMPLES
              postern reauthenticate github.com
              postern reauthenticate password
            """)

    @OptionGroup var proof: ProofOptions
    @OptionGroup var common: CommonOptions

    mutating func validate() throws { try refuseAnonymous() }
}

import PosternClient
import ProgramOptions

struct Reauthenticate: ProvingCommand {
    static let intent = Intent.reauthenticate
    static let name = "reauthenticate"
    static let abstract = "Confirm once more who the current user is."
    static let discussion = """
        Deleting the user, a new address or password, and second factors need a sign-in within the last five minutes. It takes the \
        options of postern sign-in, and fails if the account is not the current user's. With password the address defaults \
        to the user's own.

        EXAMPLES
          postern reauthenticate github.com
          postern reauthenticate password
        """

    let proof: ProofOptions
    let common: CommonOptions
}

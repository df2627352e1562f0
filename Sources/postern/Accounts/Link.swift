import PosternClient
import ProgramOptions

struct Link: ProvingCommand {
    static let intent = Intent.link
    static let name = "link"
    static let abstract = "Add another way to sign in to the current user."
    static let discussion = """
        Signs in through the provider as postern sign-in does, with the same options, and adds the account to the current user. With \
        password it adds an address and a password, which is asked for twice. An anonymous user becomes a permanent one, and keeps its \
        uid.

        If the account already belongs to another user, it offers on a terminal to sign in as that one.

        EXAMPLES
          postern link github.com
          postern link work --app my-tool --no-browser
          postern link password --email ada@example.com
        """

    let proof: ProofOptions
    let common: CommonOptions
}

import ArgumentParser
import PosternClient

struct Link: ProvingCommand {
    static let intent = Intent.link
    static let configuration = CommandConfiguration(
        abstract: "Add another way to sign in to the current user.",
        discussion: """
            Signs in through the provider as postern sign-in does, with the same options, and adds the account to whoever is signed \
            in. With password it adds an address and a password, which is asked for twice. An anonymous user becomes a lasting one, \
            and keeps its uid.

            Where the account belongs to another user already, it offers on a terminal to sign in as that one.

            EXAMPLES
              postern link github.com
              postern link work --app my-tool --no-browser
              postern link password --email ada@example.com
            """)

    @OptionGroup var proof: ProofOptions
    @OptionGroup var common: CommonOptions

    mutating func validate() throws { try refuseAnonymous() }
}

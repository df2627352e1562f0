import ArgumentParser
import PosternInterface

struct Revoke: DaemonCommand {
    static let configuration = CommandConfiguration(
        abstract: "Take a credential back at the provider, where it can, and forget it here.",
        discussion: """
            With end-session = true in its section of the configuration, an OpenID provider's page that ends the session in the \
            browser opens as well.

            EXAMPLES
              postern revoke github.com
              postern revoke work --account 583231
            """)

    @Argument(help: "The provider, as postern credentials names it.")
    var provider: String

    @Option(help: ArgumentHelp("Which account, where there are several at the provider.", valueName: "uid"))
    var account: String?

    @OptionGroup var common: CommonOptions

    func perform() throws {
        guard let reply = try call(RevokeCredentialParameters(providerID: provider, uid: account)) else { return }
        StandardError.write(
            line: reply.revokedAtProvider
                ? "revoked at \(provider.plain), and forgotten here"
                : "forgotten here; \(provider.plain) has no way to revoke it, or did not: its account settings do")
    }
}

import PosternClient
import ProgramOptions

struct Revoke: DaemonCommand {
    static let name = "revoke"
    static let abstract = "Revoke a credential at the provider, if possible, and forget it here."
    static let discussion = """
        The browser may still be signed in at the provider. With --end-session an OpenID provider's sign-out page opens as well; \
        end-session = true in the provider's section of the configuration does so every time.

        EXAMPLES
          postern revoke github.com
          postern revoke work --end-session
          postern revoke work --account 583231
        """

    let provider: String
    let account: String?
    let endSession: Bool
    let common: CommonOptions

    init(_ line: inout OptionReader) {
        provider = line.argument(
            "provider", .names(.tokenOwners),
            help: "The provider, as postern credentials names it, or the name of an account in the configuration."
        )
        account = line.option(
            "account", .names(.accounts), named: "account",
            help: "Which account, if there are several: its identifier, address or user name.",
            ifEmpty: AccountNaming.emptyOption)
        endSession = line.flag("end-session", help: "Also open the provider's sign-out page in the browser.")
        common = line.commonOptions()
    }

    func perform() throws {
        let watch = try endSession ? EndSessionWatch(socketPath: common.socketPath) : nil
        do {
            if let reply = try call(Interface.RevokeCredential(providerID: provider, account: account)) {
                StandardError.note(RevocationText.outcome(of: reply, at: provider).plain)
            }
        } catch let error as PosternError {
            throw CommandFailure(error).offeringAccounts()
        }
        if var watch { show(watch.finding(at: provider)) }
    }

    private func show(_ finding: EndSessionWatch.Finding) {
        switch finding {
        case .none: StandardError.note("\(provider.plain) has no sign-out page; sign out there yourself")
        case .opened: StandardError.note("the sign-out page of \(provider.plain) is open in your browser")
        case .opening: StandardError.note("the sign-out page of \(provider.plain) is being opened in your browser")
        case .offered(let address):
            StandardError.write(line: "to sign out at \(provider.plain), open this page in the browser that you signed in with:")
            StandardError.write(line: "  " + terminal.link(address))
            guard TerminalLocation.current.canOpenBrowser else { return }
            BrowserLaunch(["xdg-open"]).show(address)
        }
    }
}

enum RevocationText {
    static func outcome(of reply: Interface.RevokeCredential.Reply, at provider: String) -> String {
        if reply.revokedAtProvider { return "revoked at \(provider), and forgotten here" }
        let settings = "remove the access in your account settings there"
        guard let reason = reply.reason else { return "forgotten here; \(provider) has no way to revoke it: \(settings)" }
        return "forgotten here, but not revoked at \(provider): \(reason); \(settings)"
    }
}

import PosternClient
import PosternConfiguration

import struct PosternCore.ProviderRegistration

/// What a user does at the provider.
extension SetupDialogue {
    /// Warns of an address that another program has if the provider permits no other, before anybody registers it.
    func warn(of target: SetupTarget, _ text: ConfigurationText) {
        guard let redirectURI = target.provider?.redirectURI, let address = WebAddress(redirectURI), address.isLoopback,
            let configured = try? text.configuration().provider(target.id)?.provider, !configured.takesAnyLoopbackPort,
            let problems = try? call(Interface.GetStatus()).problems
        else { return }
        let authorities = address.host == "localhost" ? ["127.0.0.1", "[::1]"].map { "\($0):\(address.port)" } : [address.authority]
        for problem in problems where authorities.contains(where: { problem.begins(with: $0 + " ") }) {
            say(
                "\(problem.parts(separator: ";").first ?? "")".plain,
                "\(target.displayName) sends browsers to no other port, so nobody can sign in there before it is free.".plain,
                "  \(CallbackCheck.fix(taken: address, Remedies(hasSystemd: SystemdUnits(environment: environment).isThere)))".plain)
        }
    }

    /// Says what to register, and opens the page for it.
    func register(_ target: SetupTarget, scopes: [String], _ text: ConfigurationText) throws {
        let host = try text.entries(at: ["provider", target.id, "host"]).first?.text
        let redirectURI = try target.provider.map(\.redirectURI) ?? call(Interface.GetStatus()).callbackURLs.first
        let directory = ReplacedFile.directory(of: text.mainFile)
        let registration = ProviderRegistration.of(
            target.id, target.kind, directory: directory, host: host, redirectURI: redirectURI)
        let page = registration?.page
        say("", "Register Postern at \(target.displayName)\(page?.isFilledIn == true ? "; what it asks for is filled in:" : ":")")
        if let page { say("  " + account.terminal.link(page.url)) }
        if let redirectURI {
            let isCopied = Clipboard.copy(redirectURI, terminal: account.terminal, environment: environment)
            say(
                "Its callback URL\(isCopied ? " (copied to the clipboard, where the terminal allows that)" : ""):", "  \(redirectURI)".plain
            )
        }
        for line in registration?.callbackInDialogue ?? registration?.plainCallback ?? [] { say(line) }
        if let boxes = registration?.scopeBoxes {
            say(boxes, "  \((scopes.isEmpty ? target.provider?.scopes ?? [] : scopes).joined(separator: " "))".plain)
        }
        if let page { open(page, text) }
        say("")
    }

    private func open(_ page: ProviderRegistration.Page, _ text: ConfigurationText) {
        guard TerminalLocation.current.canOpenBrowser, let browser = try? text.configuration().signIn.browser else {
            return
        }
        switch browser {
        case .none: return
        case .command(let words): BrowserLaunch(words).show(page.url)
        case .portal: BrowserLaunch(["xdg-open"]).show(page.url)
        }
    }
}

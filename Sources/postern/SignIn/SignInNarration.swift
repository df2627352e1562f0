import PosternInterface

/// What a person is told while a sign-in goes on. Takes events, gives lines; writes nothing itself.
struct SignInNarration {
    /// How the person gets to the page.
    enum Presentation: Equatable {
        /// The daemon opens it in a browser of this session.
        case browserHere
        /// The person opens it somewhere else. The tunnel brings the redirect back from there.
        case elsewhere(userAtHost: UserAtHost)
    }

    /// Who to log in as, and where, in the advice for a tunnel.
    struct UserAtHost: Equatable {
        var user: String
        var hostName: String
        var remoteLogin: Place.RemoteLogin?
    }

    let providerName: String
    let presentation: Presentation
    /// On a terminal the address waits a moment: mostly the page simply opens.
    let isInteractive: Bool

    private(set) var state: SignInEvent.State?
    private var shownURL: String?
    private var heldBackURL: String?

    init(providerName: String, presentation: Presentation, isInteractive: Bool) {
        self.providerName = providerName
        self.presentation = presentation
        self.isInteractive = isInteractive
    }

    /// Lines for what has changed; none for an event that repeats what is known.
    mutating func lines(for event: SignInEvent) -> [String] {
        let isNews = state != event.state
        state = event.state
        switch event.state {
        case .authorizationPending:
            if let page = event.verificationURI, let code = event.userCode {
                guard page != shownURL else { return [] }
                shownURL = page
                return ["Open this page on any device, and type the code \(code) there:".plain, "", "  " + page.plain, ""]
            }
            guard let url = event.authorizationURL, url != shownURL, url != heldBackURL else { return [] }
            return pageLines(url: url)
        case .exchanging:
            heldBackURL = nil
            return isNews && !isInteractive ? ["the browser came back; finishing with \(providerName)"] : []
        case .completed:
            heldBackURL = nil
            return []
        }
    }

    /// Some seconds have passed and the page still waits: the address, once, for the case that no page opened.
    mutating func waitedAWhile() -> [String] {
        guard let url = heldBackURL else { return [] }
        heldBackURL = nil
        shownURL = url
        return ["If no page opens, open this one:", "  " + url.plain]
    }

    /// What the moving line says; nil where there is nothing to wait for.
    var waiting: String? {
        switch state {
        case nil: "asking \(providerName) …"
        case .authorizationPending: "waiting for you at \(providerName), in the browser …"
        case .exchanging: "finishing with \(providerName) …"
        case .completed: nil
        }
    }

    private mutating func pageLines(url: String) -> [String] {
        switch presentation {
        case .browserHere:
            guard isInteractive else {
                shownURL = url
                return ["waiting for you at \(providerName), in the browser; if no page opens, open this one:", "  " + url.plain]
            }
            heldBackURL = url
            return []
        case .elsewhere(let userAtHost):
            shownURL = url
            var lines = ["Open this page in a browser to sign in with \(providerName):", "", "  " + url.plain, ""]
            let redirectURI = WebAddress(url)?.parameter("redirect_uri") ?? ""
            if let tunnel = TunnelAdvice(
                redirectURI: redirectURI, user: userAtHost.user, remoteLogin: userAtHost.remoteLogin, hostName: userAtHost.hostName)
            {
                lines += [
                    "Is the browser on another machine? Run this there first, so that the answer finds its way here:", "",
                    "  " + tunnel.command.plain, "",
                    "Or, when the browser ends at a page that does not load, paste that page's whole address here and press Enter.",
                ]
            } else {
                lines += ["When the browser is done, paste the address at which it arrived here, and press Enter."]
            }
            return lines
        }
    }
}

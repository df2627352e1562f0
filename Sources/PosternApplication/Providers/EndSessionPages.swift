import PosternCore

/// Ends sessions at providers when their credential is revoked, if that is configured, or if a program that watches wants it.
///
/// The browser is sent to our address first, which redirects it once: the provider's address contains an ID token, and everybody on the
/// machine can read a program's arguments.
@DaemonActor
final class EndSessionPages: Grounded {
    private struct Page {
        var url: Secret
        var stateHash: [UInt8]
        var providerID: String
        /// By ``WallClock/uptime``: setting the clock makes the link live neither longer nor shorter.
        var expiresAt: Int64
        var isOpened = false
    }

    /// A page that nobody opened is forgotten after this many seconds, as is one from which nobody came back.
    private static let lifetime: Int64 = 300
    private static let most = 16
    static let path = "/__/auth/end-session"
    static let returnPath = "/__/auth/signed-out"

    /// By the identifier in the query of our own address.
    private var pages: [String: Page] = [:]
    private let providers: ProviderDirectory
    private let opener: PageOpener
    private let origins: CallbackOrigins
    let ground: Ground

    init(_ ground: Ground, providers: ProviderDirectory, opener: PageOpener, origins: CallbackOrigins) {
        self.providers = providers
        self.opener = opener
        self.origins = origins
        self.ground = ground
    }

    /// Opens the page if the configuration says so. If not, or if it cannot be opened, tells those who watch where it is.
    func open(for grant: Grant, providerID: String, binding: ProviderBinding) async {
        guard let configured = providers[providerID] else { return }
        let isWanted = configured.extensions.endsSession
        guard isWanted || events.isWatched else { return }
        do throws(ProviderFailure) {
            let provider = try await providers.resolve(try providers.provider(providerID, boundTo: binding))
            guard let id = try add(grant, at: provider) else {
                throw .providerNotConfigured(message: "\(configured.displayName) names no end-session-endpoint")
            }
            let address = "\(origins.first)\(Self.path)?page=\(id)"
            isWanted ? open(address, providerID: providerID) : events.report(.endSessionOffered, address, providerID: providerID)
        } catch {
            guard isWanted else { return }
            events.report(
                .providerProblem, "the session at \(providers.displayName(providerID)) was not ended: \(error)", providerID: providerID)
        }
    }

    /// In the browser that sign-ins with this provider use.
    private func open(_ address: String, providerID: String) {
        let request = SignInRequest(providerID: providerID, intent: .signIn, app: "default", scopes: [])
        let name = providers.displayName(providerID)
        events.report(.endSessionOpening, "the page that ends the session at \(name) is being opened", providerID: providerID)
        opener.launch(address, for: request) { [events] problem in
            if let problem {
                events.report(
                    .providerProblem, "the page that ends the session at \(name) was not opened: \(problem)", providerID: providerID)
                events.report(.endSessionOffered, address, providerID: providerID)
            } else {
                events.report(.endSessionPageOpened, "the page that ends the session at \(name) was opened", providerID: providerID)
            }
        }
    }

    /// - Returns: the identifier for the query of our own address; nil if the provider has no such page.
    private func add(_ grant: Grant, at provider: ResolvedProvider) throws(ProviderFailure) -> String? {
        let id = Base64URL.encode(try platform.providerBytes(32))
        let state = Base64URL.encode(try platform.providerBytes(32))
        let returns = provider.provider.extensions.returnsFromEndSession
        let redirectURI = returns ? origins.first + Self.returnPath : nil
        guard let url = EndSessionRequest.url(at: provider, idToken: grant.idToken, redirectURI: redirectURI, state: Secret(state)) else {
            return nil
        }
        let uptime = platform.clock.uptime
        pages = pages.filter { $0.value.expiresAt > uptime }
        if pages.count >= Self.most, let oldest = pages.min(by: { $0.value.expiresAt < $1.value.expiresAt }) { pages[oldest.key] = nil }
        pages[id] = Page(
            url: url, stateHash: providers.cryptography.sha256(Array(state.utf8)), providerID: provider.id,
            expiresAt: uptime + Self.lifetime)
        return id
    }

    /// A page that is being opened will then say that its link is used up.
    func forgetAll() { pages = [:] }

    /// The address to redirect the browser to, once.
    func opened(_ id: String) -> Secret? {
        guard let page = pages[id], !page.isOpened, page.expiresAt > platform.clock.uptime else { return nil }
        let url = page.url
        pages[id]?.isOpened = true
        pages[id]?.url = Secret([])
        return url
    }

    /// The browser came back with this state.
    ///
    /// - Returns: whether a page of ours was opened with it, and no browser had come back from it.
    func returned(_ state: Secret) -> Bool {
        let hash = providers.cryptography.sha256(state.revealBytes())
        guard let page = pages.first(where: { $0.value.isOpened && $0.value.stateHash == hash }) else { return false }
        pages[page.key] = nil
        events.report(
            .signedOut, "the session at \(providers.displayName(page.value.providerID)) was ended", providerID: page.value.providerID)
        return true
    }
}

import PosternCore
import PosternInterface

/// Answers requests to the callback listener.
@DaemonActor
public final class CallbackService: Grounded {
    /// A browser waits this many milliseconds for the outcome before it gets the page that checks for it.
    private static let patience: Int64 = 3000

    private let coordinator: SignInCoordinator
    private let providers: ProviderRoom
    private let userTokens: UserTokens
    let ground: Ground

    init(_ ground: Ground, providers: ProviderRoom, userTokens: UserTokens, coordinator: SignInCoordinator) {
        self.ground = ground
        self.coordinator = coordinator
        self.providers = providers
        self.userTokens = userTokens
    }

    public func redirectReturned(_ callback: LoopbackCallback) async -> CallbackDisposition {
        if let problem = store.problem { return problem.isLock && problem.kind != .locked ? .storeLocked : .storeUnusable }
        let taken = await coordinator.redirectReturned(callback.parameters, path: callback.path)
        return taken.map { .taken(pageID: $0.pageID) } ?? .notRecognised
    }

    /// The sign-in with this page, when its outcome is known, or after some seconds; nil if there is none.
    public func result(ofPage id: String) async -> SignInResult? {
        let signIn = await coordinator.status(ofPage: id, within: Self.patience)
        return signIn.map { SignInResult($0, displayName: providers.directory.displayName, isDecision: DenialCode.isDecision) }
    }

    /// The person answered what a result page asked about a linked account.
    ///
    /// - Parameter link: by its place among the accounts that it asks about.
    /// - Returns: whether a sign-in has this page.
    public func linkAnswered(_ answer: LinkReview.Answer, about link: Int, onPage id: String) async -> Bool {
        await coordinator.linkAnswered(answer, about: link, onPage: id)
    }

    // MARK: Sessions at providers

    /// The address to redirect the browser to, once.
    public func endSessionPageOpened(_ id: String) -> Secret? { providers.endSessionPages.opened(id) }

    /// - Returns: whether a page of ours was opened with this state, and no browser had come back from it.
    public func endSessionReturned(_ state: Secret) -> Bool { providers.endSessionPages.returned(state) }

    // MARK: ID tokens of this machine's users

    public var discoveryDocument: [UInt8] { userTokens.discoveryDocument }

    /// The public keys, as JSON; nil while the store cannot be read.
    public func keySet() async -> [UInt8]? {
        guard !store.isUnavailable else { return nil }
        return await userTokens.keySet()
    }
}

/// Browsers whose result page waits for the outcome.
@DaemonActor
final class ResultPages {
    /// If a page is loaded again and again, the list must not grow without limit.
    private static let mostWaiting = 16

    private var waiting: [String: [Promise<Void>]] = [:]
    private let timers: any Timers

    init(timers: any Timers) { self.timers = timers }

    /// Returns when the outcome is known, or after this time.
    func wait(for sessionID: String, within milliseconds: Int64) async {
        guard waiting[sessionID, default: []].count < Self.mostWaiting else { return }
        let browser = Promise<Void>()
        waiting[sessionID, default: []].append(browser)
        let timeout = timers.after(milliseconds: milliseconds) { [weak self] in
            self?.gaveUp(browser, on: sessionID)
        }
        await browser.value
        timeout.cancel()
    }

    private func gaveUp(_ browser: Promise<Void>, on sessionID: String) {
        waiting[sessionID]?.removeAll { $0 === browser }
        if waiting[sessionID]?.isEmpty == true { waiting[sessionID] = nil }
        browser.fulfill(())
    }

    func wake(of sessionID: String) {
        for browser in waiting.removeValue(forKey: sessionID) ?? [] { browser.fulfill(()) }
    }
}

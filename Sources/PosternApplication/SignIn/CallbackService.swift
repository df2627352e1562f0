import PosternCore

/// Answers requests to the callback listener.
@DaemonActor
public final class CallbackService {
    /// A browser waits this many milliseconds for the outcome before it gets the page that checks for it.
    private static let patience: Int64 = 3000

    public enum Reception: Sendable {
        /// It belongs to a sign-in, which has this page.
        case taken(pageID: String)
        case notRecognised
        /// Its sign-in may be on disk, where it cannot be read: the redirect is not used up, and works once the store is open.
        case storeLocked
        case storeUnusable
    }

    private let coordinator: SignInCoordinator
    private let providers: ProviderDirectory
    private let endSessionPages: EndSessionPages
    private let userTokens: UserTokens
    private let lock: StoreLock

    init(
        coordinator: SignInCoordinator, providers: ProviderDirectory, endSessionPages: EndSessionPages, userTokens: UserTokens,
        lock: StoreLock
    ) {
        self.coordinator = coordinator
        self.providers = providers
        self.endSessionPages = endSessionPages
        self.userTokens = userTokens
        self.lock = lock
    }

    public func redirectReturned(_ callback: LoopbackCallback) async -> Reception {
        if let problem = lock.access.problem { return problem.isLock && problem.kind != .locked ? .storeLocked : .storeUnusable }
        let taken = await coordinator.redirectReturned(callback.parameters, path: callback.path)
        return taken.map { .taken(pageID: $0.pageID) } ?? .notRecognised
    }

    /// The sign-in with this page, when its outcome is known, or after some seconds; nil if there is none.
    public func signIn(ofPage id: String) async -> SignIns.Snapshot? {
        await coordinator.status(ofPage: id, within: Self.patience)
    }

    public func displayName(ofProvider id: String) -> String { providers.displayName(id) }

    // MARK: Sessions at providers

    /// The address to redirect the browser to, once.
    public func endSessionPageOpened(_ id: String) -> Secret? { endSessionPages.opened(id) }

    /// - Returns: whether a page of ours was opened with this state, and no browser had come back from it.
    public func endSessionReturned(_ state: Secret) -> Bool { endSessionPages.returned(state) }

    // MARK: ID tokens of this machine's users

    public var discoveryDocument: [UInt8] { userTokens.discoveryDocument }

    /// The public keys, as JSON; nil while the store cannot be read.
    public func keySet() async -> [UInt8]? {
        do { try lock.check() } catch { return nil }
        return await userTokens.keySet()
    }
}

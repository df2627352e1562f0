import PosternCore
import PosternInterface

/// Carries sign-ins from a program's question to its answer: the effects around ``SignInTable``'s decisions.
///
/// Every change is on disk before anybody is told. After an await the table is asked again: meanwhile the sign-in may have
/// been cancelled, joined or timed out.
@DaemonActor
final class SignInCoordinator {
    /// What is known of a session in this life of the daemon only.
    struct Page {
        /// Holds the state, so it is never written down; nil after a restart, until somebody needs it.
        var url: Secret?
        /// When the provider forgets the page; nil for one that is good as long as the sign-in waits.
        var urlExpiresAt: Timestamp?
        /// Who was to show it; nil where nobody has been.
        var shownBy: Interface.SignIn.Presentation?
        /// The session is on disk.
        var isStored = false
        /// Its result is being written down; too late to cancel.
        var isBeingKept = false
        /// Its result is on the way to somebody; nobody else gets it meanwhile.
        var isBeingDelivered = false
        /// Who asked for a way to the provider while the sign-in was still being prepared.
        var latecomers: [(waiter: WaiterID, flow: ProviderFlow)] = []
        /// Who waits for a code that is being asked for.
        var codeWaiters: [WaiterID] = []
        /// Further pages, each with a state of its own, that are being made.
        var renewals = 0

        mutating func opens(_ page: AuthorizationPage) {
            url = Secret(page.url)
            urlExpiresAt = page.expiresAt
        }

        func isOpenable(now: Timestamp) -> Bool { url != nil && urlExpiresAt.map { now < $0 } ?? true }
    }

    struct Waiter {
        var listener: any SignInListener
        var sessionID: String
    }

    var table = SignInTable()
    var pages: [String: Page] = [:]
    var waiters: [WaiterID: Waiter] = [:]
    /// Codes that wait for their person.
    var devicePolls: [String: DevicePoll] = [:]
    var asksNoMore = false
    /// Browsers whose result page waits for the outcome.
    var pageWaiters: [String: [PageWaiter]] = [:]
    private var lastWaiter: UInt64 = 0
    private var timer: (any PendingTimer)?

    let store: StoreAccess
    let providers: ProviderDirectory
    let exchange: CodeExchange
    let opener: PageOpener
    /// Who decides what becomes of a credential.
    let accounts: any AccountAuthority
    let inventory: Inventory
    /// Takes back grants that came for a sign-in that nobody wants any more.
    let revocation: Revocation
    let origins: CallbackOrigins
    let platform: Platform
    let feed: EventFeed
    let log: DaemonLog

    init(
        store: StoreAccess, providers: ProviderDirectory, exchange: CodeExchange, opener: PageOpener, accounts: any AccountAuthority,
        inventory: Inventory, revocation: Revocation, origins: CallbackOrigins, platform: Platform, feed: EventFeed, log: DaemonLog
    ) {
        self.store = store
        self.accounts = accounts
        self.providers = providers
        self.exchange = exchange
        self.opener = opener
        self.feed = feed
        self.log = log
        self.inventory = inventory
        self.revocation = revocation
        self.origins = origins
        self.platform = platform
    }

    var liveCount: Int { table.liveCount }

    // MARK: Waiters

    func add(_ listener: any SignInListener, to sessionID: String, deadline: Timestamp?) -> WaiterID {
        lastWaiter += 1
        let id = WaiterID(lastWaiter)
        waiters[id] = Waiter(listener: listener, sessionID: sessionID)
        table.waiterJoined(id, session: sessionID, deadline: deadline)
        reschedule()
        platform.activityChanged()
        return id
    }

    /// The client is gone. The sign-in lives on for `AttachSession` and for those who joined it.
    func left(_ id: WaiterID) {
        guard let waiter = waiters.removeValue(forKey: id) else { return }
        table.waiterLeft(id, session: waiter.sessionID)
        seePageShown(of: waiter.sessionID)
        reschedule()
        platform.activityChanged()
    }

    func tellEveryEvent(of session: SignInSession) {
        for id in table.waiters(of: session.id) {
            guard let listener = waiters[id]?.listener, listener.wantsEveryEvent else { continue }
            listener.eventHappened(event(session))
        }
    }

    /// The event that describes where a live session stands.
    func event(_ session: SignInSession) -> Interface.SignInEvent {
        guard session.phase == .authorizationPending else {
            return Interface.SignInEvent(sessionID: session.id, state: .exchanging, expiresAt: "\(session.expiresAt)")
        }
        // Without a page the code's end is the sign-in's.
        let end = session.hasPage ? session.expiresAt : min(session.expiresAt, session.device?.expiresAt ?? session.expiresAt)
        return Interface.SignInEvent(
            sessionID: session.id, state: .authorizationPending, expiresAt: "\(end)",
            authorizationURL: pages[session.id]?.url?.reveal(), verificationURI: session.device?.verificationURI,
            verificationURIComplete: session.device?.verificationURIComplete, userCode: session.device?.userCode)
    }

    // MARK: Time

    /// One timer for the next deadline of all; none where nothing waits.
    func reschedule() {
        timer?.cancel()
        timer = nil
        guard let deadline = table.nextDeadline else { return }
        timer = platform.timers.at(deadline, now: platform.now) { [weak self] in self?.timePassed() }
    }

    private func timePassed() {
        timer = nil
        let expiry = table.expired(now: platform.now)
        for id in expiry.timedOut { start { await self.end(id, .timedOut) } }
        for (waiter, sessionID) in expiry.impatient {
            guard let session = table[sessionID], let listener = waiters[waiter]?.listener else { continue }
            left(waiter)
            listener.failed(InterfaceError(.timedOut, session: session, providerName: providers.displayName(session.question.providerID)))
        }
        forget(expiry.forgotten)
        reschedule()
    }

    func forget(_ ids: [String]) {
        let stored = ids.filter { pages[$0]?.isStored == true }
        for id in ids {
            table.forgot(id)
            pages[id] = nil
            stopPolling(id)
            wakePages(of: id)
        }
        guard !stored.isEmpty else { return }
        start {
            do { try await self.store.opened().deleteSessions(ids: stored) } catch {
                self.log.warning("finished sign-ins could not be removed: \(error)", event: .storeProblem)
            }
        }
    }

    /// Work of this coordinator that goes on by itself.
    func start(_ kind: WorkTracker.Kind = .other, _ work: @escaping @Sendable @DaemonActor () async -> Void) {
        platform.work.start(kind, work)
    }
}

import PosternCore
import PosternInterface

/// Carries sign-ins from a program's request to its answer: does what ``SignIns`` and its machines decide, and reports the results back.
///
/// Nothing is decided here, and nothing is known of a sign-in except who waits for it. Every event leads to actions; what takes time ends
/// with the next event.
@DaemonActor
final class SignInCoordinator: Grounded, AppObserver {
    private(set) var signIns = SignIns()
    /// Where to send events to those who wait.
    var listeners: [WaiterID: SignInListener] = [:]
    let resultPages: ResultPages
    /// Of the button that was pressed for a sign-in, until its page is opened.
    private var activationTokens: [String: String] = [:]
    private var timer: (any PendingTimer)?
    private var clockWatch: ClockWatch

    let ground: Ground
    let providers: ProviderRoom
    /// Decides what becomes of a credential.
    let accounts: any AccountAuthority
    /// Describes stored accounts; set once all parts exist.
    weak var states: CredentialStates?

    init(_ ground: Ground, providers: ProviderRoom, accounts: any AccountAuthority) {
        self.ground = ground
        self.accounts = accounts
        self.providers = providers
        resultPages = ResultPages(timers: ground.platform.timers)
        clockWatch = ClockWatch(now: ground.platform.now, uptime: ground.platform.clock.uptime)
    }

    // MARK: Events and actions

    /// Handles an event.
    ///
    /// What is to be reported is reported before this returns; what takes time has started by then.
    func happened(_ event: (inout SignIns, _ now: Timestamp) -> [SignInAction]) {
        let now = now
        perform(event(&signIns, now))
    }

    /// Handles an event of one sign-in, with which something ended that was begun for it.
    func happened(to ticket: SignInTicket, _ event: (inout SignInMachine, _ now: Timestamp) -> [SignInAction]) {
        happened { signIns, now in signIns.change(ticket) { event(&$0, now) } }
    }

    /// The time for every event. Sign-ins have moments of the wall clock, because these are shown; setting it does not change their time
    /// left.
    private var now: Timestamp {
        let now = platform.now
        let step = clockWatch.looked(now: now, uptime: platform.clock.uptime)
        if step != 0 { for action in signIns.clockSet(by: step) { perform(action) } }
        return now
    }

    /// All known sign-ins, with their moments adjusted to the present clock.
    var statuses: [SignInMachine] {
        _ = now
        return signIns.all
    }

    private func perform(_ actions: [SignInAction]) {
        for action in actions { perform(action) }
        changed()
    }

    /// Returns when what must be on disk is there, or cannot be written.
    ///
    /// - Returns: why something could not be written.
    private func performDurably(_ actions: [SignInAction]) async -> StoreError? {
        var problem: StoreError?
        for action in actions {
            if case .write(let ticket, let write) = action {
                problem = await platform.work.count(.toBeKept) { await self.write(write, of: ticket) } ?? problem
            } else {
                perform(action)
            }
        }
        changed()
        return problem
    }

    /// Something may have begun or ended; the earliest deadline may have changed.
    private func changed() {
        if !activationTokens.isEmpty { activationTokens = activationTokens.filter { signIns[$0.key].map { $0.outcome == nil } ?? false } }
        timer?.cancel()
        timer = signIns.nextDeadline.map { deadline in
            platform.timers.at(deadline, now: now) { [weak self] in
                self?.happened { $0.timePassed(now: $1) }
            }
        }
        platform.activityChanged()
    }

    private func perform(_ action: SignInAction) {
        switch action {
        case .prepare(let ticket, let secrets, let flow): start { await self.prepare(secrets, by: flow, ticket) }
        case .makePage(let renewal): start { await self.makePage(renewal) }
        case .getCode(let ticket): start { await self.getCode(ticket) }
        case .poll(let poll): start(.toBeKept) { await self.poll(poll) }
        case .exchange(let ticket, let answer, let secrets): start(.toBeKept) { await self.redeem(answer, secrets, ticket) }
        case .takeBack(let grant, let session): start(.toBeKept) { await self.takeBack(grant, of: session) }
        case .discard(let completed, let session):
            providers.revocation.discard(completed.grant, of: completed.profile.identity, boundTo: session.binding)
        case .write(let ticket, let write): start(.toBeKept) { _ = await self.write(write, of: ticket) }
        case .keep(let ticket, let completed, let expiresAt, let isAbandoned):
            start(.toBeKept) { await self.keep(completed, expiresAt: expiresAt, isAbandoned: isAbandoned, ticket) }
        case .delete(let ids): start { await self.delete(ids) }
        case .openPage(let ticket): openPage(ticket)
        case .tell(let waiter, let progress): listeners[waiter]?.send(Interface.SignInEvent(progress))
        case .fail(let waiters, let session, let failure):
            for id in waiters { listeners[id]?.failure = failure }
            fail(waiters, error(failure, of: session))
        case .refuse(let waiters, let session, let isOnDisk): fail(waiters, InterfaceError(.locked(sessionID: isOnDisk ? session.id : nil)))
        case .deliver(let delivery): start(.toBeKept) { await self.deliver(delivery) }
        case .wakePages(let sessionID): resultPages.wake(of: sessionID)
        case .note(let session, let note): self.note(note, of: session)
        }
    }

    private func start(_ kind: WorkTracker.Kind = .other, _ work: @escaping @Sendable @DaemonActor () async -> Void) {
        platform.work.start(kind, work)
    }

    // MARK: Programs

    /// A program requests a sign-in; the parameters are already checked.
    ///
    /// - Parameters:
    ///   - flow: how the user is to answer.
    ///   - requester: the program, in words for the result page.
    ///   - process: the program, for the log.
    ///   - activationToken: of the button that was pressed; it lets the page come to the front.
    /// - Returns: the waiter, for ``left(_:)``.
    func asked(
        _ request: SignInRequest, of provider: Provider, by flow: ProviderFlow = .browser, timeoutSeconds: Int64,
        requester: String, process: CallingProcess, activationToken: String? = nil, listener: SignInListener
    ) throws(InterfaceError) -> WaiterID {
        let now = now
        let (name, program) = (
            provider.displayName, "pid \(process.pid), \(process.executable ?? "an unknown program"), in \(process.unit ?? "no unit")"
        )
        func reportRequest(_ session: SignInSession?) {
            events.report(
                .signInAsked, "\(name): sign-in requested by \(program)", session: session, providerID: provider.id, requester: process)
        }
        let deadline = now.adding(seconds: timeoutSeconds)
        switch signIns.opening(for: request, by: flow, now: now, isCurrent: { providers.directory.isCurrent($0, for: provider) }) {
        case .tooManySessions(let limit):
            reportRequest(nil)
            throw InterfaceError(.tooMany(limit: limit))
        case .join(let id):
            let waiter = waiter(listener, flow: flow, deadline: deadline, requester: requester)
            listeners[waiter.id] = listener
            events.report(
                .signInJoined, "\(name): \(program) joined the same sign-in", session: signIns[id]?.session,
                providerID: provider.id, app: request.app, requester: process)
            happened { signIns, now in signIns.change(id: id) { $0.joined(waiter, now: now) } ?? [] }
            return waiter.id
        case .start:
            do throws(RandomnessFailure) {
                let session = SignInSession(
                    id: RandomIdentifier.sessionID(randomBytes: try platform.randomness.bytes(24)), request: request,
                    binding: provider.binding, requester: requester, isShownByClient: listener.presenter == .client, startedAt: now,
                    redirectURI: providers.origins.redirectURI(of: provider), relayedTo: providers.origins.relay(of: provider),
                    pageID: Base64URL.encode(try platform.randomness.bytes(16)))
                let secrets = try platform.flowSecrets(of: provider)
                let waiter = waiter(listener, flow: flow, deadline: deadline)
                listeners[waiter.id] = listener
                reportRequest(session)
                activationTokens[session.id] = activationToken
                happened { signIns, _ in signIns.began(session, secrets: secrets, by: flow, expiresAt: deadline, waiter: waiter) }
                return waiter.id
            } catch { throw InterfaceError(.noRandomness(error)) }
        }
    }

    /// Attaches a listener to a sign-in again.
    ///
    /// - Parameter flow: one that must be offered; a sign-in that waits gets it in addition to its own.
    /// - Returns: the waiter, for ``left(_:)``.
    func attached(_ sessionID: String, flow: ProviderFlow? = nil, listener: SignInListener) throws(InterfaceError) -> WaiterID {
        let now = now
        let waiter = waiter(listener, flow: flow, deadline: nil)
        switch signIns.change(id: sessionID, { $0.attached(waiter, now: now) }) ?? .unknown {
        case .waits(let actions):
            listeners[waiter.id] = listener
            perform(actions)
            return waiter.id
        case .unknown: throw InterfaceError(.unknown)
        case .failed(let session, let failure): throw error(failure, of: session)
        case .delivered: throw InterfaceError(.delivered)
        }
    }

    private func waiter(_ listener: SignInListener, flow: ProviderFlow?, deadline: Timestamp?, requester: String? = nil) -> SignInWaiter {
        signIns.newWaiter(
            for: flow, presenter: listener.presenter, wantsEveryEvent: listener.wantsEveryEvent, deadline: deadline, requester: requester)
    }

    /// The client has disconnected. The sign-in continues for `AttachSession` and for those who joined it.
    func left(_ id: WaiterID) {
        guard listeners.removeValue(forKey: id) != nil else { return }
        happened { signIns, _ in signIns.waiterLeft(id) }
    }

    /// - Throws: if there is nothing to cancel any more, or the store's error if the end could not be written: after a restart the sign-in
    ///   could then continue.
    func cancelled(_ sessionID: String) async throws(SessionFailure) {
        let now = now
        switch signIns.change(id: sessionID, { $0.cancelled(now: now) }) ?? .unknown {
        case .ends(let actions): if let problem = await performDurably(actions) { throw .store(problem) }
        case .unknown: throw .unknown
        case .ended: throw .ended
        case .isKept: throw .ending
        }
    }

    // MARK: Browsers

    /// A redirect arrived, by HTTP or from a program. Whoever delivered it is answered when the sign-in's states are used up on disk.
    ///
    /// - Parameter path: where it arrived, in the form that ``SignInSession/awaits(answerAt:)`` takes.
    /// - Returns: nil if it was not recognised.
    func redirectReturned(_ parameters: CallbackParameters, path: String) async -> SignInSession? {
        guard let callback = SignInCallback(parameters, at: path, cryptography: platform.cryptography) else {
            events.report(.callbackRefused, "a callback without a state was refused\(Self.hint(at: parameters))")
            return nil
        }
        let now = now
        switch signIns.callbackArrived(callback, now: now) {
        case .notRecognised:
            events.report(
                .callbackRefused, "a callback was refused: its state is unknown, used or expired; start the sign-in again")
            return nil
        case .repeated(let session): return session
        case .taken(let session, let actions):
            _ = await performDurably(actions)
            return session
        }
    }

    /// A response in one JWT (JARM) has its state inside.
    private static func hint(at parameters: CallbackParameters) -> String {
        guard parameters["response"] != nil else { return "" }
        return ": it has the parameter response, as of a provider that answers with a JWT (JARM), which Postern does not read; "
            + "set response-mode = \"query\" in its section"
    }

    /// The sign-in with this page, when its outcome is known, or after the longest time that a browser is kept waiting; nil if there is
    /// none.
    func status(ofPage pageID: String, within milliseconds: Int64) async -> SignInMachine? {
        // Only the name: a machine has secrets, which are not to stay in memory as long as a browser waits.
        let unfinished = signIns[page: pageID].flatMap { $0.outcome == nil ? $0.session.id : nil }
        if let unfinished { await resultPages.wait(for: unfinished, within: milliseconds) }
        return signIns[page: pageID]
    }

    /// The person answered what a page asked about an account that a program had linked.
    ///
    /// - Parameter link: by its place among the items of the review.
    /// - Returns: whether a sign-in has this page.
    func linkAnswered(_ answer: LinkReview.Answer, about link: Int, onPage pageID: String) async -> Bool {
        guard let signIn = signIns[page: pageID] else { return false }
        let session = signIn.session
        guard let review = signIn.outcome?.review, let item = review.open(link) else { return true }
        let providerID = item.identity.providerID
        let status: LinkReview.Status
        let name = providers.directory.displayName(providerID)
        do throws(AccountFailure) {
            let isDone = try await accounts.answered(answer, about: item, of: review, app: session.request.app)
            status = isDone ? .answered(answer) : .over
            if isDone {
                let words = answer == .keep ? "was kept by the user" : "was removed by the user"
                events.report(
                    .userChanged, "a linked account of \(name) \(words)", session: session, providerID: providerID, uid: review.uid)
            }
        } catch {
            status = .notSaved
            let problem = InterfaceError(error, app: session.request.app, providerName: providers.directory.displayName).message
            events.report(.storeProblem, "the answer about a linked account of \(name) could not be saved: \(problem)", level: .warning)
        }
        happened { signIns, _ in
            signIns.change(id: session.id) { signIn in
                signIn.linkAnswered(link, status)
                return []
            } ?? []
        }
        return true
    }

    private func openPage(_ ticket: SignInTicket) {
        let token = activationTokens.removeValue(forKey: ticket.session.id)
        providers.pages.open(for: ticket.session.request, activationToken: token) { [weak self] in
            self?.signIns.pageTurnCame(ticket)?.reveal()
        } done: { [weak self] problem in
            self?.happened(to: ticket) { signIn, _ in signIn.pageOpened(problem: problem) }
        }
    }

    // MARK: The daemon

    /// Restores what the last run of the daemon, or the last lock, left on disk.
    func restore(_ stored: [StoredSignIn]) {
        happened { $0.restored(stored, now: $1) }
        providersChanged()
    }

    /// Another configuration is in force, or more registered clients are known.
    func providersChanged() {
        happened { signIns, now in signIns.providersChanged(now: now) { self.unbound($0) } }
    }

    /// Why the sign-in cannot continue with its provider; nil if it can.
    func unbound(_ session: SignInSession) -> ProviderFailure? {
        do throws(ProviderFailure) {
            let provider = try providers.directory.provider(session.request.providerID, boundTo: session.binding)
            let request = session.request
            let named = request.account.map { name in
                StandingCredential.stillHolds(name, request.login, at: provider, among: settings.configuration.namedAccounts)
            }
            guard named == false || !StandingCredential.stillHolds(session.binding, for: request.app, at: provider) else { return nil }
            return .providerNotConfigured(message: "\(request.account ?? provider.displayName) \(StandingCredential.problem)")
        } catch { return error }
    }

    /// The daemon is ending: no more requests to providers.
    func endBegan() {
        signIns.endBegan()
        changed()
    }

    /// Releases what waits for the user; it is restored with the store.
    func lockBegan() { happened { signIns, _ in signIns.lockBegan() } }

    /// Releases the rest.
    func storeClosed() { happened { signIns, _ in signIns.storeClosed() } }

    /// Some app's sign-in may have ended, or its user changed: pages and codes that are for nobody now end at once. The transaction that
    /// would store their answer checks again.
    func ownersMayHaveEnded() {
        let waiting = signIns.owners
        if !waiting.isEmpty { start { await self.review(waiting) } }
    }

    private func review(_ waiting: [(app: AppName, owner: PageOwner)]) async {
        var present: [AppName: PageOwner?] = [:]
        for app in Set(waiting.map(\.app)) {
            // If that is not known now, nothing ends.
            do throws(AccountFailure) { present[app] = .some(try await accounts.pageOwner(app: app)) } catch { continue }
        }
        happened { [present] signIns, now in signIns.ownersEnded({ present[$0] }, now: now) }
    }

    func userDeleted(_ user: User) { happened { signIns, _ in signIns.userDeleted(user) } }
}

/// Why nothing can be done with a session, or none can begin.
enum SessionFailure: Error {
    case unknown
    case ended
    /// It has a result, which is being stored.
    case ending
    /// Its result was handed to another program, or is about to be.
    case delivered
    case tooMany(limit: Int)
    /// - sessionID: the session that can be continued later; nil if it is gone.
    case locked(sessionID: String?)
    case noRandomness(RandomnessFailure)
    case store(StoreError)
}

extension Platform {
    func flowSecrets(of provider: Provider) throws(RandomnessFailure) -> FlowSecrets {
        FlowSecrets(
            codeVerifier: try randomToken(), nonce: provider.kind == .oidc ? try randomToken() : nil,
            proofKey: provider.extensions.usesDPoP ? try randomness.proofKey() : nil)
    }
}

extension CallbackOrigins {
    /// Where the page at the provider's redirect URI passes the answer on to; nil if that page is our own.
    fileprivate func relay(of provider: Provider) -> String? {
        if case .relay = provider.redirectURI { listenerURI(of: provider) } else { nil }
    }
}

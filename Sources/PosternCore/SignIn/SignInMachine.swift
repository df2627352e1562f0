/// One sign-in, from the request to its end: what can happen to it, and what to do then.
///
/// One method per event. An event that a state does not expect changes nothing: events from browsers, providers and clients arrive at any
/// time. A secret belongs to the state that uses it and disappears with it. ``SignIns`` holds all machines, and hands one to its events.
public struct SignInMachine: Sendable {
    let generation: UInt64
    public internal(set) var session: SignInSession
    /// Until when it waits for the user; after its end, until when it is remembered.
    public internal(set) var expiresAt: Timestamp
    /// However many join it, it waits no longer.
    var latestEnd: Timestamp
    /// SHA-256 of every state given out, or of the request tokens that replace states. No secrets: they identify a repeated callback when
    /// everything is over.
    var stateHashes: [[UInt8]]
    /// In order of arrival.
    var waiters: [SignInWaiter] = []
    /// The programs that asked, except those that left before its end: each waits for the same page.
    var askers: [(id: WaiterID, requester: String)] = []
    /// A program took it up by its ID, perhaps the first one after a lost connection.
    var wasTakenUp = false
    /// The ways in which the user can answer, or could.
    var flows: Set<ProviderFlow>
    var state: State

    enum State: Sendable {
        /// The provider is asked for what the sign-in begins with. Next: `pending`, or `over`, because nobody knows of it yet.
        case preparing(Preparing)
        /// A page waits in a browser, or a code for another device. Next: `exchanging`, `ended`.
        case pending(Pending)
        /// The states are used up; the code is being sent, or was. Next: `keeping`, `ended`.
        case exchanging(Exchanging)
        /// The result is being stored; too late to cancel. Next: `ended`.
        case keeping(digest: [UInt8]?)
        case ended(Ended)
        /// It is forgotten, or it is only on disk.
        case over
    }

    struct Preparing: Sendable {
        var secrets: FlowSecrets
        let flow: ProviderFlow
        var step = Step.asking

        enum Step: Sendable {
            case asking
            /// It is on disk with this deadline, or is being written.
            case storing(PreparedWay, storedUntil: Timestamp)
        }
    }

    struct Pending: Sendable {
        var secrets: FlowSecrets
        /// Nil if it waits only for a code.
        var page: Page?
        var code = Code.none
        /// Further pages, each with its own state, that are being made.
        var renewals = 0

        struct Page: Sendable {
            /// Contains the state, so it is never stored; nil after a restart, until somebody needs it.
            var url: Secret?
            /// When the provider forgets it; nil if it is valid as long as the sign-in waits.
            var expiresAt: Timestamp?
            /// Who was to show it; nil if nobody yet.
            var shownBy: PagePresenter?
            /// Why it could not be opened; nil if it was, or not yet.
            var problem: String?
        }

        enum Code: Sendable {
            case none
            case asked(by: [WaiterID])
            case given(DeviceAuthorization, DevicePolling, Poll)
        }

        enum Poll: Sendable {
            /// Not before a moment.
            case due(Timestamp)
            /// - Parameter isLast: the store is being locked, and only this is waited for.
            case inFlight(isLast: Bool)
        }
    }

    struct Exchanging: Sendable {
        /// Of the accepted callback; nil for a grant.
        var digest: [UInt8]?
        var step: Step

        enum Step: Sendable {
            /// Its beginning is being written.
            case marking(ProviderAnswer, FlowSecrets)
            case underWay
        }
    }

    struct Ended: Sendable {
        var outcome: SignInOutcome
        /// Of the accepted callback: the same one again is a reload, another one is refused.
        var digest: [UInt8]?
        var step: Step

        enum Step: Sendable {
            /// Its end is being written; its waiters are answered afterwards.
            case recording
            /// The result can be fetched, once.
            case waiting
            /// The result is being delivered to somebody; nobody else gets it meanwhile.
            case delivering
            case settled
        }
    }
}

// MARK: What belongs to a state

/// An event reads a copy that it cannot change, and changes the machine's own: no change can be left out of the state. Tables hold values
/// that can be copied, so the compiler cannot see to that by the ownership of a state, as it does for a connection's machine.
extension SignInMachine {
    /// Nil in another state; there assigning does nothing.
    var pending: Pending? {
        get { if case .pending(let pending) = state { pending } else { nil } }
        set { if case .pending = state, let newValue { state = .pending(newValue) } }
    }

    /// Nil in another state; there assigning does nothing.
    var ended: Ended? {
        get { if case .ended(let ended) = state { ended } else { nil } }
        set { if case .ended = state, let newValue { state = .ended(newValue) } }
    }
}

// MARK: Reading

extension SignInMachine {
    /// What an action begins for it, which ends with an event.
    var ticket: SignInTicket { SignInTicket(session: session, generation: generation) }

    /// The interface's name for its phase.
    public var phase: SignInSession.Phase {
        switch state {
        case .preparing, .pending: .authorizationPending
        case .exchanging, .keeping: .exchanging
        case .ended, .over: outcome?.isSuccess == true ? .completed : .failed
        }
    }

    /// Somebody still has to answer.
    var isLive: Bool {
        switch state {
        case .preparing, .pending, .exchanging, .keeping: true
        case .ended, .over: false
        }
    }

    public var outcome: SignInOutcome? { ended?.outcome }

    /// Its result can be fetched, and nobody is receiving it.
    public var isUnfetched: Bool { ended?.step == .waiting }

    /// It only waits for being fetched, or forgotten.
    var isFinished: Bool { isUnfetched || ended?.step == .settled }

    /// Its progress, for those who wait for it.
    var progress: SignInProgress? {
        switch state {
        case .pending(let pending):
            let device = pending.device
            let end = pending.page == nil ? min(expiresAt, device?.expiresAt ?? expiresAt) : expiresAt
            return SignInProgress(
                sessionID: session.id, phase: .authorizationPending, expiresAt: end, page: pending.page?.url,
                pageProblem: pending.page?.problem,
                verificationURI: device?.verificationURI, verificationURIComplete: device?.verificationURIComplete,
                userCode: device?.userCode, scopes: session.request.shownScopes)
        case .exchanging, .keeping: return SignInProgress(sessionID: session.id, phase: .exchanging, expiresAt: expiresAt)
        case .preparing, .ended, .over: return nil
        }
    }

    func waiter(_ id: WaiterID) -> SignInWaiter? { waiters.first { $0.id == id } }

    /// Whether a program that wants this flow may share the answer. Anybody can type a code, so only those share one who wanted a code, and
    /// only one that its program still waits for.
    ///
    /// A page that no browser shows, and that nobody waits for, is nobody's: it is left to whoever still has its address.
    func isJoinable(by flow: ProviderFlow) -> Bool {
        flows == [flow] && (!waiters.isEmpty || flow == .browser && pending?.page?.problem == nil)
    }
}

extension SignInMachine.Pending {
    var device: DeviceAuthorization? { if case .given(let device, _, _) = code { device } else { nil } }

    /// A poll of the token endpoint is in progress.
    var isAsked: Bool { if case .given(_, _, .inFlight) = code { true } else { false } }

    /// The store is being locked: it waits for a poll, and for nothing after it.
    var isClosing: Bool { if case .given(_, _, .inFlight(isLast: true)) = code { true } else { false } }
}

extension SignInMachine.Pending.Page {
    func isOpenable(now: Timestamp) -> Bool { url != nil && expiresAt.map { now < $0 } ?? true }
}

// MARK: Waiters

extension SignInMachine {
    /// The client is gone. The sign-in continues for those who attach, and for the others.
    mutating func waiterLeft(_ id: WaiterID) -> [SignInAction] {
        waiters.removeAll { $0.id == id }
        if isLive { askers.removeAll { $0.id == id } }
        return seePageShown()
    }

    /// The final reply to these: they wait no longer.
    mutating func takeWaiters(where isMeant: (SignInWaiter) -> Bool = { _ in true }) -> [WaiterID] {
        let taken = waiters.filter(isMeant).map(\.id)
        waiters.removeAll(where: isMeant)
        if isLive { askers.removeAll { taken.contains($0.id) } }
        return taken
    }

    mutating func failWaiters(_ failure: SignInFailure, where isMeant: (SignInWaiter) -> Bool = { _ in true }) -> [SignInAction] {
        let taken = takeWaiters(where: isMeant)
        return taken.isEmpty ? [] : [.fail(taken, session, failure)]
    }

    /// To all who asked for it.
    func tellAll() -> [SignInAction] { waiters.flatMap { tell($0.id) } }

    /// Each gets its own deadline: one that joined may give up before the sign-in does.
    func tell(_ id: WaiterID) -> [SignInAction] {
        guard let waiter = waiter(id), waiter.wantsEveryEvent, var progress else { return [] }
        if let deadline = waiter.deadline { progress.expiresAt = min(progress.expiresAt, deadline) }
        return [.tell(id, progress)]
    }

    /// The programs that wait for its page, each once, those that asked first before the others; as many as a page can name. The very first
    /// one is among them while it waits, or may; and where nobody does.
    public var requesters: [String] {
        var names = wasTakenUp || askers.isEmpty ? [session.requester] : []
        for asker in askers where !names.contains(asker.requester) && names.count < 9 { names.append(asker.requester) }
        return names
    }
}

/// What the last run of the daemon, or the last lock, left on disk.
extension SignInMachine {
    /// - Returns: the machine, and what to do for it at once.
    static func restored(_ stored: StoredSignIn, generation: UInt64, now: Timestamp) -> (SignInMachine, [SignInAction]) {
        // The clock may have been set back since: nothing on disk outlives the longest life.
        let latestEnd = now.adding(seconds: SignIns.longestLifeSeconds)
        var machine = SignInMachine(
            generation: generation, session: stored.session, expiresAt: min(stored.expiresAt, latestEnd),
            latestEnd: min(stored.session.startedAt.adding(seconds: SignIns.longestLifeSeconds), latestEnd),
            stateHashes: stored.stateHashes, flows: [], state: .over)
        switch stored.status {
        case .pending(let secrets, let device):
            var pending = Pending(secrets: secrets)
            if !stored.stateHashes.isEmpty {
                machine.flows.insert(.browser)
                pending.page = Pending.Page(url: nil, expiresAt: nil, shownBy: stored.session.isShownByClient ? .client : .daemon)
            }
            machine.state = .pending(pending)
            let actions = device.map { machine.beginPolling($0, now: now) } ?? []
            return (machine, actions)
        case .exchanging:
            machine.state = .exchanging(Exchanging(digest: nil, step: .underWay))
            let failure = ProviderFailure.exchangeFailed(
                error: nil, description: nil,
                message: "the daemon ended, or its store was locked, during the exchange, and a code is never sent twice; "
                    + "sign in again")
            let actions = machine.fail(.provider(failure), now: now)
            return (machine, actions)
        case .ended(let outcome, let isDelivered):
            let isSettled = isDelivered || !outcome.hasCredential
            machine.state = .ended(Ended(outcome: outcome, digest: nil, step: isSettled ? .settled : .waiting))
            return (machine, [])
        }
    }
}

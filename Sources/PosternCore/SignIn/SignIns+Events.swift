/// What happens to one sign-in: one method per event.
extension SignIns {
    // MARK: The provider answered

    public mutating func prepared(_ ticket: SignInTicket, _ way: PreparedWay, binding: ProviderBinding, now: Timestamp) -> [SignInAction] {
        if case .page(let made) = way, isTaken(made.key, from: ticket.sessionID) {
            return notPrepared(ticket, Self.takenKey, now: now)
        }
        return change(ticket) { $0.prepared(way, binding: binding) } ?? []
    }

    public mutating func notPrepared(_ ticket: SignInTicket, _ failure: ProviderFailure, now: Timestamp) -> [SignInAction] {
        change(ticket) { $0.fail(.provider(failure), now: now) } ?? []
    }

    public mutating func pageMade(_ made: MadePage, for renewal: PageRenewal, now: Timestamp) -> [SignInAction] {
        if isTaken(made.key, from: renewal.ticket.sessionID) { return pageNotMade(renewal, Self.takenKey, now: now) }
        return change(renewal.ticket) { $0.pageMade(made, for: renewal, now: now) } ?? []
    }

    /// The page could not be made or stored.
    public mutating func pageNotMade(_ renewal: PageRenewal, _ failure: ProviderFailure, now: Timestamp) -> [SignInAction] {
        change(renewal.ticket) { $0.pageNotMade(renewal, failure, now: now) } ?? []
    }

    public mutating func codeGiven(_ ticket: SignInTicket, _ device: DeviceAuthorization) -> [SignInAction] {
        change(ticket) { $0.codeGiven(device) } ?? []
    }

    /// The code could not be obtained or stored.
    public mutating func codeNotGiven(_ ticket: SignInTicket, _ failure: ProviderFailure) -> [SignInAction] {
        change(ticket) { $0.codeNotGiven(failure) } ?? []
    }

    public mutating func pollAnswered(_ request: DevicePoll, _ answer: DeviceAnswer, now: Timestamp) -> [SignInAction] {
        let isClosing = mode == .locking
        return change(request.ticket) { $0.pollAnswered(answer, isClosing: isClosing, now: now) }
            ?? SignInMachine.tooLate(answer, request.session)
    }

    public mutating func pollFailed(_ request: DevicePoll, _ failure: ProviderFailure, now: Timestamp) -> [SignInAction] {
        let isClosing = mode == .locking
        return change(request.ticket) { $0.pollFailed(failure, isClosing: isClosing, now: now) } ?? []
    }

    /// - Parameter session: the sign-in's, which may be over.
    public mutating func exchanged(
        _ ticket: SignInTicket, _ session: SignInSession, _ completed: CompletedSignIn, now: Timestamp
    ) -> [SignInAction] {
        change(ticket) { $0.exchanged(completed, now: now) } ?? [.discard(completed, session)]
    }

    public mutating func exchangeFailed(_ ticket: SignInTicket, _ failure: ProviderFailure, now: Timestamp) -> [SignInAction] {
        change(ticket) { $0.exchangeFailed(failure, now: now) } ?? []
    }

    // MARK: It is on disk, or cannot be

    /// - Parameter failure: it is not on disk; or its provider has been replaced.
    public mutating func stored(_ ticket: SignInTicket, failure: ProviderFailure?, now: Timestamp) -> [SignInAction] {
        if let actions = change(ticket, { $0.stored(failure: failure, now: now) }) { return actions }
        // It ended while it was being written: it is deleted again, unless it was restored with the store.
        return machines[ticket.sessionID] == nil ? [.delete([ticket.sessionID])] : []
    }

    public mutating func extended(
        _ ticket: SignInTicket, for waiter: WaiterID, failure: ProviderFailure?, now: Timestamp
    ) -> [SignInAction] {
        change(ticket) { $0.extended(for: waiter, failure: failure, now: now) } ?? []
    }

    public mutating func pageStored(_ made: MadePage, for renewal: PageRenewal) -> [SignInAction] {
        change(renewal.ticket) { $0.pageStored(made, for: renewal) } ?? []
    }

    public mutating func codeStored(_ ticket: SignInTicket, _ device: DeviceAuthorization, now: Timestamp) -> [SignInAction] {
        change(ticket) { $0.codeStored(device, now: now) } ?? []
    }

    public mutating func exchangingMarked(_ ticket: SignInTicket, failure: ProviderFailure?, now: Timestamp) -> [SignInAction] {
        change(ticket) { $0.exchangingMarked(failure: failure, now: now) } ?? []
    }

    public mutating func kept(_ ticket: SignInTicket, _ outcome: SignInOutcome, now: Timestamp) -> [SignInAction] {
        (change(ticket) { $0.kept(outcome, now: now) } ?? []) + forgetSurplus()
    }

    /// - Parameter session: the sign-in's, which may be over.
    public mutating func notKept(
        _ ticket: SignInTicket, _ session: SignInSession, _ completed: CompletedSignIn, _ failure: SignInFailure, now: Timestamp
    ) -> [SignInAction] {
        change(ticket) { $0.notKept(completed, failure, now: now) } ?? [.discard(completed, session)]
    }

    public mutating func endStored(_ ticket: SignInTicket) -> [SignInAction] {
        (change(ticket) { $0.endStored() } ?? []) + forgetSurplus()
    }

    // MARK: People and programs

    /// - Returns: what to open; nil if it is no longer wanted.
    public mutating func pageTurnCame(_ ticket: SignInTicket) -> Secret? {
        var url: Secret?
        _ = change(ticket) {
            url = $0.pageTurnCame()
            return []
        }
        return url
    }

    /// - Parameter problem: why it was not opened; nil if it was.
    public mutating func pageOpened(_ ticket: SignInTicket, problem: String?) -> [SignInAction] {
        change(ticket) { $0.pageOpened(problem: problem) } ?? []
    }

    /// - Parameter isReceived: the answer was sent to at least one.
    public mutating func delivered(_ ticket: SignInTicket, isReceived: Bool) -> [SignInAction] {
        change(ticket) { $0.delivered(isReceived: isReceived) } ?? []
    }

    public mutating func waiterLeft(_ waiter: WaiterID) -> [SignInAction] {
        guard let id = machines.values.first(where: { $0.waiter(waiter) != nil })?.session.id else { return [] }
        return change(id: id) { $0.waiterLeft(waiter) } ?? []
    }

    public mutating func attached(_ id: String, _ waiter: SignInWaiter, now: Timestamp) -> AttachVerdict {
        change(id: id) { $0.attached(waiter, now: now) } ?? .unknown
    }

    public mutating func cancelled(_ id: String, now: Timestamp) -> CancelVerdict {
        change(id: id) { $0.cancelled(now: now) } ?? .unknown
    }
}

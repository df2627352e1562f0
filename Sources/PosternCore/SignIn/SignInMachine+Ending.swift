/// From what the provider issued, or from any other end, to the final reply.
extension SignInMachine {
    // MARK: With a result

    /// The account rules have decided, and the decision is on disk.
    public mutating func kept(_ outcome: SignInOutcome, now: Timestamp) -> [SignInAction] {
        guard case .keeping(let digest) = state else { return [] }
        expiresAt = max(expiresAt, now.adding(seconds: SignIns.retentionSeconds))
        state = .ended(Ended(outcome: outcome, digest: digest, step: .waiting))
        let note: SignInNote =
            switch outcome {
            case .completed(let completed), .kept(let completed): .completed(completed)
            case .refused(let refusal, _): .refused(refusal)
            case .failed(let failure): .failed(failure)
            }
        return [.note(session, note), .wakePages(sessionID: session.id)] + deliver(to: waiters.map(\.id))
    }

    /// Nothing of it is on disk.
    public mutating func notKept(_ completed: CompletedSignIn, _ failure: SignInFailure, now: Timestamp) -> [SignInAction] {
        fail(failure, now: now) + [.discard(completed, session)]
    }

    private mutating func deliver(to waiting: [WaiterID]) -> [SignInAction] {
        guard let ended, ended.step == .waiting, !waiting.isEmpty else { return [] }
        self.ended?.step = .delivering
        return [.deliver(SignInDelivery(ticket: ticket, outcome: ended.outcome, waiters: waiting, expiresAt: expiresAt))]
    }

    /// - Parameter isReceived: the answer was sent to at least one. If all had gone before, the result can still be fetched.
    public mutating func delivered(isReceived: Bool) -> [SignInAction] {
        guard let ended, ended.step == .delivering else { return [] }
        _ = takeWaiters()
        self.ended?.step = isReceived ? .settled : .waiting
        guard isReceived else { return [] }
        // What the result page still needs is not secret.
        self.ended?.outcome = ended.outcome.withoutSecrets
        return [.note(session, .delivered), .write(ticket, .delivered)]
    }

    /// The person has answered what the page asked.
    public mutating func linkAnswered(_ link: Int, _ status: LinkReview.Status) {
        guard case .completed(var completed) = ended?.outcome else { return }
        completed.review?.settle(link, status)
        ended?.outcome = .completed(completed)
    }

    // MARK: Without one

    /// It ends without a credential; its waiters are answered once that is on disk. If it never was on disk, nobody knows it: it is over.
    public mutating func fail(_ failure: SignInFailure, now: Timestamp) -> [SignInAction] {
        switch state {
        case .preparing:
            let actions = report(failure)
            state = .over
            return actions
        case .pending: return end(failure, digest: nil, now: now)
        case .exchanging(let exchanging):
            let rest: [SignInAction] = if case .marking(.grant(let grant), _) = exchanging.step { [.takeBack(grant, session)] } else { [] }
            return end(failure, digest: exchanging.digest, now: now) + rest
        case .keeping(let digest): return end(failure, digest: digest, now: now)
        case .ended, .over: return []
        }
    }

    private mutating func end(_ failure: SignInFailure, digest: [UInt8]?, now: Timestamp) -> [SignInAction] {
        expiresAt = max(expiresAt, now.adding(seconds: SignIns.retentionSeconds))
        state = .ended(Ended(outcome: .failed(failure), digest: digest, step: .recording))
        return [.write(ticket, .end(failure))]
    }

    private mutating func report(_ failure: SignInFailure) -> [SignInAction] {
        [.note(session, .failed(failure))] + failWaiters(failure) + [.wakePages(sessionID: session.id)]
    }

    /// The end is on disk, or cannot be written: that costs no credential.
    public mutating func endStored() -> [SignInAction] {
        guard let ended, ended.step == .recording, case .failed(let failure) = ended.outcome else { return [] }
        self.ended?.step = .settled
        return report(failure)
    }

    // MARK: Programs

    /// A program continues the sign-in.
    public mutating func attached(_ waiter: SignInWaiter, now: Timestamp) -> AttachVerdict {
        switch state {
        case .preparing, .pending, .exchanging, .keeping:
            let isFirst = waiters.isEmpty
            wasTakenUp = true
            waiters.append(waiter)
            // A program that shows the page itself opens it again, perhaps in another browser.
            let offered =
                waiter.flow == nil
                ? present(to: waiter.id, renews: waiter.presenter == .client, now: now) : offer(waiter.flow, to: waiter.id, now: now)
            return .waits([.note(session, .takenUp(isFirst: isFirst))] + offered)
        case .ended(let ended):
            if case .failed(let failure) = ended.outcome { return .failed(session, failure) }
            // At once: of several that arrive at the same time one gets it.
            guard case .waiting = ended.step else { return .delivered }
            waiters.append(waiter)
            return .waits(deliver(to: [waiter.id]))
        case .over: return .unknown
        }
    }

    public mutating func cancelled(now: Timestamp) -> CancelVerdict {
        switch state {
        case .preparing, .pending, .exchanging: .ends(fail(.cancelled, now: now))
        case .keeping: .isKept
        case .ended: .ended
        case .over: .unknown
        }
    }

    // MARK: Time

    /// Time has passed. An exchange in progress is not cut off here: it has its own deadlines.
    ///
    /// - Parameter polls: whether providers are polled.
    mutating func timePassed(now: Timestamp, polls: Bool) -> [SignInAction] {
        switch state {
        case .preparing, .pending:
            guard expiresAt > now else { return fail(.timedOut, now: now) }
            return failImpatient(now: now) + seePageShown() + (polls ? poll(now: now) : [])
        case .exchanging, .keeping: return failImpatient(now: now)
        case .ended(let ended):
            switch ended.step {
            case .recording, .delivering: return []
            case .waiting, .settled: return expiresAt > now ? [] : forget()
            }
        case .over: return []
        }
    }

    /// The wall clock was set, which is no time that has passed: every moment is as far away as before, by the clock as it is now.
    ///
    /// What is on disk is to last as long, too. Where the clock was set back it lasts longer, which a restart cuts.
    mutating func clockSet(by milliseconds: Int64) -> [SignInAction] {
        expiresAt = expiresAt.adding(milliseconds: milliseconds)
        latestEnd = latestEnd.adding(milliseconds: milliseconds)
        for index in waiters.indices { waiters[index].deadline = waiters[index].deadline?.adding(milliseconds: milliseconds) }
        guard let pending else { return [] }
        self.pending?.page?.expiresAt = pending.page?.expiresAt?.adding(milliseconds: milliseconds)
        var actions: [SignInAction] = [.write(ticket, .prolong(until: expiresAt))]
        if case .given(var device, var polling, var poll) = pending.code {
            device.expiresAt = device.expiresAt.adding(milliseconds: milliseconds)
            polling.clockSet(by: milliseconds)
            if case .due(let moment) = poll { poll = .due(moment.adding(milliseconds: milliseconds)) }
            self.pending?.code = .given(device, polling, poll)
            actions.append(.write(ticket, .code(device, pending.secrets)))
        }
        return milliseconds > 0 ? actions : []
    }

    private mutating func failImpatient(now: Timestamp) -> [SignInAction] {
        failWaiters(.timedOut) { $0.deadline.map { $0 <= now } ?? false }
    }

    /// When ``timePassed(now:polls:)`` has something to do next.
    func nextDeadline(polls: Bool) -> Timestamp? {
        let patience = waiters.compactMap(\.deadline).min()
        switch state {
        case .preparing: return patience.map { min($0, expiresAt) } ?? expiresAt
        case .pending(let pending):
            var next = patience.map { min($0, expiresAt) } ?? expiresAt
            if polls, case .given(_, _, .due(let moment)) = pending.code { next = min(next, moment) }
            return next
        case .exchanging, .keeping: return patience
        case .ended(let ended):
            switch ended.step {
            case .recording, .delivering: return nil
            case .waiting, .settled: return expiresAt
            }
        case .over: return nil
        }
    }

    /// Nobody can ask for it any more.
    mutating func forget() -> [SignInAction] {
        state = .over
        return [.delete([session.id])]
    }

    // MARK: The store is locked

    /// Nothing new begins. What waits for the user waits on disk; requests to a provider, polls included, are waited for, and what they
    /// bring is stored.
    mutating func lockBegan() -> [SignInAction] {
        switch state {
        case .preparing: return letGo()
        case .pending(let pending):
            guard case .given(let device, let polling, .inFlight) = pending.code else { return letGo() }
            self.pending?.code = .given(device, polling, .inFlight(isLast: true))
        case .exchanging, .keeping, .ended, .over: break
        }
        return []
    }

    /// From here on it is only on disk.
    mutating func letGo() -> [SignInAction] {
        var isOnDisk = true
        var actions: [SignInAction] = []
        switch state {
        case .preparing: isOnDisk = false
        case .exchanging(let exchanging):
            if case .marking(.grant, _) = exchanging.step { actions.append(.note(session, .grantLost)) }
        case .pending, .keeping, .ended: break
        case .over: return []
        }
        state = .over
        let waiting = takeWaiters()
        if !waiting.isEmpty { actions.append(.refuse(waiting, session, isOnDisk: isOnDisk)) }
        return actions + [.wakePages(sessionID: session.id)]
    }
}

public enum AttachVerdict: Sendable, Equatable {
    case waits([SignInAction])
    case unknown
    case failed(SignInSession, SignInFailure)
    /// The result was, or is being, delivered to somebody.
    case delivered
}

public enum CancelVerdict: Sendable, Equatable {
    /// The program that cancels is answered when the end is on disk.
    case ends([SignInAction])
    case unknown
    case ended
    /// Its result is being stored.
    case isKept
}

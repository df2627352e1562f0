/// While it waits for the user: a code for another device, in addition to a page or instead of one, and the polls.
extension SignInMachine {
    // MARK: Getting a code

    /// Sends a waiter the code; a sign-in without one gets one, for all who want one at the same time.
    mutating func presentCode(to id: WaiterID) -> [SignInAction] {
        guard case .pending(var pending) = state else { return tell(id) }
        switch pending.code {
        case .given: return tell(id)
        case .asked(let askers):
            pending.code = .asked(by: askers + [id])
            state = .pending(pending)
            return []
        case .none:
            pending.code = .asked(by: [id])
            state = .pending(pending)
            return [.getCode(ticket, session)]
        }
    }

    /// There is a code; it is shown once it is on disk.
    mutating func codeGiven(_ device: DeviceAuthorization) -> [SignInAction] {
        guard case .pending(let pending) = state, case .asked = pending.code else { return [] }
        return [.write(ticket, .newCode(device, pending.secrets))]
    }

    mutating func codeStored(_ device: DeviceAuthorization, now: Timestamp) -> [SignInAction] {
        guard case .pending(let pending) = state, case .asked = pending.code else { return [] }
        return beginPolling(device, now: now) + [.note(session, .codeGiven)] + tellAll()
    }

    /// This fails only those who wanted a code: the page of the others is still valid.
    mutating func codeNotGiven(_ failure: ProviderFailure) -> [SignInAction] {
        guard case .pending(var pending) = state, case .asked(let askers) = pending.code else { return [] }
        pending.code = .none
        state = .pending(pending)
        return [.note(session, .codeNotGiven(failure))] + failWaiters(.provider(failure)) { askers.contains($0.id) } + seePageShown()
    }

    // MARK: Polling

    /// Begins to poll, or continues after a restart, unless the code has expired meanwhile.
    mutating func beginPolling(_ device: DeviceAuthorization, now: Timestamp) -> [SignInAction] {
        guard case .pending(var pending) = state else { return [] }
        let polling = DevicePolling(device)
        guard case .ask(let moment) = polling.begun(now: now) else { return codeOver(.timedOut, now: now) }
        pending.code = .given(device, polling, .due(moment))
        state = .pending(pending)
        flows.insert(.device)
        return []
    }

    /// One poll at a time.
    mutating func poll(now: Timestamp) -> [SignInAction] {
        guard case .pending(var pending) = state, case .given(let device, let polling, .due(let moment)) = pending.code, moment <= now
        else { return [] }
        pending.code = .given(device, polling, .inFlight)
        state = .pending(pending)
        return [.poll(DevicePoll(ticket: ticket, session: session, device: device, proofKey: pending.secrets.proofKey))]
    }

    /// - Parameter isClosing: the store is being locked, and this poll was the last.
    mutating func pollAnswered(_ answer: DeviceAnswer, isClosing: Bool, now: Timestamp) -> [SignInAction] {
        guard case .pending(var pending) = state, case .given(var device, var polling, .inFlight) = pending.code else {
            return SignInMachine.tooLate(answer, session)
        }
        switch polling.answered(answer, now: now) {
        case .granted(let grant): return take(.grant(grant), secrets: pending.secrets.ofNoPage, digest: nil)
        case .expired: return codeOver(.timedOut, isClosing: isClosing, now: now)
        case .ended(let failure): return codeOver(.provider(failure), isClosing: isClosing, now: now)
        case .ask(let moment):
            var actions: [SignInAction] = []
            if device.intervalSeconds != polling.intervalSeconds {
                // A provider that required longer intervals still does after a restart (RFC 8628 section 3.5: for all further polls).
                device.intervalSeconds = polling.intervalSeconds
                actions.append(.write(ticket, .code(device, pending.secrets)))
            }
            pending.code = .given(device, polling, .due(moment))
            state = .pending(pending)
            return isClosing ? actions + letGo() : actions
        }
    }

    /// An answer for a sign-in that no longer waits is discarded.
    static func tooLate(_ answer: DeviceAnswer, _ session: SignInSession) -> [SignInAction] {
        if case .granted(let grant) = answer { [.takeBack(grant, session)] } else { [] }
    }

    /// The provider cannot be asked: it is not the one that issued the code.
    mutating func pollFailed(_ failure: ProviderFailure, isClosing: Bool, now: Timestamp) -> [SignInAction] {
        guard case .pending(let pending) = state, pending.isAsked else { return [] }
        return codeOver(.provider(failure), isClosing: isClosing, now: now)
    }

    /// The code is no longer valid. If a page waits too, nothing else ends; if the user declined, everything does.
    mutating func codeOver(_ failure: SignInFailure, isClosing: Bool = false, now: Timestamp) -> [SignInAction] {
        guard case .pending(var pending) = state else { return [] }
        let isRefused = if case .provider(let failure) = failure { failure.reason == .denied } else { false }
        guard pending.page != nil, !isRefused else { return fail(failure, now: now) }
        pending.code = .none
        state = .pending(pending)
        flows.remove(.device)
        let actions: [SignInAction] = [.note(session, .codeOver(failure)), .write(ticket, .code(nil, pending.secrets))]
        return actions + (isClosing ? letGo() : tellAll())
    }
}

/// While it waits for the user: a code for another device, in addition to a page or instead of one, and the polls.
extension SignInMachine {
    // MARK: Getting a code

    /// Sends a waiter the code; a sign-in without one gets one, for all who want one at the same time.
    mutating func presentCode(to id: WaiterID) -> [SignInAction] {
        guard let pending else { return tell(id) }
        switch pending.code {
        case .given: return tell(id)
        case .asked(let askers):
            self.pending?.code = .asked(by: askers + [id])
            return []
        case .none:
            self.pending?.code = .asked(by: [id])
            return [.getCode(ticket)]
        }
    }

    /// There is a code; it is shown once it is on disk.
    public mutating func codeGiven(_ device: DeviceAuthorization) -> [SignInAction] {
        guard let pending, case .asked = pending.code else { return [] }
        return [.write(ticket, .newCode(device, pending.secrets))]
    }

    public mutating func codeStored(_ device: DeviceAuthorization, now: Timestamp) -> [SignInAction] {
        guard case .asked = pending?.code else { return [] }
        return beginPolling(device, now: now) + [.note(session, .codeGiven)] + tellAll()
    }

    /// The code could not be obtained or stored. This fails only those who wanted a code: the page of the others is still valid.
    public mutating func codeNotGiven(_ failure: ProviderFailure) -> [SignInAction] {
        guard case .asked(let askers) = pending?.code else { return [] }
        pending?.code = Pending.Code.none
        return [.note(session, .codeNotGiven(failure))] + failWaiters(.provider(failure)) { askers.contains($0.id) } + seePageShown()
    }

    // MARK: Polling

    /// Begins to poll, or continues after a restart, unless the code has expired meanwhile.
    mutating func beginPolling(_ device: DeviceAuthorization, now: Timestamp) -> [SignInAction] {
        guard pending != nil else { return [] }
        let polling = DevicePolling(device)
        guard case .ask(let moment) = polling.begun(now: now) else { return codeOver(.timedOut, now: now) }
        pending?.code = .given(device, polling, .due(moment))
        flows.insert(.device)
        return []
    }

    /// One poll at a time.
    mutating func poll(now: Timestamp) -> [SignInAction] {
        guard let pending, case .given(let device, let polling, .due(let moment)) = pending.code, moment <= now else { return [] }
        self.pending?.code = .given(device, polling, .inFlight(isLast: false))
        return [.poll(DevicePoll(ticket: ticket, device: device, proofKey: pending.secrets.proofKey))]
    }

    /// The grant for a sign-in that no longer waits is taken back.
    public mutating func pollAnswered(_ answer: DeviceAnswer, now: Timestamp) -> [SignInAction] {
        guard let pending, case .given(var device, var polling, .inFlight(let isLast)) = pending.code else {
            return if case .granted(let grant) = answer { [.takeBack(grant, session)] } else { [] }
        }
        switch polling.answered(answer, now: now) {
        case .granted(let grant): return take(.grant(grant), secrets: pending.secrets.ofNoPage, digest: nil)
        case .expired: return codeOver(.timedOut, now: now)
        case .ended(let failure): return codeOver(.provider(failure), now: now)
        case .ask(let moment):
            var actions: [SignInAction] = []
            if device.intervalSeconds != polling.intervalSeconds {
                // A provider that required longer intervals still does after a restart (RFC 8628 section 3.5: for all further polls).
                device.intervalSeconds = polling.intervalSeconds
                actions.append(.write(ticket, .code(device, pending.secrets)))
            }
            self.pending?.code = .given(device, polling, .due(moment))
            return isLast ? actions + letGo() : actions
        }
    }

    /// The provider cannot be asked: it is not the one that issued the code.
    public mutating func pollFailed(_ failure: ProviderFailure, now: Timestamp) -> [SignInAction] {
        pending?.isAsked == true ? codeOver(.provider(failure), now: now) : []
    }

    /// The code is no longer valid. If a page waits too, nothing else ends; if the user declined, everything does.
    mutating func codeOver(_ failure: SignInFailure, now: Timestamp) -> [SignInAction] {
        guard let pending else { return [] }
        let isRefused = if case .provider(let failure) = failure { failure.reason == .denied } else { false }
        guard pending.page != nil, !isRefused else { return fail(failure, now: now) }
        self.pending?.code = Pending.Code.none
        flows.remove(.device)
        let actions: [SignInAction] = [.note(session, .codeOver(failure)), .write(ticket, .code(nil, pending.secrets))]
        return actions + (pending.isClosing ? letGo() : tellAll())
    }
}

/// From the question to the moment at which there is something to show.
extension SignInMachine {
    init(
        ticket: SignInTicket, session: SignInSession, secrets: FlowSecrets, flow: ProviderFlow, expiresAt: Timestamp, waiter: SignInWaiter
    ) {
        self.init(
            ticket: ticket, session: session, expiresAt: expiresAt, stateHashes: [], waiters: [waiter],
            state: .preparing(Preparing(secrets: secrets, flow: flow)))
    }

    func began() -> [SignInAction] {
        guard case .preparing(let preparing) = state else { return [] }
        return [.note(session, .asked), .prepare(ticket, session, preparing.secrets, preparing.flow)]
    }

    /// Which client the provider is spoken to as is known, and there is a page or a code.
    mutating func prepared(_ way: PreparedWay, binding: ProviderBinding) -> [SignInAction] {
        guard case .preparing(var preparing) = state, case .asking = preparing.step else { return [] }
        session.binding = binding
        var device: DeviceAuthorization?
        switch way {
        case .page(let made):
            if let key = made.key { stateHashes.append(key) }
            if let token = made.requestToken { preparing.secrets.requestTokens.append(token) }
        case .code(let code): device = code
        }
        preparing.step = .storing(way, storedUntil: expiresAt)
        state = .preparing(preparing)
        let stored = StoredSignIn(
            session: session, stateHashes: stateHashes, expiresAt: expiresAt, standing: .pending(preparing.secrets, device))
        return [.write(ticket, .begin(stored))]
    }

    /// It is on disk, as it was when that was asked for.
    ///
    /// - Parameter failure: it is not; or its provider is another one by now.
    mutating func stored(failure: SignInFailure?, now: Timestamp) -> [SignInAction] {
        guard case .preparing(var preparing) = state, case .storing(let way, let storedUntil) = preparing.step else { return [] }
        // A reload, or a disk that is full. It may be on disk anyway, where nobody would ever take it up.
        if let failure { return fail(failure, now: now) + [.delete([session.id])] }
        // Somebody with more patience joined meanwhile.
        guard expiresAt <= storedUntil else {
            preparing.step = .storing(way, storedUntil: expiresAt)
            state = .preparing(preparing)
            return [.write(ticket, .extend(until: expiresAt, for: nil))]
        }
        var pending = Pending(secrets: preparing.secrets)
        if case .page(let made) = way { pending.page = Pending.Page(made.page) }
        state = .pending(pending)
        var actions: [SignInAction] = [.note(session, .waits(way.flow))]
        if case .code(let device) = way { actions += beginPolling(device, now: now) }
        actions += tellAll() + seePageShown()
        // Who came meanwhile and wants the other way. All others know all that there is.
        for waiter in waiters {
            if let flow = waiter.flow, flow != way.flow { actions += offer(flow, to: waiter.id, now: now) }
        }
        return actions
    }
}

extension SignInMachine.Pending.Page {
    init(_ made: AuthorizationPage) {
        self.init(url: Secret(made.url), expiresAt: made.expiresAt, shownBy: nil)
    }
}

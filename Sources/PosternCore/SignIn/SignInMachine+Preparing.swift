/// From the request until there is something to show.
extension SignInMachine {
    init(
        ticket: SignInTicket, session: SignInSession, secrets: FlowSecrets, flow: ProviderFlow, expiresAt: Timestamp, waiter: SignInWaiter
    ) {
        self.init(
            ticket: ticket, session: session, expiresAt: expiresAt,
            latestEnd: session.startedAt.adding(seconds: SignIns.longestLifeSeconds), stateHashes: [], waiters: [waiter],
            flows: [flow], state: .preparing(Preparing(secrets: secrets, flow: flow)))
    }

    func began() -> [SignInAction] {
        guard case .preparing(let preparing) = state else { return [] }
        return [.note(session, .asked), .prepare(ticket, session, preparing.secrets, preparing.flow)]
    }

    /// It is known which client is used, and there is a page or a code.
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
            session: session, stateHashes: stateHashes, expiresAt: expiresAt, status: .pending(preparing.secrets, device))
        return [.write(ticket, .begin(stored))]
    }

    /// It is on disk, as it was when the write was requested.
    ///
    /// - Parameter failure: it is not; or its provider has been replaced.
    mutating func stored(failure: ProviderFailure?, now: Timestamp) -> [SignInAction] {
        guard case .preparing(var preparing) = state, case .storing(let way, let storedUntil) = preparing.step else { return [] }
        // The configuration was reloaded, or the disk is full. It may be on disk anyway, where nobody would ever continue it.
        if let failure { return fail(.provider(failure), now: now) + [.delete([session.id])] }
        // Somebody with a later deadline joined meanwhile.
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
        // Those who came meanwhile and want the other flow. All others know everything there is.
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

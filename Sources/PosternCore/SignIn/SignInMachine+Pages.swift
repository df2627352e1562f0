/// From the request until there is something to show.
extension SignInMachine {
    init(
        generation: UInt64, session: SignInSession, secrets: FlowSecrets, flow: ProviderFlow, expiresAt: Timestamp, waiter: SignInWaiter
    ) {
        self.init(
            generation: generation, session: session, expiresAt: expiresAt,
            latestEnd: session.startedAt.adding(seconds: SignIns.longestLifeSeconds), stateHashes: [], waiters: [waiter],
            askers: [(waiter.id, session.requester)], flows: [flow], state: .preparing(Preparing(secrets: secrets, flow: flow)))
    }

    func began() -> [SignInAction] {
        guard case .preparing(let preparing) = state else { return [] }
        return [.note(session, .asked), .prepare(ticket, preparing.secrets, preparing.flow)]
    }

    /// It is known which client is used, and there is a page or a code.
    mutating func prepared(_ way: PreparedWay, binding: ProviderBinding, redirectURI: String? = nil) -> [SignInAction] {
        guard case .preparing(var preparing) = state, case .asking = preparing.step else { return [] }
        session.binding = binding
        if let redirectURI { session.redirectURI = redirectURI }
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
    public mutating func stored(failure: ProviderFailure?, now: Timestamp) -> [SignInAction] {
        // It ended while it was being written.
        if case .over = state { return [.delete([session.id])] }
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
    init(_ made: AuthorizationPage, shownBy: PagePresenter? = nil) {
        self.init(url: Secret(made.url), expiresAt: made.expiresAt, shownBy: shownBy)
    }
}

/// While it waits for the user: the page or the code, and who sees it.
extension SignInMachine {
    /// The most states of a sign-in; a program that attaches after that gets the page of the last one.
    static let mostStates = 16

    /// Another program asks the same, and waits for the same answer.
    public mutating func joined(_ waiter: SignInWaiter, now: Timestamp) -> [SignInAction] {
        waiters.append(waiter)
        if let requester = waiter.requester { askers.append((waiter.id, requester)) }
        let before = expiresAt
        // However many join, a sign-in waits no longer than the longest time that one program may request.
        if phase == .authorizationPending, let deadline = waiter.deadline { expiresAt = max(expiresAt, min(deadline, latestEnd)) }
        let note = SignInAction.note(session, .joined)
        switch state {
        // What it is sent and what it wants is decided when there is something.
        case .preparing: return [note]
        case .pending where expiresAt > before: return [note, .write(ticket, .extend(until: expiresAt, for: waiter.id))]
        case .pending: return [note] + offer(waiter.flow, to: waiter.id, now: now)
        case .exchanging, .keeping: return [note] + tell(waiter.id)
        case .ended, .over: return [note]
        }
    }

    /// The later deadline is on disk.
    public mutating func extended(for id: WaiterID, failure: ProviderFailure?, now: Timestamp) -> [SignInAction] {
        guard let waiter = waiter(id) else { return [] }
        if let failure { return failWaiters(.provider(failure)) { $0.id == id } }
        return offer(waiter.flow, to: id, now: now)
    }

    /// Makes sure that the sign-in has this flow in addition to those it has, and that the waiter knows of it.
    mutating func offer(_ flow: ProviderFlow?, to id: WaiterID, now: Timestamp) -> [SignInAction] {
        switch flow {
        case .browser?: present(to: id, needsPage: true, now: now)
        case .device?: presentCode(to: id)
        case nil: present(to: id, now: now)
        }
    }

    // MARK: Pages

    /// Sends a waiter the sign-in's progress, and makes sure that the page can be found.
    ///
    /// - Parameters:
    ///   - renews: the page gets its own state: the previous one may be used up at the provider, or in another browser.
    ///   - needsPage: this waiter wants a page although the sign-in began without one.
    mutating func present(to id: WaiterID, renews: Bool = false, needsPage: Bool = false, now: Timestamp) -> [SignInAction] {
        guard let pending else { return tell(id) }
        let isStale = pending.page?.isOpenable(now: now) != true || renews && stateHashes.count + pending.renewals < Self.mostStates
        guard isStale, pending.page != nil || needsPage else { return tell(id) + seePageShown() }
        self.pending?.renewals += 1
        let isLost = pending.page.map { $0.url == nil } ?? false
        let isOfKeptToken = isLost && !pending.secrets.requestTokens.isEmpty
        return [.makePage(PageRenewal(ticket: ticket, secrets: pending.secrets, waiter: id, isOfKeptToken: isOfKeptToken))]
    }

    /// There is a further page; it is handed out once its callback will be recognised after a restart, too.
    mutating func pageMade(_ made: MadePage, for renewal: PageRenewal) -> [SignInAction] {
        guard let key = made.key, pending != nil else { return pageStored(made, for: renewal) }
        stateHashes.append(key)
        if let token = made.requestToken { pending?.secrets.requestTokens.append(token) }
        return pending.map { [.write(ticket, .page(made, renewal, $0.secrets, $0.device))] } ?? []
    }

    public mutating func pageStored(_ made: MadePage, for renewal: PageRenewal) -> [SignInAction] {
        guard let pending else { return [] }
        self.pending?.renewals -= 1
        self.pending?.page = Pending.Page(made.page, shownBy: pending.page?.shownBy)
        flows.insert(.browser)
        // The first page is a further flow for all who wait.
        return (pending.page == nil ? tellAll() : tell(renewal.waiter)) + seePageShown()
    }

    /// The page could not be made or stored. The one that was opened before is still valid, as long as its provider is the same; a waiter
    /// without a page gets the error.
    public mutating func pageNotMade(_ renewal: PageRenewal, _ failure: ProviderFailure, now: Timestamp) -> [SignInAction] {
        guard let pending else { return [] }
        self.pending?.renewals -= 1
        let note = SignInAction.note(session, .pageNotMade(failure))
        if failure.reason == .providerNotConfigured { return [note] + fail(.provider(failure), now: now) }
        let isSomewhere = pending.page?.url != nil || pending.page?.shownBy == .daemon
        guard isSomewhere || waiter(renewal.waiter)?.presenter != .daemon else {
            return [note] + failWaiters(.provider(failure)) { $0.id == renewal.waiter } + seePageShown()
        }
        return [note] + tell(renewal.waiter) + seePageShown()
    }

    // MARK: Showing the page

    /// Opens the page, unless somebody already shows it. To be called whenever the page or its waiters have changed.
    mutating func seePageShown() -> [SignInAction] {
        guard let page = pending?.page, page.url != nil else { return [] }
        let presenters = waiters.compactMap(\.presenter)
        switch page.shownBy {
        case .daemon: return []
        // A program that said it would show the page and left may never have done so; one that still waits has it.
        case .client: if presenters.contains(.client) { return [] }
        case nil: break
        }
        // The first program decides.
        guard let presenter = presenters.first else { return [] }
        pending?.page?.shownBy = presenter
        return presenter == .daemon ? [.openPage(ticket)] : []
    }

    /// - Returns: what to open; nil if it is no longer wanted.
    mutating func pageTurnCame() -> Secret? {
        guard waiters.isEmpty else { return pending?.page?.url }
        // Everybody had left: it is opened for those who come back.
        pending?.page?.shownBy = nil
        return nil
    }

    /// - Parameter problem: why it was not; nil if it was.
    public mutating func pageOpened(problem: String?) -> [SignInAction] {
        if case .over = state { return [] }
        if problem != nil { pending?.page?.shownBy = nil }
        pending?.page?.problem = problem
        guard let problem else { return [.note(session, .pageOpened)] }
        // Those who get no URL would wait for a page that nobody sees.
        let failure = ProviderFailure.internal(
            message: "no page could be opened in a browser: \(problem); ask with `more` to learn the URL, or set sign-in.browser")
        return [.note(session, .pageNotOpened(problem))] + failWaiters(.provider(failure)) { !$0.wantsEveryEvent } + tellAll()
    }
}

/// While it waits for the user: the page or the code, and who sees it.
extension SignInMachine {
    /// The most states of a sign-in; a program that attaches after that gets the page of the last one.
    static let mostStates = 16

    /// Another program asks the same, and waits for the same answer.
    mutating func joined(_ waiter: SignInWaiter, now: Timestamp) -> [SignInAction] {
        waiters.append(waiter)
        if let requester = waiter.requester { joiners.append((waiter.id, requester)) }
        var actions: [SignInAction] = [.note(session, .joined)]
        let before = expiresAt
        extend(until: waiter.deadline)
        switch state {
        // What it is sent and what it wants is decided when there is something.
        case .preparing: break
        case .pending:
            if expiresAt > before {
                actions.append(.write(ticket, .extend(until: expiresAt, for: waiter.id)))
            } else {
                actions += offer(waiter.flow, to: waiter.id, now: now)
            }
        case .exchanging, .keeping: actions += tell(waiter.id)
        case .ended, .over: break
        }
        return actions
    }

    /// However many join, a sign-in waits no longer than the longest time that one program may request.
    private mutating func extend(until deadline: Timestamp?) {
        switch state {
        case .preparing, .pending:
            guard let deadline else { return }
            expiresAt = max(expiresAt, min(deadline, latestEnd))
        case .exchanging, .keeping, .ended, .over: break
        }
    }

    /// The later deadline is on disk.
    mutating func extended(for id: WaiterID, failure: ProviderFailure?, now: Timestamp) -> [SignInAction] {
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
        guard case .pending(var pending) = state else { return tell(id) }
        let isStale = pending.page?.isOpenable(now: now) != true || renews && stateHashes.count + pending.renewals < Self.mostStates
        guard isStale, pending.page != nil || needsPage else { return tell(id) + seePageShown() }
        pending.renewals += 1
        state = .pending(pending)
        let isLost = pending.page.map { $0.url == nil } ?? false
        return [
            .makePage(
                PageRenewal(
                    ticket: ticket, session: session, secrets: pending.secrets, waiter: id,
                    isOfKeptToken: isLost && !pending.secrets.requestTokens.isEmpty))
        ]
    }

    /// There is a further page; it is handed out once its callback will be recognised after a restart, too.
    mutating func pageMade(_ made: MadePage, for renewal: PageRenewal, now: Timestamp) -> [SignInAction] {
        guard case .pending(var pending) = state else { return [] }
        guard let key = made.key else { return pageStored(made, for: renewal) }
        stateHashes.append(key)
        if let token = made.requestToken { pending.secrets.requestTokens.append(token) }
        state = .pending(pending)
        return [.write(ticket, .page(made, renewal, pending.secrets, pending.device))]
    }

    mutating func pageStored(_ made: MadePage, for renewal: PageRenewal) -> [SignInAction] {
        guard case .pending(var pending) = state else { return [] }
        pending.renewals -= 1
        let isFirst = pending.page == nil
        let shownBy = pending.page?.shownBy
        pending.page = Pending.Page(made.page)
        pending.page?.shownBy = shownBy
        flows.insert(.browser)
        state = .pending(pending)
        // The first page is a further flow for all who wait.
        return (isFirst ? tellAll() : tell(renewal.waiter)) + seePageShown()
    }

    /// The page that was opened before is still valid, as long as its provider is the same; a waiter without a page gets the error.
    mutating func pageNotMade(_ renewal: PageRenewal, _ failure: ProviderFailure, now: Timestamp) -> [SignInAction] {
        guard case .pending(var pending) = state else { return [] }
        pending.renewals -= 1
        state = .pending(pending)
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
        guard case .pending(var pending) = state, let page = pending.page, page.url != nil else { return [] }
        let presenters = waiters.compactMap(\.presenter)
        switch page.shownBy {
        case .daemon: return []
        // A program that said it would show the page and left may never have done so; one that still waits has it.
        case .client: if presenters.contains(.client) { return [] }
        case nil: break
        }
        // The first program decides.
        guard let presenter = presenters.first else { return [] }
        pending.page?.shownBy = presenter
        state = .pending(pending)
        return presenter == .daemon ? [.openPage(ticket, session.request)] : []
    }

    /// - Returns: what to open; nil if it is no longer wanted.
    mutating func pageTurnCame() -> Secret? {
        guard case .pending(var pending) = state else { return nil }
        guard waiters.isEmpty else { return pending.page?.url }
        // Everybody had left: it is opened for those who come back.
        pending.page?.shownBy = nil
        state = .pending(pending)
        return nil
    }

    /// - Parameter problem: why it was not; nil if it was.
    mutating func pageOpened(problem: String?) -> [SignInAction] {
        if case .pending(var pending) = state {
            if problem != nil { pending.page?.shownBy = nil }
            pending.page?.problem = problem
            state = .pending(pending)
        }
        guard let problem else { return [.note(session, .pageOpened)] }
        // Those who get no URL would wait for a page that nobody sees.
        let failure = ProviderFailure.internal(
            message: "no page could be opened in a browser: \(problem); ask with `more` to learn the URL, or set sign-in.browser")
        return [.note(session, .pageNotOpened(problem))] + failWaiters(.provider(failure)) { !$0.wantsEveryEvent } + tellAll()
    }
}

import PosternCore
import PosternInterface

extension SignInCoordinator {
    /// A program asks for a sign-in; the request was checked already.
    ///
    /// - Parameters:
    ///   - flow: a way to the provider that is to be there; a sign-in that waits already gets it beside the one that it has.
    ///   - requester: the program, in words for the result page and the log.
    /// - Returns: the waiter, for ``left(_:)``; nil where the answer was given at once.
    func asked(
        _ question: SignInQuestion, of provider: Provider, by flow: ProviderFlow = .browser, timeoutSeconds: Int64,
        requester: String, listener: any SignInListener
    ) -> WaiterID? {
        let now = platform.now
        let deadline = now.adding(seconds: timeoutSeconds)
        switch table.opening(for: question, now: now, isCurrent: { providers.isCurrent($0, for: provider) }) {
        case .tooManySessions(let limit):
            listener.failed(
                .tooManySessions(
                    message: "\(limit) sign-ins are waiting already; finish or cancel some of them (postern sessions)", limit: limit))
            return nil
        case .join(let sessionID):
            return joined(sessionID, by: flow, listener: listener, deadline: deadline)
        case .start:
            return begin(question, of: provider, by: flow, deadline: deadline, now: now, requester: requester, listener: listener)
        }
    }

    private func joined(
        _ sessionID: String, by flow: ProviderFlow, listener: any SignInListener, deadline: Timestamp
    ) -> WaiterID {
        let before = table[sessionID]?.expiresAt
        let waiter = add(listener, to: sessionID, deadline: deadline)
        if let session = table[sessionID] {
            feed.post(.signInJoined, "another program waits for the same sign-in", session: session)
            log.info("joined a sign-in that waits", event: .signInStarted, session: session)
        }
        start {
            // While it is being prepared, its preparation sees to this.
            if let before, self.pages[sessionID]?.isStored == true {
                do throws(SignInFailure) { try await self.keepExpiry(of: sessionID, stored: before) } catch {
                    self.left(waiter)
                    listener.failed(.storeDamaged(message: "\(error)"))
                    return
                }
            }
            await self.offer(flow, of: sessionID, to: waiter)
        }
        return waiter
    }

    /// A promise of more patience holds after a restart, too.
    private func keepExpiry(of sessionID: String, stored: Timestamp) async throws(SignInFailure) {
        guard let session = table[sessionID], session.phase == .authorizationPending, session.expiresAt > stored else { return }
        do { try await store.opened().extend(sessionID: sessionID, until: session.expiresAt) } catch {
            throw .storeUnavailable(message: "the longer life of a sign-in could not be kept: \(error)")
        }
    }

    private func begin(
        _ question: SignInQuestion, of provider: Provider, by flow: ProviderFlow, deadline: Timestamp, now: Timestamp,
        requester: String, listener: any SignInListener
    ) -> WaiterID? {
        var session: SignInSession
        let state: String
        do throws(RandomnessFailure) {
            state = Base64URL.encode(try platform.randomness.bytes(32))
            session = SignInSession(
                id: RandomIdentifier.sessionID(randomBytes: try platform.randomness.bytes(24)), question: question,
                binding: provider.binding,
                requester: requester, isShownByClient: listener.presentation == .client, startedAt: now, expiresAt: deadline,
                stateHashes: flow == .browser ? [exchange.cryptography.sha256(Array(state.utf8))] : [],
                codeVerifier: Secret(Base64URL.encode(try platform.randomness.bytes(32))),
                nonce: provider.kind == .oidc ? Secret(Base64URL.encode(try platform.randomness.bytes(32))) : nil,
                redirectURI: origins.redirectURI(of: provider), pageID: Base64URL.encode(try platform.randomness.bytes(16)))
            if provider.extensions.usesDPoP { session.proofKey = try platform.randomness.proofKey() }
        } catch {
            listener.failed(.internalError(message: "no random numbers could be had: \(error)"))
            return nil
        }
        if case .relay = provider.redirectURI { session.relayedTo = origins.listenerURI(of: provider) }
        // In the table before the first await: whoever asks the same meanwhile joins.
        table.began(session)
        pages[session.id] = Page()
        let waiter = add(listener, to: session.id, deadline: deadline)
        log.info("sign-in asked for by \(requester)", event: .signInStarted, session: session)
        start { [session] in await self.prepare(session, provider: provider, by: flow, state: state) }
        return waiter
    }

    /// Learns where the page is, or gets a code, makes the session durable, and shows what it has.
    private func prepare(_ asked: SignInSession, provider: Provider, by flow: ProviderFlow, state: String) async {
        var session = asked
        do throws(SignInFailure) {
            let provider = try await providers.withClient(provider, redirectURI: session.redirectURI)
            session.binding = provider.binding
            table.bound(session.id, to: provider.binding)
            var page: AuthorizationPage?
            switch flow {
            case .browser:
                if provider.kind == .oauth1 { session = try await withRequestToken(session, of: provider, state: state).session }
                page = try await authorizationPage(for: session, of: provider, state: state)
            case .device: session.device = try await exchange.deviceAuthorization(for: session, of: provider)
            }
            guard table[session.id]?.phase == .authorizationPending else { return }
            do { try await store.opened().begin(session) } catch {
                throw .storeUnavailable(message: "the sign-in could not be kept: \(error)")
            }
            // Cancelled while it was being written: what was written goes again.
            guard table[session.id]?.phase == .authorizationPending else { return await removeUnwanted(session.id) }
            pages[session.id]?.isStored = true
            // A reload meanwhile may have given the name to another provider.
            _ = try providers.provider(provider.id, boundTo: session.binding)
            if let page { pages[session.id]?.opens(page) }
            table.deviceChanged(session.device, of: session.id)
            try await keepExpiry(of: session.id, stored: session.expiresAt)
            guard let current = table[session.id], current.phase == .authorizationPending else { return }
            feed.post(.signInStarted, "a \(flow == .device ? "code" : "page") waits for its person", session: current)
            tellEveryEvent(of: current)
            seePageShown(of: session.id)
            startPolling(session.id)
            await offerLatecomers(of: session.id)
        } catch {
            await providers.failed(error, with: session.binding, at: provider.id)
            await end(session.id, error)
        }
    }

    private func removeUnwanted(_ sessionID: String) async {
        do { try await store.opened().deleteSessions(ids: [sessionID]) } catch {
            log.warning("a sign-in that was cancelled could not be removed: \(error)", event: .storeProblem)
        }
    }

    /// A sign-in has so many states at most; whoever attaches after that gets the page of the last one.
    private static let mostStates = 16

    /// Tells a waiter who came later where things stand, and sees to it that the page can be found.
    ///
    /// - Parameters:
    ///   - renews: the page is to have a state of its own: the one before may be used up at the provider, or in another browser.
    ///   - needsPage: this waiter wants a page though the sign-in began without one.
    func present(_ sessionID: String, to waiter: WaiterID, renews: Bool = false, needsPage: Bool = false) async {
        // Still being prepared: the event comes when it is.
        guard let page = pages[sessionID], page.isStored, let session = table[sessionID], session.phase.isLive else { return }
        let isStale = !page.isOpenable(now: platform.now) || renews && session.stateHashes.count + page.renewals < Self.mostStates
        if session.phase == .authorizationPending, isStale, session.hasPage || needsPage {
            // Counted before the next await: whoever comes meanwhile has to see it.
            pages[sessionID]?.renewals += 1
            defer { pages[sessionID]?.renewals -= 1 }
            do throws(SignInFailure) { try await renewPage(of: session) } catch {
                if await pageNotRenewed(error, of: session, for: waiter) { return }
            }
        }
        guard let current = table[sessionID], current.phase.isLive else { return }
        if current.hasPage, !session.hasPage {
            // A further way for all who wait.
            tellEveryEvent(of: current)
        } else if let listener = waiters[waiter]?.listener, listener.wantsEveryEvent {
            listener.eventHappened(event(current))
        }
        seePageShown(of: sessionID)
    }

    /// The page that was opened before a restart is still good, as long as its provider is the same; who has none is told.
    ///
    /// - Returns: whether this waiter has its answer.
    private func pageNotRenewed(_ failure: SignInFailure, of session: SignInSession, for waiter: WaiterID) async -> Bool {
        log.warning("the page of a sign-in could not be made anew: \(failure)", event: .signInFailed, session: session)
        if case .providerNotConfigured = failure {
            await end(session.id, failure)
            return true
        }
        guard pages[session.id]?.url == nil, pages[session.id]?.shownBy != .daemon, let listener = waiters[waiter]?.listener,
            listener.presentation == .daemon
        else { return false }
        left(waiter)
        listener.failed(InterfaceError(failure, session: session, providerName: providers.displayName(session.question.providerID)))
        return true
    }

    /// After a restart the URL is gone, because its state is kept as a hash only, and what was pushed to a provider is soon forgotten
    /// there: a further state is made for the session.
    private func renewPage(of session: SignInSession) async throws(SignInFailure) {
        let state: String
        do { state = Base64URL.encode(try platform.randomness.bytes(32)) } catch {
            throw .internal(message: "no random numbers could be had: \(error)")
        }
        let provider = try providers.provider(session.question.providerID, boundTo: session.binding)
        guard provider.kind != .oauth1 else { return try await renewSignedPage(of: session, at: provider, state: state) }
        let page = try await authorizationPage(for: session, of: provider, state: state)
        let hash = exchange.cryptography.sha256(Array(state.utf8))
        do { try await store.opened().addState(hash: hash, to: session.id) } catch {
            throw .storeUnavailable(message: "the new page could not be kept: \(error)")
        }
        guard table[session.id]?.phase == .authorizationPending else { return }
        table.stateAdded(hash, to: session.id)
        pages[session.id]?.opens(page)
    }

    func authorizationPage(
        for session: SignInSession, of provider: Provider, state: String
    ) async throws(SignInFailure) -> AuthorizationPage {
        let resolved = try await providers.resolve(provider)
        return try await exchange.authorizationPage(for: session, of: resolved, state: state)
    }

    // MARK: Showing the page

    /// Shows the page, unless somebody's screen has it. Called whenever the page, or who waits for it, has changed.
    func seePageShown(of sessionID: String) {
        guard let page = pages[sessionID], page.url != nil else { return }
        guard let session = table[sessionID], session.phase == .authorizationPending else { return }
        let presentations = table.waiters(of: sessionID).compactMap { waiters[$0]?.listener.presentation }
        switch page.shownBy {
        case .daemon: return
        // A program that said it would show the page and went may never have done so; one that still waits has it.
        case .client: if presentations.contains(.client) { return }
        case nil: break
        }
        // Who asked first decides.
        guard let presenter = presentations.first else { return }
        pages[sessionID]?.shownBy = presenter
        guard presenter == .daemon else { return }
        opener.open(for: session.question) { [weak self] in
            guard let self, table[sessionID]?.phase == .authorizationPending else { return nil }
            // Its turn came late, and everybody had left: it is opened for who comes back.
            guard !table.waiters(of: sessionID).isEmpty else {
                pages[sessionID]?.shownBy = nil
                return nil
            }
            return pages[sessionID]?.url?.reveal()
        } done: { [weak self] problem in
            self?.pageOpened(sessionID, problem: problem)
        }
    }

    private func pageOpened(_ sessionID: String, problem: String?) {
        guard let session = table[sessionID] else { return }
        guard let problem else {
            feed.post(.pageOpened, "the page was opened in the browser", session: session)
            log.info("page opened", event: .signInStarted, session: session)
            return
        }
        pages[sessionID]?.shownBy = nil
        feed.post(.pageNotOpened, "the page could not be opened: \(problem)", session: session)
        log.warning("the page could not be opened: \(problem)", event: .signInFailed, session: session)
        // Who learns of no URL would wait for a page that nobody sees.
        for id in table.waiters(of: sessionID) {
            guard let listener = waiters[id]?.listener, !listener.wantsEveryEvent else { continue }
            left(id)
            listener.failed(
                .internalError(
                    message: "no page could be opened in a browser: \(problem); ask with `more` to learn the URL, or set sign-in.browser"))
        }
    }
}

import PosternCore
import PosternInterface

extension SignInCoordinator {
    /// What the last life of the daemon left behind comes back.
    func restore(_ sessions: [SignInSession]) async {
        // What began while the store was being opened is known already.
        let sessions = sessions.filter { table[$0.id] == nil }
        for session in sessions {
            table.began(session)
            var page = Page()
            page.isStored = true
            if session.hasPage { page.shownBy = session.isShownByClient ? .client : .daemon }
            pages[session.id] = page
            startPolling(session.id)
        }
        for session in sessions where session.phase == .exchanging {
            await end(
                session.id,
                .exchangeFailed(
                    error: nil, description: nil,
                    message: "the daemon ended while the code was on its way, and a code is never sent twice; sign in again"))
        }
        reschedule()
    }

    /// Sign-ins whose provider left the configuration, or gave its name to another one, can only fail: they do so at once.
    func endUnbound() {
        // One that is still being prepared looks by itself.
        for session in table.sessions where session.phase == .authorizationPending && pages[session.id]?.isStored == true {
            do throws(SignInFailure) { _ = try providers.provider(session.question.providerID, boundTo: session.binding) } catch {
                start { await self.end(session.id, error) }
            }
        }
    }

    /// Takes up a sign-in again.
    ///
    /// - Returns: the waiter, for ``left(_:)``; nil where the answer was given at once.
    func attached(_ sessionID: String, listener: any SignInListener) -> WaiterID? {
        guard let session = table[sessionID] else {
            listener.failed(Self.noSession)
            return nil
        }
        switch session.outcome {
        case nil:
            let waiter = add(listener, to: sessionID, deadline: nil)
            feed.post(.signInJoined, "another program took the sign-in up", session: session)
            // Who shows the page by itself opens it again, perhaps in another browser.
            start { await self.present(sessionID, to: waiter, renews: listener.presentation == .client) }
            return waiter
        case .failed(let failure):
            listener.failed(
                InterfaceError(failure, session: session, providerName: providers.displayName(session.question.providerID)))
            return nil
        case .completed, .refused:
            guard let outcome = session.outcome, !session.isDelivered, pages[sessionID]?.isBeingDelivered != true else {
                listener.failed(Self.wasDelivered)
                return nil
            }
            let waiter = add(listener, to: sessionID, deadline: nil)
            // At once: of several who come at the same time one gets it.
            pages[sessionID]?.isBeingDelivered = true
            start { await self.deliver(outcome, of: session, to: [waiter]) }
            return waiter
        }
    }

    /// - Throws: ``InterfaceError/sessionNotFound(message:)`` where there is nothing to cancel any more, or what the store says where
    ///   the end could not be written: after a restart the sign-in could then go on.
    func cancelled(_ sessionID: String) async throws(InterfaceError) {
        guard let session = table[sessionID] else { throw Self.noSession }
        guard session.phase.isLive else { throw .sessionNotFound(message: "this sign-in has ended already") }
        guard pages[sessionID]?.isBeingKept != true else {
            throw .sessionNotFound(message: "this sign-in is ending just now, with a result")
        }
        if let error = await end(sessionID, .cancelled) { throw InterfaceError(error) }
    }

    static let wasDelivered = InterfaceError.sessionNotFound(message: "the result of this sign-in was, or is being, delivered already")

    static let noSession = InterfaceError.sessionNotFound(
        message: "no sign-in with this session ID waits here; it may have expired (postern sessions shows those that wait)")
}

extension SignInCoordinator {
    /// The user is gone, and with it what finished sign-ins of it have to deliver.
    func forgetResults(of user: User) {
        forget(table.sessions.filter { $0.outcome?.isOf(user) == true && pages[$0.id]?.isBeingDelivered != true }.map(\.id))
    }
}

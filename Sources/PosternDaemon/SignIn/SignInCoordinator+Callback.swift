import NIOCore
import PosternCore
import PosternInterface

extension SignInCoordinator {
    /// A redirect came back, by HTTP or handed over.
    ///
    /// The state decides alone whether it means anything, or the request token in its place (``CallbackKey``); what has none that waits
    /// changes nothing (RFC 9700 section 4.7).
    ///
    /// - Parameter path: where it arrived, in the words of ``SignInSession/awaits(answerAt:)``.
    /// - Returns: the session and its page; nil where it was not recognised.
    func redirectReturned(_ parameters: CallbackParameters, path: String) async -> (sessionID: String, pageID: String)? {
        guard let key = CallbackKey.hash(of: parameters, cryptography: exchange.cryptography) else { return nil }
        let action = table.callbackArrived(
            stateHash: key, path: path, requestToken: parameters.requestToken, digest: digest(of: parameters), now: WallClock.now)
        switch action {
        case .notRecognised:
            log.info("a callback without a known state was refused", event: .callbackRefused)
            return nil
        case .repeated(let pageID):
            return table.session(page: pageID).map { ($0.id, pageID) }
        case .take(let session):
            feed.post(.callbackReceived, "the browser came back", session: session)
            await take(parameters, for: session)
            return (session.id, session.pageID)
        }
    }

    /// Equal for equal answers, whatever the order of their parameters.
    private func digest(of parameters: CallbackParameters) -> [UInt8] {
        let names = ["state", "code", "iss", "error", "error_description", "oauth_token", "oauth_verifier", "denied", "oauth_problem"]
        let parts = names.map { name in exchange.cryptography.sha256(parameters[name]?.revealBytes() ?? []) }
        return exchange.cryptography.sha256(parts.flatMap { $0 })
    }

    private func take(_ parameters: CallbackParameters, for session: SignInSession) async {
        exchanges += 1
        activityChanged()
        pages[session.id]?.url = nil
        stopPolling(session.id)
        do {
            // Durable before the code leaves: two lives of the daemon never send one code twice.
            guard try await store.opened().markExchanging(sessionID: session.id) else {
                throw SignInFailure.internal(message: "the sign-in had been answered before")
            }
        } catch let failure as SignInFailure {
            exchanges -= 1
            await end(session.id, failure)
            return
        } catch {
            exchanges -= 1
            await end(session.id, .storeUnavailable(message: "the answer could not be kept, so its code was not used: \(error)"))
            return
        }
        if let current = table[session.id] { tellEveryEvent(of: current) }
        // Cancelled while the state was being used up: its code is not sent.
        guard table[session.id]?.phase == .exchanging else {
            exchanges -= 1
            activityChanged()
            return
        }
        // The browser gets its answer now; the rest goes on by itself.
        start {
            await self.exchangeCode(parameters, for: session)
            self.exchanges -= 1
            self.activityChanged()
        }
    }

    private func exchangeCode(_ parameters: CallbackParameters, for session: SignInSession) async {
        do throws(SignInFailure) {
            let provider = try providers.provider(session.question.providerID, boundTo: session.binding)
            let exchanged = try await exchange.run(session: session, provider: provider, parameters: parameters)
            await succeed(session, exchanged)
        } catch {
            await providers.failed(error, with: session.binding, at: session.question.providerID)
            await end(session.id, error)
        }
    }

    // MARK: The result page

    /// Resolves when the outcome is known, or after the time that a browser is kept waiting.
    func outcome(ofPage pageID: String, within limit: TimeAmount, on eventLoop: any EventLoop) -> EventLoopFuture<Void> {
        guard let session = table.session(page: pageID), session.phase.isLive else { return eventLoop.makeSucceededVoidFuture() }
        let promise = eventLoop.makePromise(of: Void.self)
        let waiting = pageWaiters[session.id, default: []]
        // A page reloaded over and over does not make the list grow without end.
        guard waiting.count < 16 else { return eventLoop.makeSucceededVoidFuture() }
        pageWaiters[session.id] = waiting + [promise]
        let timeout = eventLoop.scheduleTask(in: limit) {
            DaemonActor.assumeIsolated { self.pageWaiters[session.id]?.removeAll { $0 == promise } }
            promise.succeed()
        }
        promise.futureResult.whenComplete { _ in timeout.cancel() }
        return promise.futureResult
    }

    func wakePages(of sessionID: String) {
        for promise in pageWaiters.removeValue(forKey: sessionID) ?? [] { promise.succeed() }
    }
}

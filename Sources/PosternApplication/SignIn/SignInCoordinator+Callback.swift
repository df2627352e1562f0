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
            stateHash: key, path: path, requestToken: parameters.requestToken, digest: digest(of: parameters), now: platform.now)
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
        await platform.work.count(.toBeKept) { await useUp(parameters, for: session) }
    }

    private func useUp(_ parameters: CallbackParameters, for session: SignInSession) async {
        platform.activityChanged()
        pages[session.id]?.url = nil
        stopPolling(session.id)
        do {
            // Durable before the code leaves: two lives of the daemon never send one code twice.
            guard try await store.opened().markExchanging(sessionID: session.id) else {
                throw SignInFailure.internal(message: "the sign-in had been answered before")
            }
        } catch let failure as SignInFailure {
            await end(session.id, failure)
            return
        } catch {
            await end(session.id, .storeUnavailable(message: "the answer could not be kept, so its code was not used: \(error)"))
            return
        }
        if let current = table[session.id] { tellEveryEvent(of: current) }
        // Cancelled while the state was being used up: its code is not sent.
        guard table[session.id]?.phase == .exchanging else {
            platform.activityChanged()
            return
        }
        // The browser gets its answer now; the rest goes on by itself.
        start(.toBeKept) {
            await self.exchangeCode(parameters, for: session)
            self.platform.activityChanged()
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

    /// Returns when the outcome is known, or after the time that a browser is kept waiting.
    func outcome(ofPage pageID: String, within milliseconds: Int64) async {
        guard let session = table.session(page: pageID), session.phase.isLive else { return }
        // A page reloaded over and over does not make the list grow without end.
        guard pageWaiters[session.id, default: []].count < 16 else { return }
        let waiter = PageWaiter()
        pageWaiters[session.id, default: []].append(waiter)
        let timeout = platform.timers.after(milliseconds: milliseconds) { [weak self] in
            self?.pageWaiters[session.id]?.removeAll { $0 === waiter }
            waiter.wake()
        }
        await waiter.wait()
        timeout.cancel()
    }

    func wakePages(of sessionID: String) {
        for waiter in pageWaiters.removeValue(forKey: sessionID) ?? [] { waiter.wake() }
    }
}

/// A browser whose result page waits for the outcome.
@DaemonActor
final class PageWaiter {
    private let room = WaitingRoom<Void>()
    private var isAwake = false

    func wait() async { _ = await room.wait(while: { !isAwake }) }

    func wake() {
        isAwake = true
        room.release(with: ())
    }
}

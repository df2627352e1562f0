import PosternCore

/// Pages of OAuth 1.0a, each with a request token that the provider must give first.
extension SignInCoordinator {
    /// - Parameter state: used where the provider lets it ride along.
    /// - Returns: the session with a further request token, and what its callback will be known by.
    func withRequestToken(
        _ session: SignInSession, of provider: Provider, state: String
    ) async throws(SignInFailure) -> (session: SignInSession, key: [UInt8]) {
        let resolved = try await providers.resolve(provider)
        let token = try await exchange.requestToken(for: session, state: provider.hasCallbackState ? state : nil, at: resolved)
        let key =
            provider.hasCallbackState
            ? exchange.cryptography.sha256(Array(state.utf8))
            : CallbackKey.hash(ofRequestToken: token.token, cryptography: exchange.cryptography)
        guard let received = table.requestTokenReceived(token, key: key, for: session.id) else {
            // Where it ended meanwhile, nobody is told this.
            throw .exchangeFailed(
                error: nil, description: nil, message: "\(provider.displayName) gave a request token that another sign-in has already")
        }
        return (received, key)
    }

    /// After a restart the page is made again of the request token that was kept. Where there is a page, another one is wanted, with a
    /// token of its own: the one before may be used up at the provider.
    func renewSignedPage(of session: SignInSession, at provider: Provider, state: String) async throws(SignInFailure) {
        guard pages[session.id]?.url != nil || session.requestTokens.isEmpty else {
            let page = try await authorizationPage(for: session, of: provider, state: state)
            if table[session.id]?.phase == .authorizationPending { pages[session.id]?.opens(page) }
            return
        }
        let (received, key) = try await withRequestToken(session, of: provider, state: state)
        let page = try await authorizationPage(for: received, of: provider, state: state)
        do { try await store.opened().addRequestToken(to: received, key: key) } catch {
            throw .storeUnavailable(message: "the new page could not be kept: \(error)")
        }
        guard table[session.id]?.phase == .authorizationPending else { return }
        pages[session.id]?.opens(page)
    }
}

import PosternCore

/// The conversation with a provider of OAuth 1.0a (RFC 5849 section 2).
extension CodeExchange {
    /// - Parameters:
    ///   - state: used if the provider preserves it in the callback URL.
    ///   - keepsToken: the page uses the last known token, under that token's own state.
    func makeSignedPage(
        for session: SignInSession, _ secrets: FlowSecrets, state: Secret, keepsToken: Bool, at provider: ResolvedProvider
    ) async throws(ProviderFailure) -> MadePage {
        if keepsToken, let known = secrets.requestTokens.last {
            return MadePage(page: try signedPage(of: known, for: session, at: provider), key: nil)
        }
        let rides = provider.provider.hasCallbackState
        let token = try await requestToken(for: session, state: rides ? state : nil, at: provider)
        return MadePage(
            page: try signedPage(of: token, for: session, at: provider),
            key: rides
                ? cryptography.sha256(state.revealBytes()) : CallbackKey.hash(ofRequestToken: token.token, cryptography: cryptography),
            requestToken: token)
    }

    /// - Parameter state: to be added to the callback URL; nil if the provider compares that exactly.
    private func requestToken(
        for session: SignInSession, state: Secret?, at provider: ResolvedProvider
    ) async throws(ProviderFailure) -> OAuth1Token {
        let request: OAuth1Request
        do throws(ProviderProblem) {
            request = try .requestToken(callback: OAuth1Request.callback(session.redirectURI, state: state?.reveal()), at: provider)
        } catch {
            throw error.providerFailure
        }
        let response = try await providers.send(request, at: provider)
        do throws(OAuth1Error) {
            return try OAuth1Answer.requestToken(in: response, dialect: provider.dialect, now: platform.now)
        } catch {
            throw error.providerFailure(at: provider.provider.displayName, skew: providers.clocks[provider.id]?.offset ?? 0)
        }
    }

    private func signedPage(
        of requestToken: OAuth1Token, for session: SignInSession, at provider: ResolvedProvider
    ) throws(ProviderFailure) -> AuthorizationPage {
        do throws(AuthorizationRequestError) {
            return AuthorizationPage(
                url: try OAuth1Page.url(
                    at: provider, requestToken: requestToken, parameters: session.request.parameters, loginHint: session.request.loginHint,
                    asksAgain: session.request.asksAgain))
        } catch {
            throw .providerNotConfigured(message: "no page can be opened at \(provider.provider.displayName): \(error)")
        }
    }

    /// The callback was matched to the session, and is no refusal.
    func exchangeVerifier(
        in parameters: CallbackParameters, of session: SignInSession, _ secrets: FlowSecrets, at provider: ResolvedProvider
    ) async throws(ProviderFailure) -> ExchangedCode {
        let name = provider.provider.displayName
        guard !secrets.requestTokens.isEmpty else { throw Self.otherProtocol(provider) }
        guard let requestToken = secrets.requestTokens.first(where: { $0.token == parameters.requestToken }) else {
            throw .internal(message: "the callback names a request token that is not this sign-in's")
        }
        guard let verifier = parameters.oauthVerifier else {
            throw .exchangeFailed(
                error: nil, description: nil, message: "\(name) sent the browser back with neither a verifier nor an error")
        }
        let sentAt = platform.now
        let response = try await providers.send(.accessToken(for: requestToken, verifier: verifier, at: provider), at: provider)
        let grant: Grant
        do throws(OAuth1Error) {
            grant = try OAuth1Answer.grant(in: response, dialect: provider.dialect, sentAt: sentAt, now: platform.now)
        } catch {
            throw error.providerFailure(at: name, skew: providers.clocks[provider.id]?.offset ?? 0)
        }
        return try await complete(grant, of: session, callback: parameters, at: provider)
    }

    /// The provider's protocol in the configuration has changed since the sign-in began.
    private static func otherProtocol(_ provider: ResolvedProvider) -> ProviderFailure {
        .providerNotConfigured(
            message: "\(provider.provider.displayName) has been configured for another protocol since this sign-in began; start it again")
    }
}

import PosternCore

/// What a program obtained from a provider itself.
struct PresentedCredential: Sendable {
    /// With the nonce as the program generated it, before hashing it for a provider that requires this.
    var idToken: (text: Secret, rawNonce: Secret)?
    var accessToken: Secret?
    /// The secret that signs with the access token of OAuth 1.0a; nil for all others.
    var tokenSecret: Secret?
}

extension PresentedTokenError {
    /// - Parameter name: the provider's.
    fileprivate func providerFailure(at name: String) -> ProviderFailure {
        if case .transient = self { return .unreachable(message: "\(name): \(self)") }
        return ProviderFailure(.tokenRejected, message: "\(name): \(self)")
    }
}

extension CodeExchange {
    /// Determines who gave these tokens, and that they were given to this client. They are sent only to their provider; an ID token not
    /// even there.
    func presented(
        _ credential: PresentedCredential, at provider: Provider
    ) async throws(ProviderFailure) -> ExchangedCode {
        // The provider must be asked whose an access token is; an ID token alone needs no request.
        let resolved = try await credential.accessToken == nil ? providers.resolve(provider) : providers.resolveForIntrospection(provider)
        let idToken = try await verified(credential, at: resolved)
        guard let accessToken = credential.accessToken else {
            return try profile(in: idToken, Grant(idToken: credential.idToken?.text ?? Secret([]), obtainedAt: platform.now), at: resolved)
        }
        var grant = Grant(
            accessToken: accessToken, tokenType: "Bearer", idToken: credential.idToken?.text, scopes: [], obtainedAt: platform.now,
            tokenSecret: credential.tokenSecret)
        let audience = try await audience(of: grant, idToken: idToken, at: resolved)
        grant.scopes = audience.scopes ?? []
        grant.expiresAt = audience.expiresAt
        return try await exchanged(grant, audience, idToken, at: resolved)
    }

    private func verified(
        _ credential: PresentedCredential, at provider: ResolvedProvider
    ) async throws(ProviderFailure) -> VerifiedIDToken? {
        guard let (text, rawNonce) = credential.idToken else { return nil }
        if let problem = provider.dialect.problemOfPresentedTokens(of: provider.provider) {
            throw .providerNotConfigured(message: "\(provider.provider.displayName) cannot be used this way: \(problem)")
        }
        let nonce = provider.dialect.sentNonce(rawNonce, of: provider.provider, cryptography: cryptography)
        let expectation = IDTokenExpectation.presented(at: provider, nonce: nonce, accessToken: credential.accessToken)
        switch try await verdict(on: text, expecting: expectation, at: provider) {
        case .failure(let rejection): throw rejection.providerFailure
        case .success(let verified): return verified
        }
    }

    private func profile(
        in idToken: VerifiedIDToken?, _ grant: Grant, at provider: ResolvedProvider
    ) throws(ProviderFailure) -> ExchangedCode {
        let context = ProfileContext(
            provider: provider, grant: grant, idToken: idToken, keys: nil, cryptography: cryptography, now: platform.now)
        do throws(ProfileError) {
            return ExchangedCode(grant: grant, profile: try provider.dialect.profile(from: [], in: context), claims: idToken?.claims)
        } catch { throw error.providerFailure(at: provider.provider.displayName) }
    }

    /// For which client an access token was issued. This is asked first, because any other answer would be about another program's token.
    private func audience(
        of grant: Grant, idToken: VerifiedIDToken?, at provider: ResolvedProvider
    ) async throws(ProviderFailure) -> PresentedAccessToken {
        let name = provider.provider.displayName
        switch provider.dialect.audienceLookup(about: grant, at: provider, cryptography: cryptography) {
        case .answeredByEveryRequest: return PresentedAccessToken()
        case .impossible:
            // If `at_hash` passed the check, the provider has signed that it issued this token together with the ID token.
            guard idToken?.claims.accessTokenHash != nil else { throw PresentedTokenError.noWayToTell.providerFailure(at: name) }
            return PresentedAccessToken()
        case .ask(let request):
            let answer = try await providers.send(request, to: provider.provider)
            do throws(PresentedTokenError) {
                return try provider.dialect.presentedToken(in: answer, at: provider, now: platform.now)
            } catch { throw error.providerFailure(at: name) }
        }
    }

    private func exchanged(
        _ grant: Grant, _ audience: PresentedAccessToken, _ idToken: VerifiedIDToken?, at provider: ResolvedProvider
    ) async throws(ProviderFailure) -> ExchangedCode {
        let name = provider.provider.displayName
        let profile: ProviderProfile
        do throws(ProviderFailure) {
            profile = try await self.profile(of: grant, idToken: idToken, callback: nil, at: provider)
        } catch {
            // A refusal must be about the token: the request contained nothing else.
            guard error.reason == .exchangeFailed, error.error != nil else { throw error }
            throw PresentedTokenError.notGood.providerFailure(at: name)
        }
        guard audience.subject.map({ $0.utf8.elementsEqual(profile.identity.subject.utf8) }) ?? true else {
            throw PresentedTokenError.otherAccount.providerFailure(at: name)
        }
        return ExchangedCode(grant: grant, profile: profile, claims: idToken?.claims)
    }
}

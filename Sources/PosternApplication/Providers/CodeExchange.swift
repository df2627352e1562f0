import PosternCore

/// What a code was exchanged for, every check passed.
struct ExchangedCode: Sendable {
    var grant: Grant
    var profile: ProviderProfile
    /// Of the ID token that came with it; nil if there is none.
    var claims: IDTokenClaims?
}

/// From the callback's parameters to a verified identity: the conversation with the provider.
@DaemonActor
final class CodeExchange: Grounded {
    /// In seconds. Work under way is waited for 35 s when the store is locked or the daemon ends, and a request takes 30 s at most.
    private static let longestLookup: Int64 = 5

    let ground: Ground
    let providers: ProviderDirectory
    private let revocation: RevocationRequests
    let loader: CredentialLoader

    init(
        _ ground: Ground, providers: ProviderDirectory, revocation: RevocationRequests, loader: CredentialLoader
    ) {
        self.ground = ground
        self.providers = providers
        self.revocation = revocation
        self.loader = loader
    }

    var cryptography: any Cryptography { platform.cryptography }

    /// A page for a session, with its own state.
    ///
    /// - Parameter keepsToken: the page uses the last known request token of OAuth 1.0a; otherwise a new one.
    func makePage(
        for session: SignInSession, _ secrets: FlowSecrets, at provider: Provider, keepsToken: Bool = false
    ) async throws(ProviderFailure) -> MadePage {
        let state = Secret(Base64URL.encode(try platform.providerBytes(32)))
        let resolved = try await providers.resolve(provider)
        if provider.kind == .oauth1 {
            return try await makeSignedPage(for: session, secrets, state: state, keepsToken: keepsToken, at: resolved)
        }
        if let problem = resolved.pageProblem {
            throw .providerNotConfigured(message: "no page can be opened at \(provider.displayName): \(problem)")
        }
        let page = try await authorizationPage(for: session, secrets, of: resolved, state: state)
        return MadePage(page: page, key: cryptography.sha256(state.revealBytes()))
    }

    private func authorizationPage(
        for session: SignInSession, _ secrets: FlowSecrets, of provider: ResolvedProvider, state: Secret
    ) async throws(ProviderFailure) -> AuthorizationPage {
        let verifier = try verifier(secrets)
        let hasRefreshToken = await hasRefreshToken(for: session, at: provider)
        let request: AuthorizationRequest
        do throws(AuthorizationRequestError) {
            request = try AuthorizationRequest(
                to: provider, redirectURI: session.redirectURI, state: state, codeVerifier: verifier,
                nonce: secrets.nonce, scopes: session.request.scopes(at: provider), parameters: session.request.parameters,
                loginHint: session.request.loginHint, hasRefreshToken: hasRefreshToken, asksAgain: session.request.asksAgain,
                proofKey: secrets.proofKey,
                cryptography: cryptography)
        } catch {
            throw .providerNotConfigured(message: "no page can be opened at \(provider.provider.displayName): \(error)")
        }
        return try await pushed(request, at: provider) ?? AuthorizationPage(url: request.url)
    }

    /// - Returns: nil if requests are not pushed to this provider, or if it cannot accept one now and would accept a URL too.
    private func pushed(
        _ request: AuthorizationRequest, at provider: ResolvedProvider
    ) async throws(ProviderFailure) -> AuthorizationPage? {
        guard let push = PushedAuthorizationRequest.request(for: request, at: provider) else { return nil }
        do throws(ProviderFailure) {
            let sentAt = platform.now
            let response = try await providers.send(push, to: provider.provider)
            do throws(PushedAuthorizationError) {
                return try PushedAuthorizationRequest.page(from: response, of: provider, sentAt: sentAt, now: platform.now)
            } catch {
                throw error.providerFailure(at: provider.provider.displayName, hasSecret: provider.clientAuthentication != .none)
            }
        } catch {
            guard error.reason == .unreachable, !provider.requiresPushedAuthorization else { throw error }
            return nil
        }
    }

    /// The checks are in the order of RFC 9700: the state was matched already, then the issuer, then an error, then the code.
    func run(
        session: SignInSession, _ secrets: FlowSecrets, provider: Provider, parameters: CallbackParameters
    ) async throws(ProviderFailure) -> ExchangedCode {
        let denial = denial(in: parameters, secrets, from: provider)
        let began = platform.clock.uptime
        let resolved: ResolvedProvider
        // A user who declined is told so even if the provider's metadata cannot be obtained now; nothing is sent for a denial.
        do throws(ProviderFailure) { resolved = try await providers.resolve(provider) } catch { throw denial ?? error }
        if let reason = resolved.responseIssuer.verdict(on: parameters.iss).reason {
            throw .foreignAnswer(message: reason)
        }
        if let denial {
            guard session.request.scopes(at: resolved) != session.request.scopes else { throw denial }
            // Without those that only this account has: the advice is about the whole provider.
            let usual = (try? provider.scopesToRequest(nil)) ?? session.request.scopes
            throw self.denial(in: parameters, secrets, from: provider, addingOfflineAccessTo: usual) ?? denial
        }
        // A code that is on its way anyway is exchanged, unless the lookup has used up the time that the end waits for its answer.
        if platform.clock.uptime - began > Self.longestLookup { try requireNotClosing() }
        if provider.kind == .oauth1 { return try await exchangeVerifier(in: parameters, of: session, secrets, at: resolved) }
        guard let code = parameters.code else {
            throw .exchangeFailed(
                error: nil, description: nil, message: "\(provider.displayName) sent the browser back with neither a code nor an error")
        }
        let scopes = provider.dialect.grantedScopes(in: parameters) ?? session.request.scopes(at: resolved)
        let grant = try await exchange(code, session: session, secrets, scopes: scopes, at: resolved)
        let nonce = secrets.nonce.map { provider.dialect.sentNonce($0, of: provider, cryptography: cryptography) }
        return try await complete(grant, of: session, nonce: nonce, code: code, callback: parameters, at: resolved)
    }

    /// What the provider says in the callback, without the callback's secrets and those of the request that led to it.
    private func denial(
        in parameters: CallbackParameters, _ secrets: FlowSecrets, from provider: Provider, addingOfflineAccessTo scopes: [String]? = nil
    ) -> ProviderFailure? {
        guard let denial = provider.dialect.denial(in: parameters) else { return nil }
        let echoed = EchoedSecrets(parameters.secrets + secrets.all)
        return AuthorizationDenial.failure(
            error: ProviderText.cleaned(echoed.struck(denial.error), longest: ProviderText.longestName) ?? "unknown",
            description: denial.description.flatMap {
                ProviderText.cleaned(echoed.struck($0), longest: ProviderText.longestDescription)
            }, at: provider.id, called: provider.displayName, addingOfflineAccessTo: scopes)
    }

    /// To be called before a request whose answer can be had only once: it may arrive after the store has been closed, or the daemon has
    /// ended, and then nobody could use, store or revoke its tokens.
    ///
    /// - Throws: if the store is being locked or is closed, or if the daemon is ending.
    func requireNotClosing() throws(ProviderFailure) {
        if let problem = store.problem { throw .storeLocked(message: "\(problem)") }
        if platform.isEnding { throw .internal(message: "the daemon is stopping") }
    }

    /// What remains once the provider gave its tokens, in whatever flow. If they are refused in the end, they are revoked.
    ///
    /// - Parameters:
    ///   - nonce: as it was sent; nil if none was.
    ///   - code: the code that the browser brought; nil if there was none.
    ///   - callback: the parameters that a browser brought; nil if there were none.
    func complete(
        _ first: Grant, of session: SignInSession, nonce: Secret? = nil, code: Secret? = nil, callback: CallbackParameters? = nil,
        at provider: ResolvedProvider
    ) async throws(ProviderFailure) -> ExchangedCode {
        var first = first
        first.requestedScopes = session.request.scopes(at: provider)
        first.authenticationClasses = session.request.stepUp?.authenticationClasses ?? []
        first.parameters = session.request.parametersOfGrant
        var grant = first
        var idToken: VerifiedIDToken?
        do throws(ProviderFailure) {
            let verified = try await verified(first, nonce: nonce, code: code, session: session, at: provider)
            if !first.authenticationClasses.isEmpty { first.provedClass = verified?.claims.document["acr"]?.stringValue }
            // Elsewhere it says how the person signed in, and not who that is.
            if provider.provider.kind == .oidc { idToken = verified } else { first.idToken = nil }
            grant = await followUp(to: first, at: provider) ?? first
            let profile = try await profile(
                of: grant, idToken: idToken, callback: callback, account: session.request.accountName, at: provider)
            return ExchangedCode(grant: grant, profile: profile, claims: verified?.claims)
        } catch {
            discard(grant, of: idToken.flatMap { subject(in: $0, of: grant, refusedFor: error, at: provider) }, session: session)
            throw error
        }
    }

    /// Handles a grant that is refused: it is of no use here, but valid at the provider.
    ///
    /// - Parameter subject: the account that it belongs to; nil if that is not known for certain.
    func discard(_ grant: Grant, of subject: String? = nil, session: SignInSession) {
        revocation.discard(grant, of: subject, providerID: session.request.providerID, binding: session.binding)
    }

    /// An answer that is refused may contain tokens anyway.
    func discardTokens(
        in response: ProviderResponse, of session: SignInSession, boundTo proofKey: DPoPKey?, at provider: ResolvedProvider,
        sentAt: Timestamp
    ) {
        guard var tokens = TokenResponse.refusedTokens(in: response, at: provider, sentAt: sentAt) else { return }
        tokens.proofKey = proofKey
        discard(tokens, session: session)
    }

    /// The account that a grant belongs to, by its ID token alone; nil if the rest of it says otherwise.
    private func subject(
        in idToken: VerifiedIDToken, of grant: Grant, refusedFor failure: ProviderFailure, at provider: ResolvedProvider
    ) -> String? {
        if failure.reason == .invalidIDToken { return nil }
        let context = ProfileContext(
            provider: provider, grant: grant, idToken: idToken, keys: nil, cryptography: cryptography, now: platform.now)
        return try? provider.dialect.profile(from: [], in: context).identity.subject
    }

    private func exchange(
        _ code: Secret, session: SignInSession, _ secrets: FlowSecrets, scopes: [String], at provider: ResolvedProvider
    ) async throws(ProviderFailure) -> Grant {
        let request = TokenRequest.exchange(
            code: code, redirectURI: session.redirectURI, codeVerifier: try verifier(secrets), at: provider)
        let sentAt = platform.now
        // Sent once, whatever the answer: a code is valid for one request, and perhaps only the answer was lost.
        let response = try await providers.send(request, to: provider.provider, proofKey: secrets.proofKey)
        do throws(TokenEndpointError) {
            return try TokenResponse.grant(
                from: response, to: .exchange, at: provider, scopes: scopes, sentAt: sentAt, now: platform.now,
                proofKey: secrets.proofKey)
        } catch {
            discardTokens(in: response, of: session, boundTo: secrets.proofKey, at: provider, sentAt: sentAt)
            throw error.providerFailure(at: provider.provider.displayName)
        }
    }

    /// Sends a code to the token endpoint and returns only the answer: for a code that no browser brought.
    func redeem(
        _ code: Secret, of session: SignInSession, _ secrets: FlowSecrets, at provider: ResolvedProvider
    ) async throws(ProviderFailure) {
        let grant = try await exchange(code, session: session, secrets, scopes: session.request.scopes(at: provider), at: provider)
        discard(grant, session: session)
    }

    /// The grant's ID token, checked against everything that is known of the sign-in; nil if the provider gives none. An issuer of plain
    /// OAuth 2.0 may give one, which matters only if a server demanded a way to sign in, or how long ago at most.
    ///
    /// - Parameters:
    ///   - nonce: as it was sent; nil if none was.
    ///   - code: the code that the browser brought; nil if there was none.
    private func verified(
        _ grant: Grant, nonce: Secret?, code: Secret?, session: SignInSession, at provider: ResolvedProvider
    ) async throws(ProviderFailure) -> VerifiedIDToken? {
        guard let idToken = grant.idToken else { return nil }
        let expectation = IDTokenExpectation.signIn(
            at: provider, nonce: nonce, accessToken: grant.accessToken, code: code, parameters: session.request.parameters,
            authenticationClasses: session.request.stepUp?.authenticationClasses ?? [])
        guard provider.provider.kind == .oidc || expectation.demandsAuthentication else { return nil }
        switch try await verdict(on: idToken, expecting: expectation, at: provider) {
        case .success(let verified): return verified
        case .failure(let rejection): throw rejection.providerFailure
        }
    }

    /// The better grant that a provider gives for the first one; nil if it has none, or does not give it now.
    private func followUp(to grant: Grant, at provider: ResolvedProvider) async -> Grant? {
        guard let request = provider.dialect.followUp(to: grant, at: provider, cryptography: cryptography) else { return nil }
        let sentAt = platform.now
        guard let response = try? await providers.send(request, to: provider.provider, proofKey: grant.proofKey),
            var better = try? TokenResponse.grant(
                from: response, to: .refresh(tokenType: grant.tokenType), at: provider, scopes: grant.scopes, sentAt: sentAt,
                now: platform.now,
                proofKey: grant.proofKey)
        else { return nil }
        better.idToken = better.idToken ?? grant.idToken
        if better.refreshToken == nil { (better.refreshToken, better.tokenHost) = (grant.refreshToken, grant.tokenHost) }
        (better.requestedScopes, better.authenticationClasses) = (grant.requestedScopes, grant.authenticationClasses)
        (better.provedClass, better.parameters) = (grant.provedClass, grant.parameters)
        return better
    }

    /// Verifies an ID token with the provider's keys, which are read again once if none fits.
    ///
    /// - Returns: what the token says, or why it was rejected.
    /// - Throws: if the keys cannot be obtained.
    func verdict(
        on text: Secret, expecting expectation: IDTokenExpectation, at provider: ResolvedProvider
    ) async throws(ProviderFailure) -> Result<VerifiedIDToken, IDTokenRejection> {
        let token: UnverifiedIDToken
        do throws(IDTokenRejection) { token = try UnverifiedIDToken(parsing: text) } catch { return .failure(error) }
        let verifier = IDTokenVerifier(cryptography: cryptography)
        if let rejection = verifier.rejection(ofAlgorithmOf: token, expecting: expectation) { return .failure(rejection) }
        let keys = try await providers.keys(of: provider)
        switch verifier.verdict(on: token, keys: keys.keys, expecting: expectation, now: platform.now) {
        case .verified(let verified): return .success(verified)
        case .rejected(let rejection): return .failure(rejection)
        case .needsKeyRefetch(let rejection):
            guard let fresh = try await providers.keysReadAnew(of: provider, insteadOf: keys, for: expectation.origin) else {
                return .failure(rejection)
            }
            switch verifier.verdict(on: token, keys: fresh.keys, expecting: expectation, now: platform.now) {
            case .verified(let verified): return .success(verified)
            case .rejected(let rejection), .needsKeyRefetch(let rejection): return .failure(rejection)
            }
        }
    }

    /// Finds out who signed in, with the requests that the provider's dialect specifies, one after another.
    ///
    /// - Parameter account: what the account is called if the provider says nothing about the person; nil if that must not be enough.
    func profile(
        of grant: Grant, idToken: VerifiedIDToken?, callback: CallbackParameters?, account: String? = nil, at provider: ResolvedProvider
    ) async throws(ProviderFailure) -> ProviderProfile {
        // For userinfo that is signed.
        let keys = idToken == nil ? nil : try await providers.keys(of: provider).keys
        let context = ProfileContext(
            provider: provider, grant: grant, idToken: idToken, keys: keys, cryptography: cryptography, now: platform.now,
            callback: callback, account: account)
        var answers: [ProviderResponse] = []
        while let request = provider.dialect.nextProfileRequest(after: answers, in: context) {
            answers.append(try await providers.send(request, authorizedBy: grant, at: provider))
        }
        do throws(ProfileError) {
            return try provider.dialect.profile(from: answers, in: context)
        } catch {
            throw error.providerFailure(at: provider.provider.displayName)
        }
    }

    private func verifier(_ secrets: FlowSecrets) throws(ProviderFailure) -> CodeVerifier {
        guard let verifier = CodeVerifier(stored: secrets.codeVerifier) else {
            throw .internal(message: "the sign-in's code verifier is damaged; start it again")
        }
        return verifier
    }
}

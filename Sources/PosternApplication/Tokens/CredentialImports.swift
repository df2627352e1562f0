import PosternCore

/// Takes over refresh tokens that other programs obtained for the same client, and access tokens of any client.
///
/// Holding such a token does not make a program the user: it becomes a credential, and signs nobody in.
@DaemonActor
final class CredentialImports: Grounded {
    enum Token: Sendable {
        case refresh(Secret)
        /// Nothing renews it, and only the client that it was issued to can revoke it.
        case access(Secret)
    }

    struct Request: Sendable {
        var providerID: String
        /// The configured account that it should belong to; nil for any account.
        var account: NamedAccount?
        var token: Token
        /// What was granted, if the provider does not say. Of an access token, which no answer comes with, it would be only a claim.
        var scopes: [String]
        var replaces: Bool
        /// Whose token it is, of an MCP server.
        var origin = Origin()

        /// What the account is called if the provider says nothing about the person.
        var accountName: String { account?.name ?? providerID }
    }

    /// One import runs at a time, and this many may wait.
    static let mostWaiting = 16

    let ground: Ground
    let providers: ProviderRoom
    /// If the same token is imported twice, the second import sees what became of the first.
    private let turns = SerialWork()
    private var waiting = 0
    /// A ledger that could not be written to disk.
    private var unsaved: ImportLedger?
    var limits = ImportLimits()

    init(_ ground: Ground, providers: ProviderRoom) {
        self.ground = ground
        self.providers = providers
    }

    /// The store was locked.
    func forgetAll() { unsaved = nil }

    /// Runs to its end even if the caller leaves: the provider may have given a new refresh token.
    func take(_ request: Request) async throws(ImportFailure) -> StoredCredential {
        guard waiting < Self.mostWaiting else { throw .busy }
        waiting += 1
        let answer = Promise<Result<StoredCredential, ImportFailure>>()
        platform.work.start(.toBeKept) {
            await self.turns.begin()
            do throws(ImportFailure) { answer.fulfill(.success(try await self.carryOut(request))) } catch {
                answer.fulfill(.failure(error))
            }
            self.turns.end()
            self.waiting -= 1
            self.platform.activityChanged()
        }
        return try await answer.value.get()
    }

    /// As ``CodeExchange/requireNotClosing()``.
    func requireNotClosing() throws(ImportFailure) {
        if let problem = store.problem { throw .store(problem) }
        do throws(ProviderFailure) { try providers.exchange.requireNotClosing() } catch { throw .signIn(error) }
    }

    private func carryOut(_ request: Request) async throws(ImportFailure) -> StoredCredential {
        try requireNotClosing()
        let recipient = try await recipient(of: request)
        let provider = recipient.provider
        let refreshToken: Secret
        switch request.token {
        case .refresh(let token): refreshToken = token
        case .access(let token): return try await takeAccessToken(token, of: request, at: recipient)
        }
        try Self.requireRefreshTokens(of: provider)
        let hash = platform.cryptography.sha256(refreshToken.revealBytes())
        var ledger = try await ledger()
        ledger.forgetOld(now: platform.now)
        let earlier = ledger.entry(of: hash, providerID: provider.id, binding: provider.binding)
        try requireNew(request, earlier: earlier) { $0.grant.refreshToken == refreshToken }
        if earlier == nil, let reason = limits.refusal(of: hash, binding: provider.binding, now: platform.now) {
            throw .refusedBefore(reason)
        }
        try takeTurn(at: recipient)
        var proofKey = earlier?.successor?.proofKey
        if proofKey == nil, provider.extensions.usesDPoP {
            do throws(RandomnessFailure) { proofKey = try platform.randomness.proofKey() } catch {
                throw .signIn(.noRandomness(error))
            }
        }
        var attempt = Attempt(
            request: request, recipient: recipient, token: earlier?.successor?.refreshToken ?? refreshToken, proofKey: proofKey,
            entry: ImportLedger.Entry(hash: hash, providerID: provider.id, binding: provider.binding, at: platform.now), ledger: ledger)
        attempt.entry.successor = earlier?.successor
        do throws(ImportFailure) {
            let credential = try await refresh(&attempt, earlier: earlier)
            attempt.entry.subject = credential.subject
            attempt.entry.successor = nil
            await keep(attempt.entry, in: &attempt.ledger)
            return await announced(credential, at: provider)
        } catch {
            throw reported(error, at: provider)
        }
    }

    /// It is in the store.
    private func announced(_ credential: StoredCredential, at provider: Provider) async -> StoredCredential {
        limits.succeeded(providerID: provider.id)
        await providers.loader.changed(Identity(providerID: credential.providerID, subject: credential.subject))
        events.report(
            .credentialImported, "a credential of \(provider.displayName) was imported from another program", providerID: provider.id)
        return providers.cache[CredentialCache.Key(credential)] ?? credential
    }

    private func reported(_ failure: ImportFailure, at provider: Provider) -> ImportFailure {
        let words = "no credential of \(provider.displayName) was imported: \(failure.words(at: provider.displayName))"
        events.report(.refreshFailed, words, providerID: provider.id)
        return failure
    }

    // MARK: An access token

    /// Nothing is exchanged: the provider is asked whose it is, in a request that the token authorizes.
    private func takeAccessToken(
        _ token: Secret, of request: Request, at recipient: Recipient
    ) async throws(ImportFailure) -> StoredCredential {
        let provider = recipient.provider
        if provider.kind == .oauth1 { throw .unsupported("OAuth 1.0a signs each request with a second secret") }
        if provider.extensions.usesDPoP { throw .unsupported("its tokens are bound to a key that the other program keeps") }
        try requireNew(request, earlier: nil) { $0.grant.accessToken == token }
        let hash = platform.cryptography.sha256(token.revealBytes())
        if let reason = limits.refusal(of: hash, binding: provider.binding, now: platform.now) { throw .refusedBefore(reason) }
        try takeTurn(at: recipient)
        do throws(ImportFailure) {
            let resolved: ResolvedProvider
            do throws(ProviderFailure) { resolved = try await providers.directory.resolve(provider) } catch { throw .signIn(error) }
            // Finding the endpoints may have taken long.
            try requireNotClosing()
            let grant = Grant(accessToken: token, tokenType: "bearer", scopes: [], obtainedAt: platform.now)
            let found: ExchangedCode
            do throws(ImportFailure) { found = try await identified(grant, for: request, at: resolved) } catch {
                guard case .nobodyKnown(let cause) = error else { throw error }
                limits.wasRefused(hash, binding: provider.binding, reason: cause.message, now: platform.now)
                throw .notIdentified(cause)
            }
            try requireUnchanged(recipient)
            return await announced(try await kept(found, of: request, at: recipient), at: provider)
        } catch {
            throw reported(error, at: provider)
        }
    }

    /// A reload may have given the name to another provider meanwhile, whose accounts are other people's.
    private func requireUnchanged(_ recipient: Recipient) throws(ImportFailure) {
        guard recipient.configured.server == nil else { return try requireTheSameServer(as: recipient) }
        let provider = recipient.provider
        do throws(ProviderFailure) { _ = try providers.directory.provider(provider.id, boundTo: provider.binding) } catch {
            throw .signIn(error)
        }
    }

    // MARK: Before anything is sent

    private static func requireRefreshTokens(of provider: Provider) throws(ImportFailure) {
        if provider.kind == .oauth1 { throw .unsupported("OAuth 1.0a has no refresh tokens") }
        if provider.dialect.accessTokenRenewsItself { throw .unsupported("it has no refresh tokens") }
        if provider.server == nil, provider.extensions.registersClient {
            throw .unsupported(
                "its client is registered by Postern (register = true), so refresh tokens of other clients are not valid for it")
        }
    }

    /// An MCP server's import was counted before the server was asked.
    private func takeTurn(at recipient: Recipient) throws(ImportFailure) {
        if recipient.configured.server == nil { try takeTurn(at: recipient.provider) }
    }

    /// A second use of a refresh token may revoke everything that was issued from it.
    private func requireNew(
        _ request: Request, earlier: ImportLedger.Entry?, has isSame: (StoredCredential) -> Bool
    ) throws(ImportFailure) {
        let kept = providers.cache.credentials(providerID: request.providerID)
        if let same = kept.first(where: { isSame($0) || earlier?.subject?.isSame($0.subject) ?? false }) {
            throw .tokenKnown(same)
        }
        if earlier?.awaitsAnswer == true, !request.replaces { throw .sentBefore }
        // Where nothing says whose the token is, it is known before it is sent.
        if !request.replaces, providers.directory[request.providerID]?.namesPeople == false,
            let held = kept.first(where: { $0.subject.isSame(request.accountName) })
        {
            throw .exists(held)
        }
        guard !request.replaces, let account = request.account else { return }
        switch AccountDirectory([account]).choice(of: account, among: kept) {
        case .one(let credential): throw .exists(credential)
        case .several(let credentials): if let first = credentials.first { throw .exists(first) }
        case .none: return
        }
    }

    // MARK: The refresh

    private struct Attempt {
        let request: Request
        let recipient: Recipient
        /// The refresh token that is sent.
        var token: Secret
        let proofKey: DPoPKey?
        var entry: ImportLedger.Entry
        var ledger: ImportLedger
    }

    /// Sends the refresh token, once, and finds out whose it is.
    ///
    /// - Parameter earlier: what is already known about it.
    private func refresh(_ attempt: inout Attempt, earlier: ImportLedger.Entry?) async throws(ImportFailure) -> StoredCredential {
        let provider = attempt.recipient.provider
        let resolved: ResolvedProvider
        do throws(ProviderFailure) { resolved = try await providers.directory.resolve(provider) } catch { throw .signIn(error) }
        // Finding the endpoints may have taken long.
        try requireNotClosing()
        let refresh = TokenRequest.refresh(attempt.token, redirectURI: providers.origins.registeredURI(of: provider), at: resolved)
        // On disk before it is sent: whatever becomes of the answer or of this daemon, it is not sent again unknowingly.
        attempt.entry.awaitsAnswer = true
        await keep(attempt.entry, in: &attempt.ledger)
        let sentAt = platform.now
        let response: ProviderResponse
        do throws(ProviderFailure) {
            response = try await providers.directory.send(refresh, to: provider, proofKey: attempt.proofKey)
        } catch {
            if error.progress == .unanswered { throw .unanswered(error) }
            if let earlier { attempt.ledger.note(earlier) } else { attempt.ledger.forget(attempt.entry) }
            await save(attempt.ledger, providerID: provider.id)
            throw .signIn(error)
        }
        attempt.entry.awaitsAnswer = TokenResponse.isUnreadable(response, at: resolved)
        // On disk before the rest of the answer is judged: the old token may be invalid already, and the owner of the new one can be found
        // out later.
        if let rotated = TokenResponse.rotation(in: response, at: resolved, sentAt: sentAt), rotated.token != attempt.token {
            attempt.token = rotated.token
            attempt.entry.successor = Grant(
                accessToken: Secret([]), tokenType: "", refreshToken: rotated.token, refreshTokenExpiresAt: rotated.expiresAt, scopes: [],
                obtainedAt: sentAt, proofKey: attempt.proofKey)
            await keep(attempt.entry, in: &attempt.ledger)
        }
        do throws(ImportFailure) {
            let exchanged = try await judged(response, of: attempt, at: resolved, sentAt: sentAt)
            try requireUnchanged(attempt.recipient)
            return try await kept(exchanged, of: attempt.request, at: attempt.recipient)
        } catch {
            let isRefused = if case .refused = error { true } else { false }
            if store.isClosed, !isRefused, let problem = store.problem { throw .store(problem) }
            if attempt.entry.awaitsAnswer || store.isClosed { throw error }
            if !isRefused, attempt.entry.successor != nil {
                await keep(attempt.entry, in: &attempt.ledger)
                throw .heldBack(error)
            }
            // It was used up before, and so is its successor; or it is still valid, and may be sent again.
            attempt.ledger.forget(attempt.entry)
            await save(attempt.ledger, providerID: provider.id)
            throw error
        }
    }

    private func judged(
        _ response: ProviderResponse, of attempt: Attempt, at provider: ResolvedProvider, sentAt: Timestamp
    ) async throws(ImportFailure) -> ExchangedCode {
        var grant: Grant
        do throws(TokenEndpointError) {
            grant = try TokenResponse.grant(
                from: response, to: .refresh(tokenType: ""), at: provider, scopes: attempt.request.scopes, sentAt: sentAt,
                now: platform.now, proofKey: attempt.proofKey)
        } catch {
            if error.endsRefreshToken {
                limits.wasRefused(attempt.entry.hash, binding: attempt.recipient.provider.binding, reason: "\(error)", now: platform.now)
            }
            if error.endsRefreshToken || error.isWithoutReason { throw .refused("\(error)") }
            throw .signIn(error.providerFailure(at: provider.provider.displayName))
        }
        (grant.refreshToken, grant.tokenHost) = (attempt.token, EndpointHost(provider.token))
        return try await identified(grant, for: attempt.request, at: provider)
    }

    /// Finds out whose it is, by the ID token or by a request with the access token, as after a sign-in.
    private func identified(
        _ grant: Grant, for request: Request, at provider: ResolvedProvider
    ) async throws(ImportFailure) -> ExchangedCode {
        do throws(ProviderFailure) {
            var verified: VerifiedIDToken?
            if let idToken = grant.idToken {
                let expectation = IDTokenExpectation.imported(at: provider, accessToken: grant.accessToken)
                switch try await providers.exchange.verdict(on: idToken, expecting: expectation, at: provider) {
                case .success(let token): verified = token
                case .failure(let rejection): throw rejection.providerFailure
                }
            }
            let profile = try await providers.exchange.profile(
                of: grant, idToken: verified, callback: nil, account: request.accountName, at: provider)
            return ExchangedCode(grant: grant, profile: profile)
        } catch {
            // The access token is not valid for that request, or there is no endpoint to ask.
            let isAboutWho = error.reason == .exchangeFailed || error.reason == .providerNotConfigured
            throw isAboutWho ? .nobodyKnown(error) : .signIn(error)
        }
    }

    // MARK: Keeping it

    private func kept(
        _ found: ExchangedCode, of request: Request, at recipient: Recipient
    ) async throws(ImportFailure) -> StoredCredential {
        let provider = recipient.provider
        let identity = found.profile.identity
        let account = request.account
        let credential = StoredCredential(
            providerID: identity.providerID, subject: identity.subject, displayName: identity.displayName ?? identity.username,
            email: identity.email, emailVerified: identity.emailVerified, username: identity.username,
            signedInAs: account.map { SignInName(name: $0.name, at: platform.now, login: $0.knownLogin) }, binding: provider.binding,
            grant: found.grant, generation: 0)
        if let account, let login = account.knownLogin {
            let kept = providers.cache.credentials(providerID: identity.providerID)
            let asked = AskedAccount(name: account.name, login: login, hint: login.text, isUserName: false)
            switch asked.verdict(on: identity, among: kept, users: []) {
            case .asked: break
            // An address that the provider says nothing about will do for who has the refresh token; a name that looks like it will not.
            case .unsure where credential.hasAddress(login.text): break
            case .unsure: throw .notConfirmed(login: login.text, found: credential.calling, subject: identity.subject)
            case .other: throw .otherAccount(asked: login.text, found: credential.calling)
            }
        }
        // A program that replaces a credential means the existing one, and does not give an account to somebody else.
        if let account, account.knownLogin == nil,
            case .one(let holder) = AccountDirectory([account]).choice(
                of: account, among: providers.cache.credentials(providerID: identity.providerID)),
            !holder.subject.isSame(identity.subject)
        {
            throw .nameTaken(account.name, by: holder)
        }
        // Before the credential: without its client nothing could renew it.
        try await keepClient(of: recipient)
        let replaces = request.replaces
        let isRenewable = found.grant.refreshToken != nil
        let now = platform.now
        let held: StoredCredential?
        do throws(AccountFailure) {
            held = try await store.forAccounts.change { accounts throws(AccountFailure) in
                let held = try accounts.credential(providerID: credential.providerID, subject: credential.subject)
                // What nothing renews is no substitute for what lasts.
                let lasts = held.map { $0.binding == credential.binding && $0.grant.hasRefreshToken(at: now) } ?? false
                if let held, !replaces || (lasts && !isRenewable) { return (held, AccountChanges()) }
                var changes = AccountChanges()
                var credential = credential
                credential.signedInAs = credential.signedInAs ?? held?.signedInAs
                if let held, held.keepers.isPerson, held.binding == credential.binding {
                    credential.lostScopes = held.lostScopes(beside: credential.grant, at: provider)
                }
                credential.keepers = held?.keepers ?? CredentialKeepers()
                credential.keepers.add(.person)
                changes.credential = .grant(credential)
                return (nil, changes)
            }
        } catch {
            if case .store(let problem) = error { throw .store(problem) }
            throw .signIn(.internal(message: "\(error)"))
        }
        if let held { throw replaces ? .lasts(held) : .exists(held) }
        return credential
    }

    private func ledger() async throws(ImportFailure) -> ImportLedger {
        if let unsaved { return unsaved }
        do throws(StoreError) { return try await store.opened().imports() } catch { throw .store(error) }
    }

    private func keep(_ entry: ImportLedger.Entry, in ledger: inout ImportLedger) async {
        ledger.note(entry)
        await save(ledger, providerID: entry.providerID)
    }

    private func save(_ ledger: ImportLedger, providerID: String) async {
        do throws(StoreError) {
            try await store.opened().keep(imports: ledger)
            unsaved = nil
        } catch {
            // After a lock nothing may be left in memory: later changes are lost.
            unsaved = store.isClosed ? nil : ledger
            events.report(
                .storeProblem, "the record of imports could not be saved and is \(store.isClosed ? "lost" : "held in memory"): \(error)",
                providerID: providerID)
        }
    }
}

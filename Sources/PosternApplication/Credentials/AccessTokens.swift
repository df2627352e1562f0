import PosternCore
import PosternInterface

/// Hands out access tokens: the stored one while it is good enough, a refreshed one where that can be had.
@DaemonActor
final class AccessTokens {
    typealias Answer = @DaemonActor (Result<StoredCredential, InterfaceError>) -> Void

    struct Request {
        var providerID: String
        var subject: String?
        var scopes: [String]
        /// Seconds.
        var minimumValidity: Int64
        var forceRefresh: Bool
    }

    private let shelf: CredentialShelf
    private let store: StoreAccess
    private let providers: ProviderDirectory
    private let exchange: CodeExchange
    private let origins: CallbackOrigins
    private let revocation: RevocationRequests
    private let platform: Platform
    private let feed: EventFeed
    private let log: DaemonLog
    /// Who waits for a refresh that is under way: a hundred callers cause one.
    private var refreshes: [CredentialShelf.Key: [Answer]] = [:]
    /// What a refresh gave and the store did not take: the only copy of a refresh token.
    private struct Unsaved {
        var credential: StoredCredential
        /// The refresh token that it was got for; dead at a provider that rotates.
        var spent: Secret?
    }

    private var unsaved: [CredentialShelf.Key: Unsaved] = [:]
    private var retry: (any PendingTimer)?
    /// When a token was last to be renewed before it was needed.
    private var triedAhead: [CredentialShelf.Key: Timestamp] = [:]
    /// In seconds.
    private static let pauseBetweenTries: Int64 = 3600
    /// The generation that a refresh made because the token before was too short for what was asked, and that is too short as well.
    private var asLongAsItGets: [CredentialShelf.Key: Int64] = [:]
    /// Whose last renewal got no answer. There may have been a new refresh token in it, and the kept one be dead.
    private var unanswered: Set<CredentialShelf.Key> = []

    init(
        shelf: CredentialShelf, store: StoreAccess, providers: ProviderDirectory, exchange: CodeExchange, origins: CallbackOrigins,
        revocation: RevocationRequests, platform: Platform, feed: EventFeed, log: DaemonLog
    ) {
        self.shelf = shelf
        self.store = store
        self.providers = providers
        self.exchange = exchange
        self.feed = feed
        self.log = log
        self.origins = origins
        self.revocation = revocation
        self.platform = platform
    }

    /// Something stands in memory alone: no time to go for want of anything to do.
    var holdsUnsaved: Bool { !unsaved.isEmpty }

    /// Answers at once where the stored token will do.
    func get(_ request: Request, answer: @escaping Answer) {
        do throws(InterfaceError) {
            let configured = try providers.configured(request.providerID)
            let credential = try credential(of: configured.id, subject: request.subject)
            guard let provider = providers.client(of: configured, boundTo: credential.binding) else {
                throw .signInRequired(
                    message: "\(configured.displayName) has another issuer, token endpoint or client ID now than when its credential was "
                        + "given, so that one is not used; run `postern sign-in \(configured.id)`",
                    providerID: configured.id, reason: "the provider's configuration changed")
            }
            // With the grant that was not written came perhaps the end of the one that is.
            if unsaved[CredentialShelf.Key(credential)] != nil { return saveFirst(credential, request, answer: answer) }
            let decision = RefreshDecision(
                for: credential, dialect: provider.dialect, now: platform.now, minimumValidity: request.minimumValidity,
                forceRefresh: request.forceRefresh, scopes: request.scopes)
            switch decision {
            case .useStored: answer(.success(credential))
            case .useStoredAndRenew:
                answer(.success(credential))
                renewAhead(credential, of: provider)
            case .refresh:
                if isAsGoodAsItGets(credential, for: request) { return answer(.success(credential)) }
                join(credential, of: provider) { result in
                    if !request.forceRefresh, case .success(let fresh) = result, Self.isTooShort(fresh.grant, for: request) {
                        self.asLongAsItGets[CredentialShelf.Key(fresh)] = fresh.generation
                    }
                    answer(result.flatMap { Self.holding($0, to: request, of: provider) })
                }
            case .signInRequired(let requirement): throw Self.signInRequired(requirement, of: provider)
            case .scopeNotGranted(let missing): throw Self.scopeNotGranted(missing, by: provider)
            }
        } catch {
            answer(.failure(error))
        }
    }

    private func saveFirst(_ credential: StoredCredential, _ request: Request, answer: @escaping Answer) {
        platform.work.start {
            do throws(InterfaceError) { try await self.save(CredentialShelf.Key(credential)) } catch { return answer(.failure(error)) }
            self.get(request, answer: answer)
        }
    }

    /// Shorter than what is asked, as the one before was: the provider gives no longer ones, and another refresh for every call
    /// would gain nothing.
    private func isAsGoodAsItGets(_ credential: StoredCredential, for request: Request) -> Bool {
        let grant = credential.grant
        guard !request.forceRefresh, let expiresAt = grant.expiresAt,
            asLongAsItGets[CredentialShelf.Key(credential)] == credential.generation
        else { return false }
        let lifetime = expiresAt.milliseconds - grant.obtainedAt.milliseconds
        return Self.isTooShort(grant, for: request) && expiresAt.milliseconds - platform.now.milliseconds > lifetime / 2
    }

    /// Even on its first day.
    private static func isTooShort(_ grant: Grant, for request: Request) -> Bool {
        grant.expiresAt.map { $0 < grant.obtainedAt.adding(seconds: request.minimumValidity) } ?? false
    }

    /// Who waited for a refresh that another began may have asked for more than that one.
    private static func holding(
        _ credential: StoredCredential, to request: Request, of provider: Provider
    ) -> Result<StoredCredential, InterfaceError> {
        let missing = provider.dialect.missingScopes(asked: request.scopes, granted: credential.grant.scopes)
        return missing.isEmpty ? .success(credential) : .failure(scopeNotGranted(missing, by: provider))
    }

    private static func scopeNotGranted(_ missing: [String], by provider: Provider) -> InterfaceError {
        .scopeNotGranted(
            message: "\(provider.displayName) has not granted \(missing.joined(separator: ", ")); sign in again and ask for it",
            missing: missing)
    }

    /// The one credential that is meant.
    func credential(of providerID: String, subject: String?) throws(InterfaceError) -> StoredCredential {
        let name = providers.displayName(providerID)
        if let subject {
            if let credential = shelf[CredentialShelf.Key(providerID: providerID, subject: subject)] { return credential }
            throw .signInRequired(
                message: "no credential of the account \(subject) at \(name) is kept here; sign in with it first",
                providerID: providerID, reason: "nobody has signed in with this account")
        }
        if let only = shelf.onlyCredential(providerID: providerID) { return only }
        let candidates = shelf.credentials(providerID: providerID)
        guard !candidates.isEmpty else {
            throw .signInRequired(
                message: "nobody has signed in at \(name) yet; run `postern sign-in \(providerID)`", providerID: providerID,
                reason: "nobody has signed in")
        }
        throw .ambiguousAccount(
            message: "several accounts at \(name) are kept here; say which one by its uid", uids: candidates.map(\.subject))
    }

    // MARK: Refreshing

    private func join(_ credential: StoredCredential, of provider: Provider, answer: @escaping Answer) {
        let key = CredentialShelf.Key(credential)
        if refreshes[key] != nil {
            refreshes[key]?.append(answer)
            return
        }
        refreshes[key] = [answer]
        platform.activityChanged()
        platform.work.start(.toBeKept) {
            let result: Result<StoredCredential, InterfaceError>
            do throws(InterfaceError) {
                result = .success(try await self.refresh(credential, of: provider))
            } catch {
                self.log.warning("no fresh token: \(error.message)", event: .refreshFailed, providerID: provider.id)
                self.feed.post(.refreshFailed, error.message, providerID: provider.id)
                result = .failure(error)
            }
            for answer in self.refreshes.removeValue(forKey: key) ?? [] { answer(result) }
            self.platform.activityChanged()
        }
    }

    /// Renews a token that is still good, for who asks next. Not for each who asks: a provider that gives nothing better now gives
    /// nothing better a moment later.
    private func renewAhead(_ credential: StoredCredential, of provider: Provider) {
        let key = CredentialShelf.Key(credential)
        if let last = triedAhead[key], (0..<Self.pauseBetweenTries).contains(platform.now.seconds(since: last)) { return }
        triedAhead[key] = platform.now
        join(credential, of: provider) { _ in }
    }

    private func refresh(
        _ credential: StoredCredential, of provider: Provider
    ) async throws(InterfaceError) -> StoredCredential {
        let resolved: ResolvedProvider
        do throws(SignInFailure) { resolved = try await providers.resolve(provider) } catch {
            throw Self.interfaceError(error, of: provider)
        }
        let request = TokenRequest.renewal(
            of: credential.grant, redirectURI: origins.redirectURI(of: provider), at: resolved, cryptography: exchange.cryptography)
        guard let request else { throw Self.signInRequired(.noRefreshToken(expiresAt: credential.grant.expiresAt), of: provider) }
        let fresh: Grant
        let key = CredentialShelf.Key(credential)
        let lostAnswer = unanswered.contains(key)
        do throws(SignInFailure) {
            let sentAt = platform.now
            unanswered.insert(key)
            let response = try await providers.send(request, to: provider, proofKey: credential.grant.proofKey)
            unanswered.remove(key)
            do throws(TokenEndpointError) {
                fresh = try TokenResponse.grant(
                    from: response, to: .refresh(tokenType: credential.grant.tokenType), at: resolved, scopes: credential.grant.scopes,
                    sentAt: sentAt, now: platform.now, proofKey: credential.grant.proofKey)
            } catch {
                let isOver = resolved.dialect.endsRefreshToken(error)
                guard isOver || error.isWithoutReason, case .refused(let refusal) = error else { throw error.signInFailure }
                if isOver { await forgetRefreshToken(of: credential) }
                throw SignInFailure.denied(error: refusal.error ?? "invalid_grant", description: "\(refusal)")
            }
        } catch {
            await providers.failed(error, with: credential.binding, at: provider.id)
            throw Self.interfaceError(error, of: provider, lostAnswer: lostAnswer)
        }
        return try await accept(fresh, for: credential, at: resolved)
    }

    /// A new refresh token is on disk before anything else is done with the answer: the old one may be dead already, and the
    /// provider's keys may not be had just now.
    private func accept(
        _ fresh: Grant, for credential: StoredCredential, at resolved: ResolvedProvider
    ) async throws(InterfaceError) -> StoredCredential {
        let provider = resolved.provider
        guard let idToken = fresh.idToken else {
            return try await keep(credential.refreshed(with: fresh), spent: credential.grant.refreshToken)
        }
        var held = credential
        if let token = fresh.refreshToken.map({ RotatedToken(token: $0, expiresAt: fresh.refreshTokenExpiresAt) }),
            let rotated = credential.rotated(by: token)
        {
            held = try await keep(rotated, spent: credential.grant.refreshToken)
            // Somebody signed in anew meanwhile: theirs is the newer grant, and this answer is about the one before.
            guard held == rotated else { return held }
        }
        let expectation = IDTokenExpectation.refresh(at: resolved, of: credential, accessToken: fresh.accessToken)
        do throws(SignInFailure) {
            if case .failure(let rejection) = try await exchange.verdict(on: idToken, expecting: expectation, at: resolved) {
                // A grant of somebody else is no grant to renew from.
                if rejection.isAnotherIdentity { await forgetRefreshToken(of: held) }
                throw rejection.signInFailure
            }
        } catch {
            throw Self.interfaceError(error, of: provider)
        }
        return try await keep(held.refreshed(with: fresh), spent: nil)
    }

    /// Writes a credential that is one generation newer than the one on disk. Where that fails it is held in memory, and written
    /// by who asks next, or after a while.
    ///
    /// - Parameter spent: the refresh token that it was got for.
    private func keep(
        _ refreshed: StoredCredential, spent: Secret?
    ) async throws(InterfaceError) -> StoredCredential {
        let key = CredentialShelf.Key(refreshed)
        let name = providers.displayName(key.providerID)
        let standing: Standing
        do { standing = try await stand(refreshed, spent: spent) } catch {
            unsaved[key] = Unsaved(credential: refreshed, spent: spent)
            retryLater()
            log.error(
                "a refreshed credential could not be kept and is held in memory: \(error)", event: .storeProblem, providerID: key.providerID
            )
            throw InterfaceError(error)
        }
        unsaved[key] = nil
        switch standing {
        case .kept(let credential):
            shelf.stored(credential)
            log.info("token refreshed", event: .tokenRefreshed, providerID: key.providerID)
            feed.post(.tokenRefreshed, "a fresh access token of \(name) is kept", providerID: key.providerID)
            return credential
        case .newer(let credential):
            shelf.stored(credential)
            return credential
        case .gone:
            let grant = refreshed.grant
            platform.work.start { await self.revocation.discard(grant, providerID: key.providerID, binding: refreshed.binding) }
            throw .signInRequired(
                message: "the credential at \(name) was taken back while it was being refreshed; sign in again",
                providerID: key.providerID, reason: "the credential was revoked")
        }
    }

    private enum Standing {
        case kept(StoredCredential)
        /// Somebody signed in anew while the provider answered.
        case newer(StoredCredential)
        case gone
    }

    private func stand(_ refreshed: StoredCredential, spent: Secret?) async throws(StoreError) -> Standing {
        let store = try store.opened()
        if try await store.replaceCredential(refreshed, ifGeneration: refreshed.generation &- 1) { return .kept(refreshed) }
        // The disk decides who was first, not the copy in memory, which follows it. Few rounds: each lost one is a sign-in.
        for _ in 0..<8 {
            guard let current = try await store.credential(providerID: refreshed.providerID, subject: refreshed.subject) else {
                return .gone
            }
            // A sign-in without a refresh token kept the one that was just spent.
            guard let spent, current.grant.refreshToken == spent, current.binding == refreshed.binding,
                let fresh = refreshed.grant.refreshToken,
                let mended = current.rotated(by: RotatedToken(token: fresh, expiresAt: refreshed.grant.refreshTokenExpiresAt))
            else { return .newer(current) }
            if try await store.replaceCredential(mended, ifGeneration: current.generation) { return .newer(mended) }
        }
        throw StoreError(.conflict, file: "the store", reason: "a credential changes faster than it can be kept")
    }

    private func save(_ key: CredentialShelf.Key) async throws(InterfaceError) {
        guard let held = unsaved[key] else { return }
        _ = try await keep(held.credential, spent: held.spent)
    }

    /// A disk has room again at some time, and nobody may ask until then.
    private func retryLater() {
        guard retry == nil else { return }
        retry = platform.timers.after(milliseconds: 30_000) { [weak self] in
            guard let self else { return }
            self.retry = nil
            self.platform.work.start { await self.saveRest() }
        }
    }

    /// A refused refresh token stays refused: the next caller learns at once that the person is needed.
    private func forgetRefreshToken(of credential: StoredCredential) async {
        var without = credential
        // It was the access token itself that was to be renewed, and that is what was refused.
        if credential.grant.refreshToken == nil { without.grant.expiresAt = platform.now }
        without.grant.refreshToken = nil
        without.grant.refreshTokenExpiresAt = nil
        without.generation = credential.generation &+ 1
        do {
            if try await store.opened().replaceCredential(without, ifGeneration: credential.generation) { shelf.stored(without) }
        } catch {
            log.warning("a refused refresh token could not be removed: \(error)", event: .storeProblem, providerID: credential.providerID)
        }
    }

    // MARK: The end

    /// A grant that a refresh gave and that could not be written; not held any more.
    func takeUnsaved(_ key: CredentialShelf.Key) -> StoredCredential? { unsaved.removeValue(forKey: key)?.credential }

    /// Tries once more to write what could not be written.
    func saveRest() async {
        for key in unsaved.keys { try? await save(key) }
    }

    /// The store was locked. What could not be written before goes too: who locks wants nothing left here.
    func forgetAll() {
        retry?.cancel()
        retry = nil
        unsaved = [:]
        triedAhead = [:]
        asLongAsItGets = [:]
    }

    // MARK: Errors

    private static func signInRequired(_ requirement: SignInRequirement, of provider: Provider) -> InterfaceError {
        .signInRequired(
            message: "signing in at \(provider.displayName) is needed: \(requirement); run `postern sign-in \(provider.id)`",
            providerID: provider.id, reason: "\(requirement)")
    }

    /// - Parameter lostAnswer: the renewal before this one got no answer.
    private static func interfaceError(
        _ failure: SignInFailure, of provider: Provider, lostAnswer: Bool = false
    ) -> InterfaceError {
        switch failure {
        case .denied(let error, let description):
            .signInRequired(
                message: "\(provider.displayName) does not renew the token any more (\(description ?? error))"
                    + (lostAnswer ? ": the answer to the renewal before never came, and the next refresh token was probably in it" : "")
                    + "; run `postern sign-in \(provider.id)`",
                providerID: provider.id, reason: description ?? "the provider does not renew the token")
        case .invalidIDToken(let reason):
            .invalidIDToken(
                message: "the refreshed ID token of \(provider.displayName) was refused: \(reason)", providerID: provider.id, reason: reason
            )
        case .unreachable(let message): .providerUnreachable(message: message, providerID: provider.id)
        case .exchangeFailed(let error, let description, let message):
            .exchangeFailed(message: message, providerID: provider.id, error: error, errorDescription: description)
        case .providerNotConfigured(let message): .providerNotConfigured(message: message, providerID: provider.id)
        case .storeUnavailable(let message): .storeDamaged(message: message)
        case .timedOut, .cancelled, .otherAccount, .internal: .internalError(message: "the refresh ended without an answer; try again")
        }
    }
}

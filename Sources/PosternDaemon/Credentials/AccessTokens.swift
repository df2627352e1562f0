import PosternCore
import PosternInterface

/// Hands out access tokens: the stored one while it is good enough, a refreshed one where that can be had.
@DaemonActor
final class AccessTokens {
    typealias Answer = @DaemonActor (Result<PosternCore.StoredCredential, InterfaceError>) -> Void

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
    private let feed: EventFeed
    private let log: DaemonLog
    /// Who waits for a refresh that is under way: a hundred callers cause one.
    private var refreshes: [CredentialShelf.Key: [Answer]] = [:]
    var activityChanged: @DaemonActor () -> Void = {}

    init(
        shelf: CredentialShelf, store: StoreAccess, providers: ProviderDirectory, exchange: CodeExchange, feed: EventFeed, log: DaemonLog
    ) {
        self.shelf = shelf
        self.store = store
        self.providers = providers
        self.exchange = exchange
        self.feed = feed
        self.log = log
    }

    var isBusy: Bool { !refreshes.isEmpty }

    /// Answers at once where the stored token will do.
    func get(_ request: Request, answer: @escaping Answer) {
        do throws(InterfaceError) {
            let provider = try providers.configured(request.providerID)
            let credential = try credential(of: provider, subject: request.subject)
            let decision = RefreshDecision(
                for: credential, dialect: provider.dialect, now: WallClock.now, minimumValidity: request.minimumValidity,
                forceRefresh: request.forceRefresh, scopes: request.scopes)
            switch decision {
            case .useStored: answer(.success(credential))
            case .refresh: join(credential, of: provider, answer: answer)
            case .signInRequired(let requirement): throw Self.signInRequired(requirement, of: provider)
            case .scopeNotGranted(let missing):
                throw .scopeNotGranted(
                    message: "\(provider.displayName) has not granted \(missing.joined(separator: ", ")); sign in again and ask for it",
                    missing: missing)
            }
        } catch {
            answer(.failure(error))
        }
    }

    /// The one credential that is meant.
    func credential(of provider: PosternCore.Provider, subject: String?) throws(InterfaceError) -> PosternCore.StoredCredential {
        if let subject {
            if let credential = shelf[CredentialShelf.Key(providerID: provider.id, subject: subject)] { return credential }
            throw .signInRequired(
                message: "no credential of the account \(subject) at \(provider.displayName) is kept here; sign in with it first",
                providerID: provider.id, reason: "nobody has signed in with this account")
        }
        let candidates = shelf.credentials(providerID: provider.id)
        guard let first = candidates.first else {
            throw .signInRequired(
                message: "nobody has signed in at \(provider.displayName) yet; run `postern sign-in \(provider.id)`",
                providerID: provider.id, reason: "nobody has signed in")
        }
        guard candidates.count == 1 else {
            throw .ambiguousAccount(
                message: "several accounts at \(provider.displayName) are kept here; say which one by its uid",
                uids: candidates.map(\.subject))
        }
        return first
    }

    // MARK: Refreshing

    private func join(_ credential: PosternCore.StoredCredential, of provider: PosternCore.Provider, answer: @escaping Answer) {
        let key = CredentialShelf.Key(credential)
        if refreshes[key] != nil {
            refreshes[key]?.append(answer)
            return
        }
        refreshes[key] = [answer]
        activityChanged()
        DaemonActor.start {
            let result: Result<PosternCore.StoredCredential, InterfaceError>
            do throws(InterfaceError) {
                result = .success(try await self.refresh(credential, of: provider))
            } catch {
                self.log.warning("no fresh token: \(error.message)", event: .refreshFailed, providerID: provider.id)
                self.feed.post(.refreshFailed, error.message, providerID: provider.id)
                result = .failure(error)
            }
            for answer in self.refreshes.removeValue(forKey: key) ?? [] { answer(result) }
            self.activityChanged()
        }
    }

    private func refresh(
        _ credential: PosternCore.StoredCredential, of provider: PosternCore.Provider
    ) async throws(InterfaceError) -> PosternCore.StoredCredential {
        guard let refreshToken = credential.grant.refreshToken else {
            throw Self.signInRequired(.noRefreshToken(expiresAt: credential.grant.expiresAt), of: provider)
        }
        let fresh: Grant
        do throws(SignInFailure) {
            let resolved = try await providers.resolve(provider)
            let sentAt = WallClock.now
            let response = try await providers.send(TokenRequest.refresh(refreshToken, at: resolved), to: provider)
            do throws(TokenEndpointError) {
                fresh = try TokenResponse.grant(
                    from: response, to: .refresh, at: resolved, scopes: credential.grant.scopes, sentAt: sentAt, now: WallClock.now)
            } catch {
                guard error.endsRefreshToken, case .refused(let refusal) = error else { throw error.signInFailure }
                await forgetRefreshToken(of: credential)
                throw SignInFailure.denied(error: refusal.error ?? "invalid_grant", description: "\(refusal)")
            }
            if let idToken = fresh.idToken {
                let expectation = IDTokenExpectation.refresh(at: resolved, of: credential, accessToken: fresh.accessToken)
                _ = try await exchange.verify(idToken, expecting: expectation, at: resolved)
            }
        } catch {
            throw Self.interfaceError(error, of: provider)
        }
        return try await keep(credential.refreshed(with: fresh), after: credential, of: provider)
    }

    /// The new refresh token is on disk before anybody sees the new access token: the old one may be dead already.
    private func keep(
        _ refreshed: PosternCore.StoredCredential, after old: PosternCore.StoredCredential, of provider: PosternCore.Provider
    ) async throws(InterfaceError) -> PosternCore.StoredCredential {
        let isCurrent: Bool
        do { isCurrent = try await store.opened().replaceCredential(refreshed, ifGeneration: old.generation) } catch {
            throw .storeDamaged(message: "the refreshed token could not be kept: \(error)")
        }
        guard isCurrent else {
            // Signed in anew, or taken back, while the provider answered.
            if let newer = shelf[CredentialShelf.Key(old)], newer.generation > old.generation { return newer }
            throw .signInRequired(
                message: "the credential at \(provider.displayName) was taken back while it was being refreshed; sign in again",
                providerID: provider.id, reason: "the credential was revoked")
        }
        shelf.stored(refreshed)
        log.info("token refreshed", event: .tokenRefreshed, providerID: provider.id)
        feed.post(.tokenRefreshed, "a fresh access token of \(provider.displayName) is kept", providerID: provider.id)
        return refreshed
    }

    /// A refused refresh token stays refused: the next caller learns at once that the person is needed.
    private func forgetRefreshToken(of credential: PosternCore.StoredCredential) async {
        var without = credential
        without.grant.refreshToken = nil
        without.grant.refreshTokenExpiresAt = nil
        without.generation = credential.generation &+ 1
        do {
            if try await store.opened().replaceCredential(without, ifGeneration: credential.generation) { shelf.stored(without) }
        } catch {
            log.warning("a refused refresh token could not be removed: \(error)", event: .storeProblem, providerID: credential.providerID)
        }
    }

    // MARK: Errors

    private static func signInRequired(_ requirement: SignInRequirement, of provider: PosternCore.Provider) -> InterfaceError {
        .signInRequired(
            message: "signing in at \(provider.displayName) is needed: \(requirement); run `postern sign-in \(provider.id)`",
            providerID: provider.id, reason: "\(requirement)")
    }

    private static func interfaceError(_ failure: SignInFailure, of provider: PosternCore.Provider) -> InterfaceError {
        switch failure {
        case .denied(_, let description):
            .signInRequired(
                message: "\(provider.displayName) refused the refresh token; run `postern sign-in \(provider.id)`",
                providerID: provider.id, reason: description ?? "the provider refused the refresh token")
        case .invalidIDToken(let reason):
            .invalidIDToken(
                message: "the refreshed ID token of \(provider.displayName) was refused: \(reason)", providerID: provider.id, reason: reason)
        case .unreachable(let message): .providerUnreachable(message: message, providerID: provider.id)
        case .exchangeFailed(let error, let description, let message):
            .exchangeFailed(message: message, providerID: provider.id, error: error, errorDescription: description)
        case .providerNotConfigured(let message): .providerNotConfigured(message: message, providerID: provider.id)
        case .storeUnavailable(let message): .storeDamaged(message: message)
        case .timedOut, .cancelled, .internal: .internalError(message: "the refresh ended without an answer; try again")
        }
    }
}

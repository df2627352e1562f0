import PosternCore

/// Returns access tokens: the stored one while it is valid for long enough, a renewed one if that can be obtained.
///
/// Whether a stored token will do is decided by ``RefreshDecision``, and what happens if it will not by each credential's
/// ``CredentialRenewal``, which is kept beside it in the cache.
@DaemonActor
final class AccessTokens: Grounded {
    typealias Request = TokenRequester.Request
    typealias Requester = TokenRequester

    /// Milliseconds between two attempts to write what could not be written.
    static let pauseBetweenSaves: Int64 = 30_000

    let ground: Ground
    let providers: ProviderRoom
    let states: CredentialStates
    var retry: (any PendingTimer)?

    init(
        _ ground: Ground, providers: ProviderRoom, states: CredentialStates
    ) {
        self.ground = ground
        self.providers = providers
        self.states = states
    }

    /// Something is only in memory: the daemon must not exit because it is idle.
    var holdsUnsaved: Bool { providers.cache.holdsUnsaved }

    /// The stored credential, if its token will do and nothing has to be done first; nil if ``credential(for:)`` is to be called.
    func stored(for request: Request) throws(TokenFailure) -> HeldCredential? {
        let (held, configured, restriction) = try found(request)
        return providers.cache.stored(held, for: request.demand, restriction, dialect: configured.provider.dialect, now: platform.now)
    }

    func credential(for request: Request) async throws(TokenFailure) -> StoredCredential {
        if let stored = try stored(for: request) { return stored.credential }
        let requester = Requester(request: request)
        want(requester)
        do throws(TokenFailure) { return try await requester.answer.value.get() } catch { throw cause(of: error, request) }
    }

    /// A token that its provider took back looks like an expired one.
    private func cause(of failure: TokenFailure, _ request: Request) -> TokenFailure {
        guard case .signInRequired(.noRefreshToken) = failure, let kept = try? credential(of: request.providerID, subject: request.subject),
            case .signInNeeded(.tokenRefused(let reason)) = states.status(of: kept)
        else { return failure }
        return .signInRequired(.accessTokenRefused(reason))
    }

    /// The requester is answered at once if the stored token will do, else when the provider has answered.
    func want(_ requester: Requester) {
        do throws(TokenFailure) { try ask(for: requester) } catch { requester.answer.fulfill(.failure(error)) }
    }

    /// Also for those who waited for the end of a renewal, and want another token than it produced.
    private func ask(for requester: Requester) throws(TokenFailure) {
        if let problem = store.problem { throw .storeClosed(problem) }
        if platform.isEnding { throw .ending }
        let (held, configured, restriction) = try found(requester.request)
        let now = platform.now
        let key = CredentialCache.Key(held.credential)
        let action = providers.cache.renewal(of: key) {
            $0.wanted(
                requester.request.demand, restriction, by: requester, of: held.credential, dialect: configured.provider.dialect, now: now)
        }
        carryOut(action, of: key)
    }

    /// The credential that is meant, if its provider is still the one that issued it, and the restrictions for its token.
    private func found(
        _ request: Request
    ) throws(TokenFailure) -> (HeldCredential, ConfiguredProvider, TokenRestriction?) {
        let configured: ConfiguredProvider
        do throws(ProviderUnavailable) { configured = try providers.directory.usable(request.providerID) } catch { throw .provider(error) }
        let held = try held(of: request.providerID, subject: request.subject)
        guard let client = providers.directory.client(of: configured, boundTo: held.credential.binding) else { throw .providerChanged }
        guard request.demand.mayRestrict else { return (held, client, nil) }
        let restriction = TokenRestriction(of: request.demand, for: held.credential, at: client.provider)
        if let resource = restriction?.resource {
            // The refresh token would be used for a service that the person never agreed to.
            if let server = client.provider.server { throw .otherResource(resource, server: server.resource ?? server.url.text) }
            if !client.provider.givesTokensForResources { throw .noTokensForResources }
        }
        return (held, client, restriction)
    }

    /// The one credential that is meant.
    func credential(of providerID: String, subject: String?) throws(TokenFailure) -> StoredCredential {
        try held(of: providerID, subject: subject).credential
    }

    private func held(of providerID: String, subject: String?) throws(TokenFailure) -> HeldCredential {
        if let subject {
            if let held = providers.cache.held(CredentialCache.Key(providerID: providerID, subject: subject)) { return held }
            throw .unknownAccount(subject: subject)
        }
        if let only = providers.cache.onlyCredential(providerID: providerID) { return only }
        let candidates = providers.cache.choosable(providerID: providerID)
        throw candidates.isEmpty ? .nobodySignedIn : .ambiguousAccount(candidates)
    }
}

import PosternCore

/// Handles access tokens that a server refused, or that a program wants replaced: they are renewed, or their provider is asked whether they
/// are still valid.
///
/// What a program says decides nothing: a token ends only if its own provider refuses it.
@DaemonActor
final class RefusedTokens: Grounded {
    let ground: Ground
    private let providers: ProviderRoom
    private let accessTokens: AccessTokens
    private let states: CredentialStates
    private var pace = TokenInquiryPace()
    private var underWay: Set<CredentialKey> = []
    private let ends = WaitingRoom<Void>()

    init(_ ground: Ground, providers: ProviderRoom, accessTokens: AccessTokens, states: CredentialStates) {
        self.ground = ground
        self.providers = providers
        self.accessTokens = accessTokens
        self.states = states
    }

    /// A server refused this token. Returns when what follows from that has been done.
    ///
    /// - Parameter candidates: the accounts whose tokens the server may have been sent. Each is compared, so that the time taken does not
    ///   show which one has it.
    func refused(_ token: Secret, among candidates: [StoredCredential]) async {
        var found: StoredCredential?
        for candidate in candidates where has(candidate, token) { found = candidate }
        guard let found else { return }
        guard found.grant.accessToken == token else {
            providers.cache.renewal(of: CredentialKey(found)) { $0.refused(token) }
            return
        }
        guard !isOnlyAccessToken(found) else { return await ask(about: found) }
        await renew(found)
        // The user has ended all access at the provider, perhaps: then the renewal was refused, and the access token is no better.
        if let left = providers.cache[CredentialKey(found)], left.grant.accessToken == token, isOnlyAccessToken(left) {
            await ask(about: left)
        }
    }

    /// A program wants another token than the stored one, whatever that is still good for.
    func insisted(on request: AccessTokens.Request) async {
        guard request.demand.forceRefresh,
            let kept = try? accessTokens.credential(of: request.providerID, subject: request.subject),
            // Otherwise the user is needed anyway, and knows.
            isOnlyAccessToken(kept), !states.isSignInNeeded(for: kept)
        else { return }
        await ask(about: kept)
    }

    private func has(_ credential: StoredCredential, _ token: Secret) -> Bool {
        let restricted = providers.cache.restrictedGrants(of: CredentialKey(credential), now: platform.now)
        return ([credential.grant] + restricted).count { $0.accessToken == token } > 0
    }

    private func isOnlyAccessToken(_ credential: StoredCredential) -> Bool {
        guard let dialect = providers.directory[credential.providerID]?.dialect else { return false }
        return credential.hasOnlyAccessToken(dialect: dialect, now: platform.now)
    }

    /// What goes wrong is logged by the renewal.
    private func renew(_ credential: StoredCredential) async {
        _ = try? await accessTokens.credential(
            for: AccessTokens.Request(
                providerID: credential.providerID, subject: credential.subject,
                demand: TokenDemand(minimumValidity: 0, forceRefresh: true)))
    }

    // MARK: Asking the provider

    /// Returns when the provider has answered, or at once if it must not be asked now.
    private func ask(about credential: StoredCredential) async {
        let key = CredentialKey(credential)
        if !underWay.contains(key) {
            guard pace.take(key, now: platform.now) else { return }
            underWay.insert(key)
            platform.activityChanged()
            // A program that leaves does not end it.
            platform.work.start {
                await self.inquire(about: credential)
                self.underWay.remove(key)
                self.ends.release(with: ())
                self.platform.activityChanged()
            }
        }
        while underWay.contains(key) { _ = await ends.wait(while: { underWay.contains(key) }) }
    }

    private func inquire(about credential: StoredCredential) async {
        do throws(ProviderFailure) {
            guard let (inquiry, provider) = try await inquiry(about: credential) else { return }
            // Finding the provider's endpoints may have taken as long as a lock, or the end of the daemon, waits for work under way.
            try providers.exchange.requireNotClosing()
            let answer =
                inquiry.isAuthorizedByGrant
                ? try await providers.directory.send(inquiry.request, authorizedBy: credential.grant, at: provider)
                : try await providers.directory.send(inquiry.request, to: provider.provider)
            guard let reason = inquiry.refusal(in: answer) else { return }
            await accessTokens.forgetTokens(of: credential, reason: reason)
        } catch {
            let name = providers.directory.displayName(credential.providerID)
            events.report(
                .providerProblem, "\(name) did not say whether its access token is still valid: \(error.message)", level: .info,
                providerID: credential.providerID)
        }
    }

    /// - Returns: nil if the provider cannot be asked.
    private func inquiry(
        about credential: StoredCredential
    ) async throws(ProviderFailure) -> (TokenInquiry, ResolvedProvider)? {
        let provider = try providers.directory.provider(credential.providerID, boundTo: credential.binding)
        func inquiry(at resolved: ResolvedProvider) -> (TokenInquiry, ResolvedProvider)? {
            TokenInquiry(about: credential.grant, at: resolved, cryptography: platform.cryptography, now: platform.now)
                .map { ($0, resolved) }
        }
        if let first = inquiry(at: try await providers.directory.resolve(provider)) { return first }
        return inquiry(at: try await providers.directory.resolveForIntrospection(provider))
    }
}

import PosternCore

extension CodeExchange {
    /// Whether the account that a sign-in is for has a refresh token that works: then the user need not agree to another one. Not looked up
    /// where it makes no difference.
    func hasRefreshToken(for session: SignInSession, at provider: ResolvedProvider) async -> Bool {
        let request = session.request
        // Where nothing says who signed in, the old refresh token is not kept beside a new grant.
        guard provider.provider.namesPeople, OfflineAccess.needsConsent(request.scopes(at: provider), at: provider) else { return false }
        let (binding, directory, now) = (provider.provider.binding, settings.configuration.namedAccounts, platform.now)
        var isFound = false
        await loader.read {
            isFound = directory.hasRefreshToken(for: request, among: loader.cache.credentials(providerID: request.providerID)) {
                $0.binding == binding && $0.grant.hasRefreshToken(at: now) && !loader.cache.isSignInNeeded(for: $0)
            }
        }
        return isFound
    }
}

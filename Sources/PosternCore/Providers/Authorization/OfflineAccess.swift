/// The scope that requests a refresh token (OpenID Connect Core section 11). Without `prompt=consent` a provider must ignore it unless it has
/// another reason to grant it, and some refuse the whole request.
public enum OfflineAccess {
    static let scope = "offline_access"

    /// Whether a request with these scopes gets a refresh token only with the user's consent.
    public static func needsConsent(_ scopes: [String], at provider: ResolvedProvider) -> Bool {
        scopes.contains(scope)
            && provider.dialect.wantsConsentForOfflineAccess(of: provider.provider, authorization: provider.authorization)
    }

    /// The `prompt` of an authorization request; nil if it has none.
    ///
    /// - Parameters:
    ///   - given: the program's or the configuration's. It is sent unchanged: who sets it decides what the user sees, and `none` allows no
    ///     other value beside it.
    ///   - hasRefreshToken: the account has one already, so the user need not agree again.
    static func prompt(given: String?, scopes: [String], hasRefreshToken: Bool, at provider: ResolvedProvider) -> String? {
        if let given { return given }
        // The configuration may have put one into the endpoint's own query, and no parameter may be repeated.
        let isFixed = provider.authorization.queryNames.contains("prompt")
        return !hasRefreshToken && !isFixed && needsConsent(scopes, at: provider) ? "consent" : nil
    }
}

/// The scope that requests a refresh token (OpenID Connect Core section 11). Without `prompt=consent` a provider must ignore it unless it has
/// another reason to grant it, and some refuse the whole request.
public enum OfflineAccess {
    static let scope = "offline_access"

    /// The scopes that are requested where nobody chose any: with this one, if the provider's metadata list it.
    ///
    /// - Parameter prompt: what the page may ask.
    static func added(to scopes: [String], prompt: PagePrompt, at provider: ResolvedProvider) -> [String] {
        guard provider.offersOfflineAccess, !scopes.contains(scope) else { return scopes }
        // With `none` the provider may ask nobody, and would refuse what needs an answer.
        guard !prompt.asksNobody else { return scopes }
        return scopes + [scope]
    }

    /// Whether a request with these scopes gets a refresh token only with the user's consent.
    public static func needsConsent(_ scopes: [String], at provider: ResolvedProvider) -> Bool {
        scopes.contains(scope)
            && provider.dialect.wantsConsentForOfflineAccess(
                of: provider.provider, authorization: provider.authorization, isListed: provider.listsOfflineAccess)
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
        let isFixed = PagePrompt(given: nil, to: provider.authorization).isFixed
        return !hasRefreshToken && !isFixed && needsConsent(scopes, at: provider) ? "consent" : nil
    }
}

extension Provider {
    /// Whether `offline_access` is requested in addition to its scopes.
    func takesOfflineAccess(metadata: ProviderMetadata?) -> Bool {
        !hasChosenScopes && dialect.takesOfflineAccess(of: self) && metadata?.listsOfflineAccess == true
            && registeredScopes?.contains(OfflineAccess.scope) != false
    }

    /// As far as that is known without its metadata, which must list the scope: whether it is requested, and with the user's consent, where
    /// nobody chose any scopes.
    public var mayNeedConsentForOfflineAccess: Bool {
        guard !hasChosenScopes, dialect.takesOfflineAccess(of: self), let issuer, let url = try? EndpointURL(issuer) else { return false }
        return dialect.wantsConsentForOfflineAccess(of: self, authorization: url, isListed: true)
    }
}

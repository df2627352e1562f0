/// How a provider differs from the standards, role by role. The defaults of each role are those of the standard, so that a provider states
/// only its differences.
///
/// A dialect decides and does not act: it describes requests and reads answers, and the caller sends them.
public protocol ProviderDialect: ClientDialect, AuthorizationDialect, TokenDialect, IDTokenDialect, ProfileDialect, PresentedTokenDialect,
    RevocationDialect, DeviceDialect
{}

/// OAuth 2.0 and OpenID Connect as specified.
public struct StandardDialect: ProviderDialect {
    public init() {}

    /// RFC 8707: a server that does not know the parameter ignores it, or refuses it.
    public var givesTokensForResources: Bool { true }

    /// Not a built-in provider's server that is configured under another name.
    public func wantsConsentForOfflineAccess(of provider: Provider, authorization: EndpointURL) -> Bool {
        provider.kind == .oidc && !Catalogue.hasAuthorizationServer(at: authorization.host)
    }

    /// A server's metadata do not say what it does.
    public func narrowsScopes(of provider: Provider) -> Bool { provider.extensions.narrowsScopes }
}

/// OAuth 1.0a as specified, with what its providers have in common.
public struct OAuth1Dialect: ProviderDialect {
    public var needsClientSecret: Bool { true }

    /// RFC 5849 leaves it open: X's `denied`; `oauth_problem`, from the extension "OAuth Problem Reporting"; or OAuth 2.0's `error`.
    public func denial(in parameters: CallbackParameters) -> (error: String, description: String?)? {
        if parameters.denied != nil { return ("access_denied", nil) }
        if let problem = parameters["oauth_problem"]?.reveal() { return (problem, parameters["oauth_problem_advice"]?.reveal()) }
        return parameters.error.map { ($0, parameters.errorDescription) }
    }

    public func revocationRequests(
        for grant: Grant, at provider: ResolvedProvider, cryptography: any Cryptography
    ) -> [ProviderRequest] {
        // OAuth 1.0a has no revocation. If a URL for it is configured, the token in the signature is the one to revoke.
        provider.revocation.map { [ProviderRequest(method: "POST", url: $0.text)] } ?? []
    }
}

/// How a provider's client is configured: its own keys, and the required ones.
public protocol ClientDialect: Sendable {
    /// The token endpoint requires a client secret even with PKCE.
    var needsClientSecret: Bool { get }

    /// Its own keys.
    var settings: [ProviderSetting] { get }

    /// The provider with these settings applied; also called if there are none.
    func configured(_ provider: Provider, with settings: ProviderSettings) throws(ProviderSettingError) -> Provider

    /// Configuration keys that this provider requires in addition to `client-id`, in the order in which they are asked for.
    ///
    /// - Parameter given: those of `client-secret` and its own keys that are configured.
    func requiredKeys(of provider: Provider, given: Set<String>) -> [String]

    /// The provider for use now: for secrets that are derived again from a key, such as a client secret that is a JWT.
    func prepared(_ provider: Provider, cryptography: any Cryptography, now: Timestamp) throws(ProviderProblem) -> Provider
}

extension ClientDialect {
    public var needsClientSecret: Bool { false }

    public var settings: [ProviderSetting] { [] }

    public func configured(_ provider: Provider, with settings: ProviderSettings) throws(ProviderSettingError) -> Provider { provider }

    /// The client secret, if it is sent or required.
    public func requiredKeys(of provider: Provider, given: Set<String>) -> [String] {
        switch provider.clientAuthentication {
        case .some(.clientSecretBasic), .some(.clientSecretPost): ["client-secret"]
        case .some(.none): []
        case nil: needsClientSecret ? ["client-secret"] : []
        }
    }

    public func prepared(
        _ provider: Provider, cryptography: any Cryptography, now: Timestamp
    ) throws(ProviderProblem) -> Provider { provider }
}

/// What a provider does in its own way, role by role. The defaults of each are the standard's way, so that a provider states its
/// differences only.
///
/// All of it decides and nothing acts: requests are described, answers are read, and who carries them between is the caller.
public protocol ProviderDialect: ClientDialect, AuthorizationDialect, TokenDialect, IDTokenDialect, ProfileDialect, PresentedTokenDialect,
    RevocationDialect, DeviceDialect
{}

/// OAuth 2.0 and OpenID Connect as they are written.
public struct StandardDialect: ProviderDialect {
    public init() {}

    /// RFC 8707: a server that does not know the parameter ignores it, or refuses it.
    public var givesTokensForResources: Bool { true }

    /// What a server does is not written in its metadata.
    public func narrowsScopes(of provider: Provider) -> Bool { provider.extensions.narrowsScopes }
}

/// OAuth 1.0a as it is written, with what its providers have in common beside it.
public struct OAuth1Dialect: ProviderDialect {
    public init() {}

    public var needsClientSecret: Bool { true }

    public func denial(in parameters: CallbackParameters) -> (error: String, description: String?)? { OAuth1Denial.denial(in: parameters) }

    public func revocationRequests(for grant: Grant, at provider: ResolvedProvider) -> [ProviderRequest] {
        // OAuth 1.0a knows no revocation. If there is an address for it, the token in the signature is the one that is meant.
        provider.revocation.map { [ProviderRequest(method: "POST", url: $0.text)] } ?? []
    }
}

/// How somebody's no comes back, which RFC 5849 leaves open.
enum OAuth1Denial {
    /// `denied`, as X has it; `oauth_problem`, of the extension "OAuth Problem Reporting"; or OAuth 2.0's `error`.
    static func denial(in parameters: CallbackParameters) -> (error: String, description: String?)? {
        if parameters.denied != nil { return ("access_denied", nil) }
        if let problem = parameters["oauth_problem"]?.reveal() { return (problem, parameters["oauth_problem_advice"]?.reveal()) }
        return parameters.error.map { ($0, parameters.errorDescription) }
    }
}

/// How a provider's client is configured: its own keys, and what it must have.
public protocol ClientDialect: Sendable {
    /// A client secret is asked for at the token endpoint even where PKCE is used.
    var needsClientSecret: Bool { get }

    /// Its own keys.
    var settings: [ProviderSetting] { get }

    /// The provider with these settings laid over it; called also if there are none.
    func configured(_ provider: Provider, with settings: ProviderSettings) throws(ProviderSettingError) -> Provider

    /// Keys that the configuration must have for this provider beside `client-id`, in the order in which they are asked for.
    ///
    /// - Parameter given: `client-secret` and its own keys, those of them that the configuration has.
    func requiredKeys(of provider: Provider, given: Set<String>) -> [String]

    /// The provider as it is used now: for secrets that are made again from a key, such as a client secret that is a JWT.
    func prepared(_ provider: Provider, cryptography: any Cryptography, now: Timestamp) throws(ProviderProblem) -> Provider
}

extension ClientDialect {
    public var needsClientSecret: Bool { false }

    public var settings: [ProviderSetting] { [] }

    public func configured(_ provider: Provider, with settings: ProviderSettings) throws(ProviderSettingError) -> Provider { provider }

    /// The client secret, where it is sent or asked for.
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

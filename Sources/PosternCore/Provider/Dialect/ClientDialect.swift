/// How a provider's client is configured: its own keys, and what it must have.
public protocol ClientDialect: Sendable {
    /// A client secret is asked for at the token endpoint even where PKCE is used.
    var needsClientSecret: Bool { get }

    /// Keys of its own.
    var settings: [ProviderSetting] { get }

    /// The provider with these settings laid over it; called also where there are none.
    func configured(_ provider: Provider, with settings: ProviderSettings) throws(ProviderSettingError) -> Provider

    /// Keys that the configuration must have for this provider beside `client-id`, in the order in which they are asked for.
    ///
    /// - Parameter given: `client-secret` and its own keys, those of them that the configuration has.
    func requiredKeys(of provider: Provider, given: Set<String>) -> [String]

    /// The provider as it is used now: for secrets that are made anew from a key, such as a client secret that is a JWT.
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

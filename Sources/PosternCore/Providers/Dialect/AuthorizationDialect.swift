/// How a provider is asked for an authorization, and how its callback answers.
public protocol AuthorizationDialect: Sendable {
    /// `response_mode`, if the provider must be told (OAuth 2.0 Multiple Response Type Encoding Practices section 2.1).
    func responseMode(of provider: Provider, scopes: [String]) -> String?

    /// Further parameters that only Postern sets, in addition to ``ReservedParameters``.
    var reservedParameters: Set<String> { get }

    /// How the nonce is sent and returned: as it is, or as a hash whose original only we know.
    func sentNonce(_ raw: Secret, of provider: Provider, cryptography: any Cryptography) -> Secret

    /// A refusal in a callback; nil if there is none. The caller cleans its text.
    func denial(in parameters: CallbackParameters) -> (error: String, description: String?)?

    /// What was granted, if the callback says it and the token answer does not; nil if it does not say.
    func grantedScopes(in parameters: CallbackParameters) -> [String]?

    /// The value of `scope` in an authorization request (RFC 6749 section 3.3); left out if it is empty.
    func encodeScopes(_ scopes: [String]) -> String

    /// Whether `offline_access` must be requested with `prompt=consent` (OpenID Connect Core section 11).
    func wantsConsentForOfflineAccess(of provider: Provider, authorization: EndpointURL) -> Bool

    /// Whether the provider's authorization endpoints are at this host. Said by a provider that is often configured as another one, for which
    /// the standard's rules would be wrong.
    func hasAuthorizationServer(at host: String) -> Bool

    /// The parameter that names the account that the program would like (OpenID Connect Core section 3.1.2.1).
    var loginHintParameter: String { get }

    /// Whether a hint is the name of exactly one account, even if it has not signed in here yet.
    func isUserName(_ loginHint: String) -> Bool

    /// What `iss` in the callback is compared with; nil if the provider has no issuer (RFC 9207 section 2.4).
    func authorizationResponseIssuer(of provider: Provider, authorization: EndpointURL) -> String?
}

extension AuthorizationDialect {
    public func responseMode(of provider: Provider, scopes: [String]) -> String? { nil }

    public var reservedParameters: Set<String> { [] }

    public func sentNonce(_ raw: Secret, of provider: Provider, cryptography: any Cryptography) -> Secret { raw }

    public func denial(in parameters: CallbackParameters) -> (error: String, description: String?)? {
        parameters.error.map { ($0, parameters.errorDescription) }
    }

    public func grantedScopes(in parameters: CallbackParameters) -> [String]? { nil }

    public func encodeScopes(_ scopes: [String]) -> String { scopes.joined(separator: " ") }

    /// Built-in providers give refresh tokens without it, in their own ways.
    public func wantsConsentForOfflineAccess(of provider: Provider, authorization: EndpointURL) -> Bool { false }

    public func hasAuthorizationServer(at host: String) -> Bool { false }

    public var loginHintParameter: String { "login_hint" }

    public func isUserName(_ loginHint: String) -> Bool { false }

    public func authorizationResponseIssuer(of provider: Provider, authorization: EndpointURL) -> String? { provider.issuer }
}

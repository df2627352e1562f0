/// How a provider is asked for an authorization, and how its callback answers.
extension ProviderDialect {
    public func responseMode(of provider: Provider, scopes: [String]) -> String? { nil }

    public var reservedParameters: Set<String> { [] }

    public func sentNonce(_ raw: Secret, of provider: Provider, cryptography: any Cryptography) -> Secret { raw }

    public func denial(in parameters: CallbackParameters) -> (error: String, description: String?)? {
        parameters.error.map { ($0, parameters.errorDescription) }
    }

    public func grantedScopes(in parameters: CallbackParameters) -> [String]? { nil }

    public func encodeScopes(_ scopes: [String]) -> String { scopes.joined(separator: " ") }

    /// Built-in providers have their own ways to refresh tokens, and their own usual scopes.
    public func takesOfflineAccess(of provider: Provider) -> Bool { false }

    public func renewalScope(of provider: Provider) -> String? { nil }

    public func renewalAdvice(signIn: String) -> String? { nil }

    /// Built-in providers give refresh tokens without it, in their own ways.
    public func wantsConsentForOfflineAccess(of provider: Provider, authorization: EndpointURL, isListed: Bool) -> Bool { false }

    public func hasAuthorizationServer(at host: String) -> Bool { false }

    public func askingAgain(at provider: Provider) -> [String: String] {
        // One that is built in may be configured under another name.
        if let known = Catalogue.providers.first(where: { $0.issuer != nil && $0.issuer == provider.issuer }), known.id != provider.id {
            return known.dialect.askingAgain(at: known)
        }
        // An ID token then says when that was.
        return provider.kind == .oidc ? ["prompt": "login", "max_age": "0"] : ["prompt": "login"]
    }

    public var loginHintParameter: String { "login_hint" }

    public func isUserName(_ loginHint: String) -> Bool { false }

    public var identifiersAreNumbers: Bool? { nil }

    public func authorizationResponseIssuer(of provider: Provider, authorization: EndpointURL) -> String? { provider.issuer }
}

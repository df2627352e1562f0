/// What a provider's ID tokens must stand beside the rules of the standard.
public protocol IDTokenDialect: Sendable {
    func issuerRule(of provider: Provider) -> IssuerRule

    /// Rules of its own for an ID token that has stood those of the standard.
    ///
    /// - Parameter parameters: the program's, of the authorization request; none at a refresh.
    func check(_ claims: IDTokenClaims, of provider: Provider, parameters: [String: String]) throws(IDTokenRejection)

    /// Why an ID token that a program got itself cannot be believed, though its signature is good; nil where it can. The sentence goes
    /// on from the provider's name.
    func problemOfPresentedTokens(of provider: Provider) -> String?

    /// `auth_time` stays what it was at the sign-in when an ID token is refreshed (OpenID Connect Core section 12.2).
    var keepsAuthenticationTime: Bool { get }
}

extension IDTokenDialect {
    public func issuerRule(of provider: Provider) -> IssuerRule { .exact(provider.issuer) }

    public func check(_ claims: IDTokenClaims, of provider: Provider, parameters: [String: String]) throws(IDTokenRejection) {}

    public func problemOfPresentedTokens(of provider: Provider) -> String? { nil }

    public var keepsAuthenticationTime: Bool { true }
}

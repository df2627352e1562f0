/// How a provider says who signed in.
public protocol ProfileDialect: Sendable {
    /// The next request for the profile, given the answers so far; nil after the last.
    ///
    /// To be repeated until it returns nil. It reads no more of an answer than it needs to choose the next request.
    func nextProfileRequest(after answers: [ProviderResponse], in context: ProfileContext) -> ProviderRequest?

    /// Who signed in.
    func profile(from answers: [ProviderResponse], in context: ProfileContext) throws(ProfileError) -> ProviderProfile
}

extension ProfileDialect {
    /// The userinfo endpoint, if there is one.
    public func nextProfileRequest(after answers: [ProviderResponse], in context: ProfileContext) -> ProviderRequest? {
        guard answers.isEmpty, let userinfo = context.provider.userinfo else { return nil }
        return context.request(userinfo)
    }

    /// The answer of the userinfo endpoint, completed from the ID token.
    public func profile(from answers: [ProviderResponse], in context: ProfileContext) throws(ProfileError) -> ProviderProfile {
        let userinfo = try answers.first.map { answer throws(ProfileError) in try UserinfoAnswer(answer, in: context).document }
        return try StandardProfile(userinfo: userinfo, idToken: context.idToken, provider: context.provider.provider).profile()
    }
}

/// The checks of a provider's ID tokens in addition to the standard's.
public protocol IDTokenDialect: Sendable {
    func issuerRule(of provider: Provider) -> IssuerRule

    /// The provider's own checks of an ID token that passed the standard's.
    ///
    /// - Parameter parameters: the program's, of the authorization request; none at a refresh.
    func check(_ claims: IDTokenClaims, of provider: Provider, parameters: [String: String]) throws(IDTokenRejection)

    /// Why an ID token that a program obtained itself cannot be trusted although its signature is valid; nil if it can. The sentence
    /// continues after the provider's name.
    func problemOfPresentedTokens(of provider: Provider) -> String?

    /// Whether `auth_time` stays the time of the sign-in when an ID token is refreshed (OpenID Connect Core section 12.2).
    var keepsAuthenticationTime: Bool { get }
}

extension IDTokenDialect {
    public func issuerRule(of provider: Provider) -> IssuerRule { .exact(provider.issuer) }

    public func check(_ claims: IDTokenClaims, of provider: Provider, parameters: [String: String]) throws(IDTokenRejection) {}

    public func problemOfPresentedTokens(of provider: Provider) -> String? { nil }

    public var keepsAuthenticationTime: Bool { true }
}

/// How a provider says which client a token that a program obtained itself was issued to.
public protocol PresentedTokenDialect: Sendable {
    /// How to find out which client such a token was issued to.
    func audienceLookup(
        about grant: Grant, at provider: ResolvedProvider, cryptography: any Cryptography
    ) -> AudienceLookup

    /// What the answer says; throws if the token is not this client's, or that is not certain.
    func presentedToken(
        in answer: ProviderResponse, at provider: ResolvedProvider, now: Timestamp
    ) throws(PresentedTokenError) -> PresentedAccessToken
}

extension PresentedTokenDialect {
    public func audienceLookup(
        about grant: Grant, at provider: ResolvedProvider, cryptography: any Cryptography
    ) -> AudienceLookup {
        TokenIntrospection.request(for: grant, at: provider).map { .ask($0) } ?? .impossible
    }

    public func presentedToken(
        in answer: ProviderResponse, at provider: ResolvedProvider, now: Timestamp
    ) throws(PresentedTokenError) -> PresentedAccessToken {
        try TokenIntrospection.token(in: answer, at: provider, now: now)
    }
}

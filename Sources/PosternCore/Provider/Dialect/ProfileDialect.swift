/// How a provider tells who signed in.
public protocol ProfileDialect: Sendable {
    /// The next question of who signed in, given the answers so far; nil when all has been asked.
    ///
    /// To be carried out in turn until nil. No answer is looked at beyond what choosing the next question needs.
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

    /// The answer of the userinfo endpoint, filled up from the ID token.
    public func profile(from answers: [ProviderResponse], in context: ProfileContext) throws(ProfileError) -> ProviderProfile {
        let userinfo = try answers.first.map { answer throws(ProfileError) in try UserinfoAnswer(answer, in: context).document }
        return try StandardProfile(userinfo: userinfo, idToken: context.idToken, provider: context.provider.provider).profile()
    }
}

/// What a provider's ID tokens must stand beside the rules of the standard.
public protocol IDTokenDialect: Sendable {
    func issuerRule(of provider: Provider) -> IssuerRule

    /// Its own rules for an ID token that has stood those of the standard.
    ///
    /// - Parameter parameters: the program's, of the authorization request; none at a refresh.
    func check(_ claims: IDTokenClaims, of provider: Provider, parameters: [String: String]) throws(IDTokenRejection)

    /// Why an ID token that a program got itself cannot be believed, though its signature is good; nil if it can. The sentence goes
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

/// How a provider tells for whom a token was made that a program got itself.
public protocol PresentedTokenDialect: Sendable {
    /// What tells for whom such a token was made.
    func audienceQuestion(
        about grant: Grant, at provider: ResolvedProvider, cryptography: any Cryptography
    ) -> AudienceQuestion

    /// What its answer tells; thrown where the token is not this client's, or nobody can be sure.
    func presentedToken(
        in answer: ProviderResponse, at provider: ResolvedProvider, now: Timestamp
    ) throws(PresentedTokenError) -> PresentedAccessToken
}

extension PresentedTokenDialect {
    public func audienceQuestion(
        about grant: Grant, at provider: ResolvedProvider, cryptography: any Cryptography
    ) -> AudienceQuestion {
        TokenIntrospection.request(for: grant, at: provider).map { .ask($0) } ?? .impossible
    }

    public func presentedToken(
        in answer: ProviderResponse, at provider: ResolvedProvider, now: Timestamp
    ) throws(PresentedTokenError) -> PresentedAccessToken {
        try TokenIntrospection.token(in: answer, at: provider, now: now)
    }
}

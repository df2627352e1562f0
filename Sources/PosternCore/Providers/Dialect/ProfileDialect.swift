/// How a provider says who signed in.
extension ProviderDialect {
    public func namesPeople(at provider: Provider) -> Bool { true }

    /// The userinfo endpoint, if there is one.
    public func nextProfileRequest(after answers: [ProviderResponse], in context: ProfileContext) -> ProviderRequest? {
        guard answers.isEmpty, let userinfo = context.provider.userinfo else { return nil }
        return context.request(userinfo)
    }

    /// The answer of the userinfo endpoint, completed from the ID token.
    public func profile(from answers: [ProviderResponse], in context: ProfileContext) throws(ProfileError) -> ProviderProfile {
        let userinfo = try answers.first.map { answer throws(ProfileError) in try UserinfoAnswer(answer, in: context).document }
        let provider = context.provider.provider
        if !provider.namesPeople, let account = context.account {
            return ProviderProfile(identity: Identity(providerID: provider.id, subject: account), document: [:])
        }
        return try StandardProfile(userinfo: userinfo, idToken: context.idToken, provider: provider).profile()
    }

    /// RFC 6750 section 3.1.
    public func endsAccessToken(_ refusal: OAuthRefusal) -> Bool { refusal.status == 401 }

    // MARK: ID tokens

    public func issuerRule(of provider: Provider) -> IssuerRule { .exact(provider.issuer) }

    public func check(_ claims: IDTokenClaims, of provider: Provider, parameters: [String: String]) throws(IDTokenRejection) {}

    public func problemOfPresentedTokens(of provider: Provider) -> String? { nil }

    public var keepsAuthenticationTime: Bool { true }

    // MARK: Tokens that a program obtained itself

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

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

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
    /// The userinfo endpoint, where there is one.
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

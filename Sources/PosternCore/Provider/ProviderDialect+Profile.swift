import StrictJSON

extension ProviderDialect {
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

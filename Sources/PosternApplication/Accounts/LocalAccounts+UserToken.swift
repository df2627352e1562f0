import PosternCore

extension LocalAccounts {
    func userToken(audience: TokenAudience, app: AppName) async throws(AccountFailure) -> UserToken {
        guard let token = try await userTokens.token(audience: audience, app: app) else {
            throw .refused(.noCurrentUser)
        }
        return token
    }
}

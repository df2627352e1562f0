import PosternCore
import PosternInterface

extension LocalAccounts {
    func userToken(audience: TokenAudience, app: String) async throws -> UserToken {
        guard let token = try await userTokens.token(audience: audience, app: app) else {
            throw InterfaceError.noCurrentUser(message: "the app \(app) is signed in as nobody; sign in first", app: app)
        }
        return token
    }
}

import PosternCore
import PosternInterface

extension LocalAccounts {
    func userToken(audience: TokenAudience, app: String) async throws -> UserToken {
        let key = try await userTokens.keys().signing.key
        // Looked up last, so that nothing comes between who is signed in and the token that says so.
        guard let (signIn, user) = try await store.opened().current(app: app) else {
            throw InterfaceError.noCurrentUser(message: "the app \(app) is signed in as nobody; sign in first", app: app)
        }
        return try userTokens.token(for: user, signIn, audience: audience, signedBy: key)
    }
}

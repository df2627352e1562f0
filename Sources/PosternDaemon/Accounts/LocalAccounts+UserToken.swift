import PosternCore
import PosternInterface

extension LocalAccounts {
    func userToken(audience: String, app: String) async throws -> UserToken {
        throw InterfaceError.internalError(message: "not built yet")
    }
}

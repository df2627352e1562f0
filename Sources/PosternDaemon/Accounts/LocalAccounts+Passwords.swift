import PosternCore
import PosternInterface

extension LocalAccounts {
    func createUser(email: String, password: Secret, displayName: String?, app: String) async throws -> AccountResult {
        throw InterfaceError.internalError(message: "not built yet")
    }

    func signIn(email: String, password: Secret, intent: PosternCore.Intent, app: String) async throws -> AccountResult {
        throw InterfaceError.internalError(message: "not built yet")
    }
}

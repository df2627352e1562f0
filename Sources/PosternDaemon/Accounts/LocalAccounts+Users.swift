import PosternCore
import PosternInterface

extension LocalAccounts {
    func signInAnonymously(app: String) async throws -> AccountResult {
        throw InterfaceError.internalError(message: "not built yet")
    }

    func updateUser(_ update: UserUpdate, app: String) async throws -> PosternCore.User {
        throw InterfaceError.internalError(message: "not built yet")
    }

    func unlink(providerID: String, app: String) async throws -> PosternCore.User {
        throw InterfaceError.internalError(message: "not built yet")
    }

    func providers(ofEmail email: String) async throws -> [String] {
        throw InterfaceError.internalError(message: "not built yet")
    }

    func deleteUser(app: String) async throws {
        throw InterfaceError.internalError(message: "not built yet")
    }
}

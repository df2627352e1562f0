import PosternCore
import PosternInterface

extension LocalAccounts {
    func enroll(
        _ kind: PosternCore.SecondFactor.Kind, phoneNumber: String?, displayName: String?, app: String
    ) async throws -> Enrollment {
        throw InterfaceError.internalError(message: "not built yet")
    }

    func confirm(enrollmentID: String, code: String, app: String) async throws -> PosternCore.User {
        throw InterfaceError.internalError(message: "not built yet")
    }

    func removeSecondFactor(uid: String, app: String) async throws -> PosternCore.User {
        throw InterfaceError.internalError(message: "not built yet")
    }

    func resolver(for firstFactor: FirstFactor, uid: String, intent: PosternCore.Intent, app: String) async throws -> Secret {
        throw InterfaceError.internalError(message: "not built yet")
    }

    func startSecondFactor(resolver: String, uid: String) async throws {
        throw InterfaceError.internalError(message: "not built yet")
    }

    func resolveSecondFactor(resolver: String, uid: String, code: String) async throws -> AccountResult {
        throw InterfaceError.internalError(message: "not built yet")
    }
}

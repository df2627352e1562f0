import PosternConfiguration
import PosternCore
import PosternInterface

// What any method may answer.

extension InterfaceError {
    static let ending = InterfaceError.internalError(message: "the daemon is stopping; call again to restart it")

    /// Nobody receives this error.
    static let callerHasGone = InterfaceError.internalError(message: "the caller has disconnected")

    /// The transport accepts no other method.
    static func noMethod(_ name: String) -> InterfaceError { .internalError(message: "there is no method \(name)") }

    init(_ error: ConfigurationError) { self = .configurationInvalid(message: "\(error)", file: error.file, line: error.line) }

    /// How a failure of the store is reported on the socket.
    init(_ error: StoreError) {
        self = error.isLock ? .storeLocked(message: error.description) : .storeDamaged(message: error.description)
    }
}

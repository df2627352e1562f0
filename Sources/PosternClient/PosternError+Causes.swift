import Glibc
import PosternInterface
import StrictJSON
import Varlink

extension PosternError {
    /// What went wrong on the socket, or what the service replied.
    init(_ error: any Error, path: String = "") {
        switch error {
        case let error as PosternError: self = error
        case let error as VarlinkError: self = Self.reply(error)
        case let error as VarlinkClientError: self = Self.connection(error, path: path)
        default: self = .connectionLost(reason: "\(error)")
        }
    }

    private static func reply(_ error: VarlinkError) -> PosternError {
        do throws(JSONMemberError) {
            guard let refusal = try InterfaceError(name: error.name, parameters: error.parameters) else {
                return .notUnderstood(name: error.name, parameters: error.parameters)
            }
            return .refused(refusal)
        } catch {
            return .malformedReply(reason: error.description)
        }
    }

    private static func connection(_ error: VarlinkClientError, path: String) -> PosternError {
        switch error {
        case .cannotConnect(let path, let code): .daemonUnreachable(path: path, reason: String(cString: strerror(code)))
        case .foreignServer(let path, let uid): .foreignDaemon(path: path, userID: uid)
        case .pathTooLong(let path, let limit): .daemonUnreachable(path: path, reason: "the path is longer than \(limit) bytes")
        case .cancelled: .cancelled
        case .protocolViolation(let sentence): .malformedReply(reason: sentence)
        case .connectionClosed: .connectionLost(reason: "it closed the connection")
        case .timedOut: .connectionLost(reason: "it did not answer in time")
        case .busy: .connectionLost(reason: error.description)
        case .remote(let error): reply(error)
        }
    }
}

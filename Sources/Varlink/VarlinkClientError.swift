/// Why a call had no reply. An error that the service replied with is a ``VarlinkError``.
public enum VarlinkClientError: Error, Sendable, Hashable, CustomStringConvertible {
    /// Nobody answers at the path; the reason is the system's.
    case cannotConnect(path: String, reason: String)
    case pathTooLong(path: String, limit: Int)
    /// The service ended, or closed the connection.
    case connectionClosed
    case cancelled
    case timedOut
    case replyTooLarge(limit: Int)
    case malformedReply(String)
    case system(String)

    public var description: String {
        switch self {
        case .cannotConnect(let path, let reason): "cannot connect to \(path): \(reason)"
        case .pathTooLong(let path, let limit): "the socket path \(path) is longer than \(limit) bytes"
        case .connectionClosed: "the service closed the connection before it answered"
        case .cancelled: "the call was cancelled"
        case .timedOut: "the service did not answer in time"
        case .replyTooLarge(let limit): "the reply is larger than \(limit) bytes"
        case .malformedReply(let reason): "the reply makes no sense: \(reason)"
        case .system(let reason): reason
        }
    }
}

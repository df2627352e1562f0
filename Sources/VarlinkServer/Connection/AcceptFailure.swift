import ConnectionAdmission
import Glibc

/// Why accept(2) on a Unix socket failed, by its `errno`.
enum AcceptFailure: Equatable {
    /// All waiting connections have been accepted.
    case noneWaits
    /// Concerns only one connection, or this one attempt.
    case oneConnection
    /// The process or the machine has run out of something. The connection still waits, and the socket stays ready.
    case shortage
    /// The socket no longer listens.
    case noListener
    /// Something that neither a client nor we can change, such as a filter of system calls. It would fail again at once, forever.
    case refusal

    init(_ code: CInt) {
        switch code {
        case EAGAIN: self = .noneWaits
        case EINTR, ECONNABORTED: self = .oneConnection
        case EBADF, EINVAL, ENOTSOCK, EOPNOTSUPP: self = .noListener
        default: self = AcceptShortage(code) == nil ? .refusal : .shortage
        }
    }
}

/// Why new connections are not accepted, or only by closing others. It lasts until its cause is removed.
public struct VarlinkAcceptError: Error, Hashable, Sendable, CustomStringConvertible {
    public var errno: CInt

    public init(errno: CInt) { self.errno = errno }

    public var description: String {
        if let shortage = AcceptShortage(errno) { return "\(shortage)" }
        let reason = String(cString: strerror(errno))
        switch AcceptFailure(errno) {
        case .noListener: return "no new connections are accepted any more: accept: \(reason); restart the service"
        default:
            return "new connections cannot be accepted: accept: \(reason); check SystemCallFilter= of the service and the security modules"
        }
    }
}

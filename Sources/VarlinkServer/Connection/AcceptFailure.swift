import ConnectionAdmission
import Glibc

/// Why accept(2) on a Unix socket failed, by its `errno`.
enum AcceptFailure: Equatable {
    /// Everybody who came is accepted.
    case noneWaits
    /// One connection, or this one attempt; it concerns nobody else.
    case oneConnection
    /// The process or the machine has run out of something. The connection waits, and so does the readiness.
    case shortage
    /// The socket does not listen any more.
    case noListener
    /// Nothing that a client or we can change, such as a filter of system calls. It would fail again at once and for ever.
    case refusal

    init(_ code: CInt) {
        switch code {
        case EAGAIN: self = .noneWaits
        case EINTR, ECONNABORTED: self = .oneConnection
        case EBADF, EINVAL, ENOTSOCK, EOPNOTSUPP: self = .noListener
        default: self = ConnectionTable.isShortage(code) ? .shortage : .refusal
        }
    }
}

/// Why new connections are not accepted, or only by closing others. It lasts until its cause is removed.
public struct VarlinkAcceptError: Error, Hashable, Sendable, CustomStringConvertible {
    public var errno: CInt

    public init(errno: CInt) { self.errno = errno }

    public var description: String {
        let reason = String(cString: strerror(errno))
        switch (AcceptFailure(errno), errno) {
        case (.shortage, EMFILE):
            return "the process has no file descriptor left for a new connection (\(reason)), so those that are idle longest are closed; "
                + "end programs that keep connections open, or raise LimitNOFILE= of the service (ulimit -n)"
        case (.shortage, _):
            return "the system has no room for a new connection (\(reason)), so those that are idle longest are closed; "
                + "end programs that are not needed"
        case (.noListener, _): return "no new connections are accepted any more: accept: \(reason); restart the service"
        default:
            return "new connections cannot be accepted: accept: \(reason); check SystemCallFilter= of the service and the security modules"
        }
    }
}

/// Has the same trouble told once in a while, not once for each connection.
struct AcceptWarnings {
    /// In nanoseconds: an hour.
    static let interval: UInt64 = 3_600_000_000_000

    private var next: UInt64 = 0

    /// - Parameter now: of the loop's clock.
    mutating func isDue(at now: UInt64) -> Bool {
        guard now >= next else { return false }
        next = now + Self.interval
        return true
    }
}

import Glibc

/// Why a call over a `VarlinkConnection` got no reply, or an error instead of one.
public enum VarlinkClientError: Error, Hashable, Sendable {
    /// No service answers at the path; the number is `errno`.
    case cannotConnect(path: String, errno: CInt)
    /// Another user's process serves the path. Nothing was sent to it.
    case foreignServer(path: String, uid: UInt32)
    /// The path does not fit the address of a Unix socket.
    case pathTooLong(path: String, limit: Int)
    /// The service closed the connection before the last reply.
    case connectionClosed
    /// The deadline passed. The connection can no longer be used: the reply may still arrive.
    case timedOut
    /// The service answers neither this call nor any other: it was stopped, or hangs.
    case unresponsive
    /// `cancel()` was called.
    case cancelled
    /// The replies of an earlier `callMore` have not been read to the end.
    case busy
    /// The service sent something that is not a reply; the sentence says what.
    case protocolViolation(String)
    /// The service answered with an error.
    case remote(VarlinkError)
}

extension VarlinkClientError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .cannotConnect(let path, let code):
            "cannot connect to \(path): \(String(cString: strerror(code)))"
        case .foreignServer(let path, let uid):
            "the socket \(path) is served by user \(uid), who is not trusted; nothing was sent"
        case .pathTooLong(let path, let limit):
            "the socket path \(path) is longer than the \(limit) bytes that a Unix socket allows; choose a shorter one"
        case .connectionClosed: "the service closed the connection before it answered"
        case .timedOut: "the service did not answer in time"
        case .unresponsive: "the service does not answer; it is stopped or hangs"
        case .cancelled: "the call was cancelled"
        case .busy: "the connection still has replies to an earlier call; use another connection"
        case .protocolViolation(let sentence): "the service broke the protocol: \(sentence)"
        case .remote(let error): error.description
        }
    }
}

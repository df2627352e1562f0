import Glibc
import PosternInterface
import StrictJSON

/// Why a call came to nothing.
public enum PosternError: Error, Hashable, Sendable {
    /// Nothing answers at the socket.
    case daemonUnreachable(path: String, reason: String)
    /// Another user's process answers at the socket. It was told nothing.
    case foreignDaemon(path: String, userID: UInt32)
    /// The daemon went away before it had answered. A sign-in can be taken up again with its session ID.
    case connectionLost(reason: String)
    /// The daemon's answer, one of the errors of `io.postern`.
    case refused(InterfaceError)
    /// An error outside `io.postern`, as a rule `org.varlink.service.…`: the two sides do not speak the same version.
    case notUnderstood(name: String, parameters: JSONObject)
    /// An answer that is none.
    case malformedReply(reason: String)
    /// The Swift task was cancelled, or the connection closed from this side.
    case cancelled
}

extension PosternError: CustomStringConvertible {
    /// A sentence for a person; safe for any log.
    public var description: String {
        switch self {
        case .daemonUnreachable(let path, let reason): "the daemon cannot be reached at \(path): \(reason)"
        case .foreignDaemon(let path, let userID):
            "\(path) is served by user \(userID) and not by this one (\(geteuid())); nothing was sent"
        case .connectionLost(let reason): "the daemon went away before it had answered: \(reason)"
        case .refused(let error): error.message
        case .notUnderstood(let name, let parameters): Self.sentence(name: name, parameters: parameters)
        case .malformedReply(let reason): "the daemon's answer makes no sense: \(reason)"
        case .cancelled: "cancelled"
        }
    }

    /// What to try, where there is something to try.
    public var advice: String? {
        switch self {
        case .daemonUnreachable:
            "start it with: systemctl --user start postern.socket, or run posternd; POSTERN_SOCKET names another socket"
        case .foreignDaemon:
            "look where POSTERN_SOCKET and XDG_RUNTIME_DIR lead, and whether a daemon of your own runs: systemctl --user start postern.socket"
        // A value that the daemon refuses is no matter of versions.
        case .notUnderstood("org.varlink.service.InvalidParameter", _): nil
        // The sentence says that it is to come.
        case .notUnderstood("org.varlink.service.MethodNotImplemented", _): nil
        case .notUnderstood: "are daemon and client of the same version? postern doctor tells"
        default: nil
        }
    }

    private static func sentence(name: String, parameters: JSONObject) -> String {
        let short = name.split(separator: ".").last.map(String.init) ?? name
        switch short {
        case "MethodNotImplemented": return "this daemon does not have the method \(word("method", parameters)) yet"
        case "MethodNotFound": return "this daemon does not know the method \(word("method", parameters))"
        case "InterfaceNotFound": return "this daemon does not know the interface \(word("interface", parameters))"
        case "InvalidParameter": return "the daemon does not take \(word("parameter", parameters)), or not with this value"
        case "ExpectedMore": return "this method answers more than once and wants to be called so"
        case "PermissionDenied": return "the daemon does not talk to this user"
        default: return "the daemon answered with the error \(name)"
        }
    }

    private static func word(_ key: String, _ parameters: JSONObject) -> String { parameters[key]?.stringValue ?? "?" }
}

import Glibc
import PosternInterface
import StrictJSON
import Varlink

/// Why a call failed.
public enum PosternError: Error, Hashable, Sendable {
    /// Nothing answers at the socket.
    case daemonUnreachable(path: String, reason: String)
    /// The socket belongs to another user, who denies access or whose process answers there. Nothing was sent to it.
    case foreignDaemon(path: String, userID: UInt32)
    /// The daemon stopped before it answered. A sign-in can be resumed with its session ID.
    case connectionLost(reason: String)
    /// The daemon accepted the call, but answers neither it nor any other.
    case daemonUnresponsive(path: String)
    /// The daemon's answer, one of the errors of `io.postern`.
    case refused(InterfaceError)
    /// An error outside `io.postern`, usually `org.varlink.service.…`: client and daemon are of different versions.
    case notUnderstood(name: String, parameters: JSONObject)
    /// A reply that is not valid.
    case malformedReply(reason: String)
    /// The Swift task was cancelled, or this side closed the connection.
    case cancelled
}

extension PosternError: CustomStringConvertible {
    /// A sentence for the user; safe to log.
    public var description: String {
        switch self {
        case .daemonUnreachable(let path, let reason): "the daemon cannot be reached at \(path): \(reason)"
        case .foreignDaemon(let path, let userID):
            "\(path) belongs to user \(userID) and not to this one (\(geteuid())); nothing was sent"
        case .daemonUnresponsive(let path): "the daemon at \(path) does not answer; it is stopped or hangs"
        case .connectionLost(let reason): "the daemon stopped before it answered: \(reason)"
        case .refused(let error): error.message
        case .notUnderstood(let name, let parameters): Self.sentence(name: name, parameters: parameters)
        case .malformedReply(let reason): "the daemon's answer is invalid: \(reason)"
        case .cancelled: "cancelled"
        }
    }

    /// What the user can try, if anything.
    public var advice: String? {
        switch self {
        case .daemonUnreachable(let path, _) where Self.lacksRuntimeDirectory(path):
            "XDG_RUNTIME_DIR is not set, and there is no /run/user/\(geteuid()): log in through the login manager or sshd, or run "
                + "posternd --socket PATH, and have POSTERN_SOCKET name it"
        case .daemonUnreachable(let path, _) where Self.ignoredRuntimeDirectory(path) != nil:
            "XDG_RUNTIME_DIR is '\(Self.ignoredRuntimeDirectory(path) ?? "")', which is not an absolute path, so it is ignored; correct it, or "
                + "have POSTERN_SOCKET name the socket"
        case .daemonUnreachable:
            "if it listens elsewhere, set POSTERN_SOCKET\(DaemonStart.hasSystemd ? "" : "; if it ends at once, posternd --check-config says why"); "
                + "start it with: \(DaemonStart.advice)"
        case .foreignDaemon:
            "check what POSTERN_SOCKET and XDG_RUNTIME_DIR point to, and start your own daemon: \(DaemonStart.advice)"
        case .daemonUnresponsive:
            DaemonStart.hasSystemd
                ? "systemctl --user restart postern.service starts a new one; journalctl --user -u postern.service shows what this one did last"
                : "end that posternd, and start a new one: \(DaemonStart.inBackground)"
        // A refused value has nothing to do with versions.
        case .notUnderstood("org.varlink.service.InvalidParameter", _): nil
        // The sentence says that the method is planned.
        case .notUnderstood("org.varlink.service.MethodNotImplemented", _): nil
        // The sentence says how to call it.
        case .notUnderstood("org.varlink.service.ExpectedMore", _): nil
        // The sentence says what to do.
        case .notUnderstood("org.varlink.service.PermissionDenied", let parameters) where parameters["message"]?.stringValue != nil: nil
        case .notUnderstood: "the daemon may be of another version; run postern doctor"
        default: nil
        }
    }

    /// As under su, in a cron job or in a container: systemd then has no units of this user either.
    package static func lacksRuntimeDirectory(_ path: String) -> Bool {
        let usual = "/run/user/\(geteuid())"
        return path.utf8.starts(with: "\(usual)/".utf8) && getenv("XDG_RUNTIME_DIR") == nil && access(usual, F_OK) != 0
    }

    /// A relative path, which no program may use (XDG Base Directory Specification).
    private static func ignoredRuntimeDirectory(_ path: String) -> String? {
        guard path.utf8.starts(with: "/run/user/\(geteuid())/".utf8), let value = getenv("XDG_RUNTIME_DIR").map({ String(cString: $0) }),
            !value.isEmpty, value.utf8.first != UInt8(ascii: "/")
        else { return nil }
        return value
    }

    private static func sentence(name: String, parameters: JSONObject) -> String {
        let short = name.unicodeScalars.split(separator: ".").last.map(String.init) ?? name
        switch short {
        case "MethodNotImplemented": return "this daemon does not have the method \(word("method", parameters)) yet"
        case "MethodNotFound": return "this daemon does not know the method \(word("method", parameters))"
        case "InterfaceNotFound": return "this daemon does not know the interface \(word("interface", parameters))"
        case "InvalidParameter": return "the daemon does not accept \(word("parameter", parameters)), or not with this value"
        case "ExpectedMore": return "this method replies more than once and must be called with more"
        // The standard error has no parameters; the daemon gives one if it has too much to do.
        case "PermissionDenied": return parameters["message"]?.stringValue ?? "the daemon refuses this user"
        default: return "the daemon answered with the error \(name)"
        }
    }

    private static func word(_ key: String, _ parameters: JSONObject) -> String { parameters[key]?.stringValue ?? "?" }
}

extension PosternError {
    /// An error on the socket, or one that the service replied with.
    package init(_ error: any Error, path: String = "") {
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
        case .cannotConnect(let path, let code):
            if code == EACCES, let userID = SocketOwner.foreign(of: path) {
                .foreignDaemon(path: path, userID: userID)
            } else {
                .daemonUnreachable(path: path, reason: String(cString: strerror(code)))
            }
        case .foreignServer(let path, let uid): .foreignDaemon(path: path, userID: uid)
        case .pathTooLong(let path, let limit): .daemonUnreachable(path: path, reason: "the path is longer than \(limit) bytes")
        case .cancelled: .cancelled
        case .protocolViolation(let sentence): .malformedReply(reason: sentence)
        case .connectionClosed: .connectionLost(reason: "it closed the connection")
        case .timedOut: .connectionLost(reason: "it did not answer in time")
        case .unresponsive: .daemonUnresponsive(path: path)
        case .busy: .connectionLost(reason: error.description)
        case .remote(let error): reply(error)
        }
    }
}

/// The second factor that a sign-in requires after the first one was accepted.
public struct SecondFactorChallenge: Hashable, Sendable {
    /// Represents the first factor; valid for a few minutes and a few attempts.
    public var resolver: Secret
    /// The user's factors; any one of them suffices.
    public var factors: [SecondFactor]

    /// Made from the members of a `SecondFactorRequired` error; ``PosternError/challenge`` does that.
    public init(resolver: Secret, factors: [SecondFactor]) {
        self.resolver = resolver
        self.factors = factors
    }
}

extension PosternError {
    /// The refused credential, with a handle that can be used once.
    ///
    /// With `accountExistsWithDifferentCredential`, link it once the owner of the email address has signed in. With
    /// `credentialAlreadyInUse`, sign in with it as the user it belongs to.
    ///
    ///     do { try await client.signIn(with: "github.com") } catch let error as PosternError {
    ///         guard let pending = error.pendingCredential else { throw error }
    ///         try await client.signIn(with: "google.com")
    ///         try await client.link(with: pending)
    ///     }
    public var pendingCredential: CredentialInput? {
        switch self {
        case .refused(.accountExistsWithDifferentCredential(_, _, _, let credential)),
            .refused(.credentialAlreadyInUse(_, _, let credential)):
            credential.handle.map { CredentialInput(handle: $0) }
        default: nil
        }
    }

    /// Completes a sign-in that requires a second factor: pass it to ``PosternClient/resolve(_:with:code:)``.
    public var challenge: SecondFactorChallenge? {
        guard case .refused(.secondFactorRequired(_, let resolver, let hints)) = self else { return nil }
        return SecondFactorChallenge(resolver: resolver, factors: hints)
    }
}

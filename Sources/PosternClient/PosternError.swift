import Glibc
import PosternInterface
import StrictJSON
import Varlink

/// Why a call came to nothing.
public enum PosternError: Error, Hashable, Sendable {
    /// Nothing answers at the socket.
    case daemonUnreachable(path: String, reason: String)
    /// Another user's process answers at the socket. It was told nothing.
    case foreignDaemon(path: String, userID: UInt32)
    /// The daemon stopped before it answered. A sign-in can be taken up again with its session ID.
    case connectionLost(reason: String)
    /// The daemon took the call and answers neither it nor any other.
    case daemonUnresponsive(path: String)
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
    /// A sentence for the user; safe for any log.
    public var description: String {
        switch self {
        case .daemonUnreachable(let path, let reason): "the daemon cannot be reached at \(path): \(reason)"
        case .foreignDaemon(let path, let userID):
            "\(path) is served by user \(userID) and not by this one (\(geteuid())); nothing was sent"
        case .daemonUnresponsive(let path): "the daemon at \(path) does not answer; it is stopped or hangs"
        case .connectionLost(let reason): "the daemon stopped before it answered: \(reason)"
        case .refused(let error): error.message
        case .notUnderstood(let name, let parameters): Self.sentence(name: name, parameters: parameters)
        case .malformedReply(let reason): "the daemon's answer is invalid: \(reason)"
        case .cancelled: "cancelled"
        }
    }

    /// What to try, if there is something to try.
    public var advice: String? {
        switch self {
        case .daemonUnreachable(let path, _) where Self.lacksRuntimeDirectory(path):
            "XDG_RUNTIME_DIR is not set, and there is no /run/user/\(geteuid()): log in through the login manager or sshd, or run "
                + "posternd --socket PATH, and have POSTERN_SOCKET name it"
        case .daemonUnreachable:
            "start it with: systemctl --user start postern.socket, or run posternd; POSTERN_SOCKET names another socket"
        case .foreignDaemon:
            "check what POSTERN_SOCKET and XDG_RUNTIME_DIR point to, and start your own daemon: systemctl --user start postern.socket"
        case .daemonUnresponsive:
            "systemctl --user restart postern.service starts a new one; journalctl --user -u postern.service shows what this one did last"
        // A value that the daemon refuses is no matter of versions.
        case .notUnderstood("org.varlink.service.InvalidParameter", _): nil
        // The sentence says that it is to come.
        case .notUnderstood("org.varlink.service.MethodNotImplemented", _): nil
        case .notUnderstood: "the daemon may be of another version; run postern doctor"
        default: nil
        }
    }

    /// As in a su, a cron job or a container: systemd has no units of this user either.
    private static func lacksRuntimeDirectory(_ path: String) -> Bool {
        let usual = "/run/user/\(geteuid())"
        return path.hasPrefix("\(usual)/") && getenv("XDG_RUNTIME_DIR") == nil && access(usual, F_OK) != 0
    }

    private static func sentence(name: String, parameters: JSONObject) -> String {
        let short = name.split(separator: ".").last.map(String.init) ?? name
        switch short {
        case "MethodNotImplemented": return "this daemon does not have the method \(word("method", parameters)) yet"
        case "MethodNotFound": return "this daemon does not know the method \(word("method", parameters))"
        case "InterfaceNotFound": return "this daemon does not know the interface \(word("interface", parameters))"
        case "InvalidParameter": return "the daemon does not accept \(word("parameter", parameters)), or not with this value"
        case "ExpectedMore": return "this method replies more than once and must be called with more"
        case "PermissionDenied": return "the daemon refuses this user"
        default: return "the daemon answered with the error \(name)"
        }
    }

    private static func word(_ key: String, _ parameters: JSONObject) -> String { parameters[key]?.stringValue ?? "?" }
}

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
        case .unresponsive: .daemonUnresponsive(path: path)
        case .busy: .connectionLost(reason: error.description)
        case .remote(let error): reply(error)
        }
    }
}

/// What a sign-in asks for after the first factor was right.
public struct SecondFactorChallenge: Hashable, Sendable {
    /// Stands for the first factor; valid for a few minutes and a few tries.
    public var resolver: Secret
    /// The user's factors; any one of them will do.
    public var factors: [SecondFactor]

    public init(resolver: Secret, factors: [SecondFactor]) {
        self.resolver = resolver
        self.factors = factors
    }
}

extension PosternError {
    /// The credential that was refused, with a handle that is good once.
    ///
    /// Of `accountExistsWithDifferentCredential`: to be linked, once the address's owner has signed in. Of `credentialAlreadyInUse`: to
    /// sign in with, as the user it belongs to.
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

    /// How the sign-in is ended that asks for a second factor: ``PosternClient/resolve(_:with:code:)``.
    public var challenge: SecondFactorChallenge? {
        guard case .refused(.secondFactorRequired(_, let resolver, let hints)) = self else { return nil }
        return SecondFactorChallenge(resolver: resolver, factors: hints)
    }
}

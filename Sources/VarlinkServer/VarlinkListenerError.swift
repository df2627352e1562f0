import Glibc

/// Why a listener cannot start.
public enum VarlinkListenerError: Error, Hashable, Sendable {
    case pathTooLong(path: String, limit: Int)
    /// A live process answers at the path.
    case alreadyServed(path: String)
    /// The path is occupied by something that is not a socket.
    case notASocket(path: String)
    /// Another process is starting on the same path and does not finish.
    case startInProgress(lock: String)
    /// The directory of the socket, or one on the path to it, belongs to another user.
    case foreignDirectory(path: String, uid: UInt32)
    /// Others can write to the directory of the socket, or to one on the path to it.
    case writableDirectory(path: String, mode: UInt32)
    /// The given descriptor is not a listening Unix stream socket.
    case unsuitableDescriptor(CInt)
    case invalidDescription(interface: String, reason: String)
    /// A system call failed; the number is `errno`.
    case system(call: String, path: String, errno: CInt)
}

extension VarlinkListenerError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .pathTooLong(let path, let limit):
            "the socket path \(path) is longer than the \(limit) bytes that a Unix socket allows; choose a shorter one"
        case .alreadyServed(let path): "another process already answers on \(path); stop it first, or choose another path"
        case .notASocket(let path): "\(path) is not a socket and is left alone; remove it, or choose another path"
        case .startInProgress(let lock):
            "another process that starts there has held the lock \(lock) for too long; stop it, or choose another path"
        case .foreignDirectory(let path, let uid):
            "\(path) belongs to user \(uid) and not to this one (\(geteuid())), who could put another socket in place of ours; "
                + "choose a path in a directory of your own, or have it given to you: chown \(geteuid()) \(path)"
        case .writableDirectory(let path, let mode):
            "others can write to \(path) (mode 0\(String(mode, radix: 8))) and put another socket in place of ours; "
                + "choose another path, or: chmod go-w \(path)"
        case .unsuitableDescriptor(let descriptor):
            "file descriptor \(descriptor) is not a listening Unix stream socket; check ListenStream= in the socket unit"
        case .invalidDescription(let interface, let reason): "the description of \(interface) cannot be served: \(reason)"
        case .system(let call, let path, let code): "\(call) \(path): \(String(cString: strerror(code)))"
        }
    }
}

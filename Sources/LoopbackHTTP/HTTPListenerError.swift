/// Why a listener could not start.
public enum HTTPListenerError: Error, Sendable, Hashable {
    /// Not a literal IPv4 or IPv6 address.
    case notAnAddress(String)
    /// Anything else would let other machines in.
    case notLoopback(String)
    case portOutOfRange(Int)
    /// Another program listens there; with its user, if the kernel reports it.
    case addressInUse(String, user: UInt32?)
    case permissionDenied(String)
    /// No such address on this machine, for example because IPv6 is disabled.
    case addressNotAvailable(String)
    /// The passed file descriptor is not a listening TCP socket.
    case notAListeningSocket(Int32)
    /// The passed file descriptor is not a listening Unix stream socket.
    case notAUnixSocket(Int32)
    /// Not absolute, or too long for a socket.
    case unusablePath(String)
    /// Others can replace what is in it.
    case openDirectory(String)
    /// Another program listens there, or it is no socket.
    case pathInUse(String)
    case noAddress
    /// Neither netlink nor /proc/net/tcp can be read, so nobody could be accepted.
    case peersCannotBeTold
    /// The event loop has no sockets.
    case unsuitableEventLoop
    /// Another system error, with its number.
    case system(operation: String, errno: Int32)
}

extension HTTPListenerError {
    /// From the error of a future of the listener.
    public init(_ error: any Error) { self = error as? HTTPListenerError ?? .system(operation: "listening (\(error))", errno: 0) }
}

extension HTTPListenerError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .notAnAddress(let text): "cannot listen on \"\(text)\": it is not an IP address; use 127.0.0.1 or ::1"
        case .notLoopback(let text): "cannot listen on \(text): only loopback addresses are allowed; use 127.0.0.1 or ::1"
        case .portOutOfRange(let port): "cannot listen on port \(port): a port is a number from 0 to 65535"
        case .addressInUse(let text, let user):
            "cannot listen on \(text): \(user.map { "a program of user \($0)" } ?? "another program") does; stop it or choose another port"
        case .permissionDenied(let text): "cannot listen on \(text): permission denied; choose a port above 1023"
        case .addressNotAvailable(let text): "cannot listen on \(text): this machine does not have that address"
        case .notAListeningSocket(let descriptor): "the passed file descriptor \(descriptor) is not a listening TCP socket"
        case .notAUnixSocket(let descriptor): "the passed file descriptor \(descriptor) is not a listening Unix socket"
        case .unusablePath(let path):
            "cannot listen on \"\(path)\": the path of a socket is absolute and has at most 107 bytes; choose a shorter one"
        case .openDirectory(let path):
            "cannot listen in \"\(path)\": others can write to it; use a directory of your own that only you can write to"
        case .pathInUse(let path): "cannot listen on \"\(path)\": another program does, or it is another kind of file; choose another path"
        case .noAddress: "there is no address to listen on"
        case .peersCannotBeTold:
            "the kernel does not say whose connections these are: allow AF_NETLINK sockets or reading /proc/net/tcp, or set callback.same-user = false"
        case .unsuitableEventLoop: "this event loop cannot listen on sockets"
        case .system(let operation, let errno): "\(operation) failed with system error \(errno)"
        }
    }
}

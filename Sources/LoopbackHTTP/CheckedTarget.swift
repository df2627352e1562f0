import Glibc
import NIOCore

/// A target that is verified to be a loopback address, or a listening socket on one, or a Unix socket.
struct CheckedTarget {
    /// Of a socket that was passed; nil for one that is to be made.
    private let descriptor: Int32?
    private var address: SocketAddress

    init(_ target: BindTarget) throws(HTTPListenerError) {
        switch target {
        case .address(let host, let port):
            guard (0...65535).contains(port) else { throw .portOutOfRange(port) }
            guard let address = try? SocketAddress(ipAddress: host, port: port), let endpoint = NetworkEndpoint(address) else {
                throw .notAnAddress(host)
            }
            guard endpoint.isLoopback else { throw .notLoopback(host) }
            (descriptor, self.address) = (nil, address)
        case .fileDescriptor(let descriptor):
            guard SocketFacts.isListeningStream(descriptor), let address = SocketFacts.localAddress(of: descriptor),
                let endpoint = NetworkEndpoint(address)
            else { throw .notAListeningSocket(descriptor) }
            guard endpoint.isLoopback else { throw .notLoopback(endpoint.description) }
            (self.descriptor, self.address) = (descriptor, address)
        case .unix(let path):
            (descriptor, address) = (nil, try UnixSocket.address(path: path))
        case .unixDescriptor(let descriptor):
            let socket = try UnixSocket.passed(descriptor)
            (self.descriptor, self.address) = (descriptor, socket.address)
        }
    }

    var wantsAnyPort: Bool { descriptor == nil && address.port == 0 }

    var isPassed: Bool { descriptor != nil }

    private var description: String { NetworkEndpoint(address)?.description ?? address.description }

    /// The user of the program that listens there; nil if the kernel does not report it.
    private var holder: UInt32? {
        guard let endpoint = NetworkEndpoint(address) else { return nil }
        var owner = SocketDiagnostics()?.owner(listeningAt: endpoint) ?? .unavailable
        if owner == .unavailable { owner = ProcNetTCP.owner(listeningAt: endpoint) }
        guard case .user(let user) = owner else { return nil }
        return user
    }

    /// - Parameter sharedPort: the port for targets that accept any, once one is known.
    func bind(sharedPort: Int?) throws(HTTPListenerError) -> LoopbackSocket {
        if let descriptor {
            _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
            return LoopbackSocket(descriptor: descriptor, address: address)
        }
        if let path = address.pathname { return try UnixSocket.bind(path: path) }
        var target = self
        if let sharedPort, wantsAnyPort { target.address.port = sharedPort }
        return try target.make()
    }

    /// Closes a passed socket.
    func closePassed() { if let descriptor { close(descriptor) } }

    private func make() throws(HTTPListenerError) -> LoopbackSocket {
        let family = if case .v6 = address { AF_INET6 } else { AF_INET }
        let kind = CInt(SOCK_STREAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue) | CInt(SOCK_NONBLOCK.rawValue)
        let descriptor = Glibc.socket(family, kind, 0)
        guard descriptor >= 0 else { throw failure(errno) }
        var yes: Int32 = 1
        guard setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size)) == 0,
            address.withSockAddr({ Glibc.bind(descriptor, $0, socklen_t($1)) }) == 0, listen(descriptor, Self.backlog) == 0,
            let bound = SocketFacts.localAddress(of: descriptor)
        else {
            let code = errno
            close(descriptor)
            throw failure(code)
        }
        return LoopbackSocket(descriptor: descriptor, address: bound)
    }

    /// For sockets that are not passed.
    private static let backlog: Int32 = 256

    private func failure(_ code: Int32) -> HTTPListenerError {
        switch code {
        case EADDRINUSE: .addressInUse(description, user: holder)
        case EACCES, EPERM: .permissionDenied(description)
        case EADDRNOTAVAIL, EAFNOSUPPORT: .addressNotAvailable(description)
        default: .system(operation: "listening on \(description)", errno: code)
        }
    }
}

import Glibc
import NIOCore
import NIOPosix

/// A target that is known to be a loopback address, or a listening socket on one.
enum CheckedTarget {
    case address(SocketAddress)
    case socket(Int32, SocketAddress)

    init(_ target: BindTarget) throws(HTTPListenerError) {
        switch target {
        case .address(let host, let port):
            guard (0...65535).contains(port) else { throw .portOutOfRange(port) }
            guard let address = try? SocketAddress(ipAddress: host, port: port), let endpoint = NetworkEndpoint(address) else {
                throw .notAnAddress(host)
            }
            guard endpoint.isLoopback else { throw .notLoopback(host) }
            self = .address(address)
        case .fileDescriptor(let descriptor):
            guard Self.isListeningStream(descriptor), let address = Self.localAddress(of: descriptor),
                let endpoint = NetworkEndpoint(address)
            else { throw .notAListeningSocket(descriptor) }
            guard endpoint.isLoopback else { throw .notLoopback(endpoint.description) }
            self = .socket(descriptor, address)
        }
    }

    var wantsAnyPort: Bool {
        switch self {
        case .address(let address): address.port == 0
        case .socket: false
        }
    }

    var description: String {
        switch self {
        case .address(let address), .socket(_, let address): NetworkEndpoint(address)?.description ?? address.description
        }
    }

    /// The user of the program that listens there; nil if the kernel does not tell.
    fileprivate var holder: UInt32? {
        switch self {
        case .address(let address), .socket(_, let address):
            guard let endpoint = NetworkEndpoint(address) else { return nil }
            var owner = SocketDiagnostics()?.owner(listeningAt: endpoint) ?? .unavailable
            if owner == .unavailable { owner = ProcNetTCP.owner(listeningAt: endpoint) }
            guard case .user(let user) = owner else { return nil }
            return user
        }
    }

    /// - Parameter sharedPort: what a target that wants any port shall take, once one is known.
    func bind(with bootstrap: ServerBootstrap, sharedPort: Int?) -> EventLoopFuture<any Channel> {
        switch self {
        case .address(var address):
            if let sharedPort, wantsAnyPort { address.port = sharedPort }
            return bootstrap.bind(to: address)
        case .socket(let descriptor, _):
            let backlog = Self.backlog(of: descriptor)
            return bootstrap.withBoundSocket(descriptor).map { channel in
                // NIO listens once more, with 128 whatever its option says. How many may wait is for whoever passed the socket to say
                // (`Backlog=` of its unit): browsers come in while the daemon is still starting.
                if let backlog { _ = listen(descriptor, backlog) }
                return channel
            }
        }
    }

    private static func isListeningStream(_ descriptor: Int32) -> Bool {
        func option(_ name: Int32) -> Int32? {
            var value: Int32 = 0
            var length = socklen_t(MemoryLayout<Int32>.size)
            return getsockopt(descriptor, SOL_SOCKET, name, &value, &length) == 0 ? value : nil
        }
        return option(SO_TYPE) == Int32(SOCK_STREAM.rawValue) && option(SO_ACCEPTCONN) == 1
    }

    /// How many connections may wait to be accepted; nil if the kernel does not say. Of a listening socket, TCP_INFO has it in the place
    /// of the selectively acknowledged segments.
    private static func backlog(of descriptor: Int32) -> Int32? {
        var info = tcp_info()
        var length = socklen_t(MemoryLayout<tcp_info>.size)
        guard getsockopt(descriptor, Int32(IPPROTO_TCP), TCP_INFO, &info, &length) == 0 else { return nil }
        return Int32(exactly: info.tcpi_sacked)
    }

    /// What the kernel says, whatever the one who passed the socket meant it to be.
    private static func localAddress(of descriptor: Int32) -> SocketAddress? {
        var storage = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        return withUnsafeMutableBytes(of: &storage) { bytes in
            guard let base = bytes.baseAddress,
                getsockname(descriptor, base.assumingMemoryBound(to: sockaddr.self), &length) == 0
            else { return nil }
            switch Int32(bytes.loadUnaligned(as: sockaddr.self).sa_family) {
            case AF_INET: return SocketAddress(bytes.loadUnaligned(as: sockaddr_in.self))
            case AF_INET6: return SocketAddress(bytes.loadUnaligned(as: sockaddr_in6.self))
            default: return nil
            }
        }
    }
}

extension HTTPListenerError {
    init(_ error: any Error, binding target: CheckedTarget) {
        let name = target.description
        switch error {
        case let error as HTTPListenerError: self = error
        case let error as IOError:
            switch error.errnoCode {
            case EADDRINUSE: self = .addressInUse(name, user: target.holder)
            case EACCES, EPERM: self = .permissionDenied(name)
            case EADDRNOTAVAIL, EAFNOSUPPORT: self = .addressNotAvailable(name)
            case let code: self = .system(operation: "listening on \(name)", errno: code)
            }
        default: self = .system(operation: "listening on \(name)", errno: 0)
        }
    }
}

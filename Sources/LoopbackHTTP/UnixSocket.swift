import Glibc
import NIOCore

/// Unix sockets to listen on: passed ones, and files of this user alone.
enum UnixSocket {
    /// More than the connections that are accepted: a burst waits instead of being refused.
    private static let backlog: Int32 = 1024

    static func passed(_ descriptor: Int32) throws(HTTPListenerError) -> LoopbackSocket {
        guard SocketFacts.isListeningStream(descriptor), SocketFacts.domain(of: descriptor) == AF_UNIX,
            let address = SocketFacts.localAddress(of: descriptor)
        else { throw .notAUnixSocket(descriptor) }
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        return LoopbackSocket(descriptor: descriptor, address: address)
    }

    static func address(path: String) throws(HTTPListenerError) -> SocketAddress {
        guard path.utf8.first == UInt8(ascii: "/"), !path.utf8.contains(0), path.utf8.count <= 107,
            let address = try? SocketAddress(unixDomainSocketPath: path)
        else { throw .unusablePath(path) }
        return address
    }

    /// Makes the file, for this user alone, in a directory in which nobody else can replace it.
    static func bind(path: String) throws(HTTPListenerError) -> LoopbackSocket {
        let address = try address(path: path)
        try checkDirectory(of: path)
        let kind = CInt(SOCK_STREAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue) | CInt(SOCK_NONBLOCK.rawValue)
        let descriptor = Glibc.socket(AF_UNIX, kind, 0)
        guard descriptor >= 0 else { throw failure(errno, path) }
        do throws(HTTPListenerError) {
            // Before there is a file, so that nobody else can ever connect to it.
            guard fchmod(descriptor, 0o600) == 0 else { throw failure(errno, path) }
            try bind(descriptor, address, path)
            guard chmod(path, 0o600) == 0, listen(descriptor, backlog) == 0 else { throw failure(errno, path) }
        } catch {
            close(descriptor)
            throw error
        }
        return LoopbackSocket(descriptor: descriptor, address: address)
    }

    private static func bind(_ descriptor: Int32, _ address: SocketAddress, _ path: String) throws(HTTPListenerError) {
        func bind() -> Int32 { address.withSockAddr { Glibc.bind(descriptor, $0, socklen_t($1)) == 0 ? 0 : errno } }
        var code = bind()
        if code == EADDRINUSE, isAbandoned(address, path), unlink(path) == 0 { code = bind() }
        guard code == 0 else { throw failure(code, path) }
    }

    /// A socket file of ours at which nobody listens: that of a program that was killed.
    private static func isAbandoned(_ address: SocketAddress, _ path: String) -> Bool {
        var facts = stat()
        guard lstat(path, &facts) == 0, facts.st_mode & S_IFMT == S_IFSOCK, facts.st_uid == geteuid() else { return false }
        let descriptor = Glibc.socket(AF_UNIX, CInt(SOCK_STREAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue) | CInt(SOCK_NONBLOCK.rawValue), 0)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        return address.withSockAddr { connect(descriptor, $0, socklen_t($1)) != 0 && errno == ECONNREFUSED }
    }

    private static func checkDirectory(of path: String) throws(HTTPListenerError) {
        let end = path.utf8.lastIndex(of: UInt8(ascii: "/")) ?? path.startIndex
        let directory = end == path.startIndex ? "/" : String(path[..<end])
        var facts = stat()
        guard stat(directory, &facts) == 0 else { throw failure(errno, path) }
        guard facts.st_mode & S_IFMT == S_IFDIR, facts.st_uid == geteuid(), facts.st_mode & 0o022 == 0 else {
            throw .openDirectory(directory)
        }
    }

    private static func failure(_ code: Int32, _ path: String) -> HTTPListenerError {
        switch code {
        case EADDRINUSE: .pathInUse(path)
        default: .system(operation: "listening on \"\(path)\"", errno: code)
        }
    }
}

/// What the kernel says of a socket, whatever the process that passed it intended.
enum SocketFacts {
    static func isListeningStream(_ descriptor: Int32) -> Bool {
        option(SO_TYPE, of: descriptor) == Int32(SOCK_STREAM.rawValue) && option(SO_ACCEPTCONN, of: descriptor) == 1
    }

    static func domain(of descriptor: Int32) -> Int32? { option(SO_DOMAIN, of: descriptor) }

    /// The user at the other end of a Unix socket.
    static func peer(of descriptor: Int32) -> UInt32? {
        guard domain(of: descriptor) == AF_UNIX else { return nil }
        // struct ucred, which the Glibc module does not have.
        var credentials: (pid: UInt32, uid: UInt32, gid: UInt32) = (0, 0, 0)
        let expected = socklen_t(MemoryLayout.size(ofValue: credentials))
        var length = expected
        guard getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &credentials, &length) == 0, length == expected else { return nil }
        return credentials.uid
    }

    static func localAddress(of descriptor: Int32) -> SocketAddress? {
        var storage = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        return withUnsafeMutableBytes(of: &storage) { bytes in
            guard let base = bytes.baseAddress,
                getsockname(descriptor, base.assumingMemoryBound(to: sockaddr.self), &length) == 0
            else { return nil }
            switch Int32(bytes.loadUnaligned(as: sockaddr.self).sa_family) {
            case AF_INET: return SocketAddress(bytes.loadUnaligned(as: sockaddr_in.self))
            case AF_INET6: return SocketAddress(bytes.loadUnaligned(as: sockaddr_in6.self))
            case AF_UNIX: return SocketAddress(bytes.loadUnaligned(as: sockaddr_un.self))
            default: return nil
            }
        }
    }

    private static func option(_ name: Int32, of descriptor: Int32) -> Int32? {
        var value: Int32 = 0
        var length = socklen_t(MemoryLayout<Int32>.size)
        return getsockopt(descriptor, SOL_SOCKET, name, &value, &length) == 0 ? value : nil
    }
}

import Glibc
import Synchronization
import Varlink

/// A socket's path in the file system: taken if it is free or dead, never from a live process.
final class SocketFile: Sendable {
    /// Distinguishes the file that we created from one with which another process has replaced it.
    private struct Identity: Equatable {
        var device: dev_t
        var inode: ino_t
    }

    let path: String
    private let identity = Mutex<Identity?>(nil)

    init(path: String) { self.path = path }

    /// Binds and listens. Every step from checking the old file to the new socket's first `listen` happens under a lock, so that of two
    /// processes that start at once exactly one gets the path.
    ///
    /// - Returns: the descriptor, close-on-exec.
    func listen() throws(VarlinkListenerError) -> CInt {
        guard path.utf8.count <= UnixSocketAddress.longestPath else {
            throw .pathTooLong(path: path, limit: UnixSocketAddress.longestPath)
        }
        guard let address = UnixSocketAddress(path: path) else { throw failure("use", EINVAL) }
        let directory = SocketDirectory(of: path)
        try directory.make()
        // Before anything is created there.
        try directory.requireOwn()
        let lock = try directory.lock(for: path)
        defer { lock.unlock() }
        try clear(address)
        return try bind(to: address)
    }

    /// Removes the file that `listen` created, unless another process has replaced it. Done once, and without waiting: while the socket is
    /// alive, no other process takes its place, so the lock matters only if somebody has removed the file by hand.
    func remove() {
        let made = identity.withLock { identity in
            defer { identity = nil }
            return identity
        }
        guard let made else { return }
        let lock = SocketDirectory(of: path).lockAtOnce(for: path)
        defer { lock?.unlock() }
        if made == Self.identity(of: path) { unlink(path) }
    }

    /// Makes room for the socket: removes a dead one, and throws if there is a live one or something else.
    private func clear(_ address: UnixSocketAddress) throws(VarlinkListenerError) {
        var status = stat()
        guard lstat(path, &status) == 0 else {
            if errno == ENOENT { return }
            throw failure("examine", errno)
        }
        guard status.st_mode & S_IFMT == S_IFSOCK else { throw .notASocket(path: path) }
        let probe = socket(AF_UNIX, CInt(SOCK_STREAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue) | CInt(SOCK_NONBLOCK.rawValue), 0)
        guard probe >= 0 else { throw failure("make a socket for", errno) }
        defer { close(probe) }
        if address.withSockaddr({ connect(probe, $0, $1) }) == 0 { throw .alreadyServed(path: path) }
        switch errno {
        case ECONNREFUSED:
            guard unlink(path) == 0 || errno == ENOENT else { throw failure("remove the dead socket", errno) }
        case ENOENT: return
        // A full queue, or another kind of socket: a process is using it.
        case EAGAIN, EPROTOTYPE, EINPROGRESS: throw .alreadyServed(path: path)
        default: throw failure("connect to", errno)
        }
    }

    private func bind(to address: UnixSocketAddress) throws(VarlinkListenerError) -> CInt {
        let descriptor = socket(AF_UNIX, CInt(SOCK_STREAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue) | CInt(SOCK_NONBLOCK.rawValue), 0)
        guard descriptor >= 0 else { throw failure("make a socket for", errno) }
        do throws(VarlinkListenerError) {
            // The file is created with the mode of the socket, so there is no moment at which others could connect, and no need to set a
            // umask for the whole process.
            guard fchmod(descriptor, 0o600) == 0 else { throw failure("set the mode of", errno) }
            guard address.withSockaddr({ Glibc.bind(descriptor, $0, $1) }) == 0 else { throw failure("bind", errno) }
            identity.withLock { $0 = Self.identity(of: path) }
            // Again by name: a file system may behave differently, and the umask may have removed too much.
            guard chmod(path, 0o600) == 0 else { throw failure("set the mode of", errno) }
            guard Glibc.listen(descriptor, Self.backlog) == 0 else { throw failure("listen on", errno) }
            return descriptor
        } catch {
            close(descriptor)
            if identity.withLock({ $0 }) != nil { unlink(path) }
            throw error
        }
    }

    /// Connections that wait to be accepted; the kernel limits it to `net.core.somaxconn`. More than the connections that are accepted: a
    /// burst is answered or refused, and never left hanging.
    static let backlog: CInt = 1024

    private static func identity(of path: String) -> Identity? {
        var status = stat()
        return lstat(path, &status) == 0 ? Identity(device: status.st_dev, inode: status.st_ino) : nil
    }

    private func failure(_ call: String, _ code: CInt) -> VarlinkListenerError {
        .system(call: call, path: path, errno: code)
    }
}

import Glibc

/// Why no socket could be made at a path.
public enum SocketFileError: Error, Sendable, Hashable, CustomStringConvertible {
    case pathTooLong(path: String, limit: Int)
    case folder(path: String, reason: String)
    /// Others can enter the folder, or it belongs to somebody else.
    case folderNotPrivate(path: String)
    /// A live service answers there; it is never pushed aside.
    case inUse(path: String)
    case notASocket(path: String)
    case system(path: String, reason: String)

    public var description: String {
        switch self {
        case .pathTooLong(let path, let limit): "the socket path \(path) is longer than \(limit) bytes; choose a shorter one"
        case .folder(let path, let reason): "the folder \(path) cannot be made: \(reason)"
        case .folderNotPrivate(let path): "the folder \(path) must belong to you, and nobody else may write to it; run `chmod 700 \(path)`"
        case .inUse(let path): "another service answers at \(path) already; stop it first, or choose another path"
        case .notASocket(let path): "\(path) exists and is no socket; move it away, or choose another path"
        case .system(let path, let reason): "no socket can be made at \(path): \(reason)"
        }
    }
}

/// A socket's file that this process made.
struct SocketFile: Sendable {
    let path: String
    private let device: UInt64
    private let inode: UInt64

    /// Binds and listens. A file that nobody answers on is replaced.
    static func listen(at path: String) throws(SocketFileError) -> (SocketFile, descriptor: Int32) {
        let limit = MemoryLayout.size(ofValue: sockaddr_un().sun_path) - 1
        guard path.utf8.count <= limit else { throw .pathTooLong(path: path, limit: limit) }
        try prepareFolder(of: path)
        // Two daemons that start at once must not both find the socket dead: the lock goes with its descriptor.
        let lock = try lock(beside: path)
        defer { close(lock) }
        try removeDeadSocket(at: path)

        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue), 0)
        guard descriptor >= 0 else { throw .system(path: path, reason: reason()) }
        // The file's permissions come from the umask alone, as nobody may find it open for a moment.
        let before = umask(0o177)
        let bound = withAddress(path) { bind(descriptor, $0, $1) }
        let bindReason = reason()
        umask(before)
        guard bound == 0 else {
            close(descriptor)
            throw .system(path: path, reason: bindReason)
        }
        var status = stat()
        guard Glibc.listen(descriptor, 256) == 0, lstat(path, &status) == 0 else {
            let error = SocketFileError.system(path: path, reason: reason())
            close(descriptor)
            throw error
        }
        return (SocketFile(path: path, device: UInt64(status.st_dev), inode: UInt64(status.st_ino)), descriptor)
    }

    /// Removes the file, unless another has taken its place.
    func remove() {
        var status = stat()
        guard lstat(path, &status) == 0, UInt64(status.st_dev) == device, UInt64(status.st_ino) == inode else { return }
        unlink(path)
    }

    private static func prepareFolder(of path: String) throws(SocketFileError) {
        guard let slash = path.lastIndex(of: "/"), slash != path.startIndex else { return }
        let folder = String(path[..<slash])
        if mkdir(folder, 0o700) == 0 { return }
        guard errno == EEXIST else { throw .folder(path: folder, reason: reason()) }
        var status = stat()
        guard stat(folder, &status) == 0 else { throw .folder(path: folder, reason: reason()) }
        let isShared = status.st_mode & 0o022 != 0
        // A folder that others may write to is theirs to put a socket of their own into, unless it is sticky, like /tmp.
        guard status.st_uid == getuid() || status.st_uid == 0, !isShared || status.st_mode & S_ISVTX != 0 else {
            throw .folderNotPrivate(path: folder)
        }
    }

    private static func lock(beside path: String) throws(SocketFileError) -> Int32 {
        let descriptor = open("\(path).lock", O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw .system(path: path, reason: reason()) }
        while flock(descriptor, LOCK_EX) != 0 {
            guard errno == EINTR else {
                let error = SocketFileError.system(path: path, reason: reason())
                close(descriptor)
                throw error
            }
        }
        return descriptor
    }

    private static func removeDeadSocket(at path: String) throws(SocketFileError) {
        var status = stat()
        guard lstat(path, &status) == 0 else { return }
        guard status.st_mode & S_IFMT == S_IFSOCK else { throw .notASocket(path: path) }
        let probe = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue), 0)
        guard probe >= 0 else { throw .system(path: path, reason: reason()) }
        defer { close(probe) }
        // A full backlog (EAGAIN) is the sign of a live service too.
        guard withAddress(path, { connect(probe, $0, $1) }) != 0, errno == ECONNREFUSED else { throw .inUse(path: path) }
        guard unlink(path) == 0 || errno == ENOENT else { throw .system(path: path, reason: reason()) }
    }

    private static func withAddress(_ path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32) -> Int32 {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, socklen_t(MemoryLayout<sockaddr_un>.size)) }
        }
    }

    private static func reason() -> String { String(cString: strerror(errno)) }
}

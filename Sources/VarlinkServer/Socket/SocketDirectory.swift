import Glibc

/// The directory of a socket file.
struct SocketDirectory {
    let path: String

    init(of file: String) {
        guard let slash = file.unicodeScalars.lastIndex(of: "/") else {
            path = "."
            return
        }
        path = slash == file.startIndex ? "/" : String(file[..<slash])
    }

    /// Creates missing directories, accessible only to us. Existing ones keep their mode: one may be a home directory.
    func make() throws(VarlinkListenerError) {
        if mkdir(path, 0o700) == 0 || errno == EEXIST { return }
        guard errno == ENOENT, path != "/", path != "." else { throw .system(call: "make the directory", path: path, errno: errno) }
        try SocketDirectory(of: path).make()
        guard mkdir(path, 0o700) == 0 || errno == EEXIST else { throw .system(call: "make the directory", path: path, errno: errno) }
    }

    /// Keeps other starts on the same socket out for the moments that ours takes.
    ///
    /// The lock is on a file beside the socket that only its owner can open, and that is removed with the lock: whoever can open a
    /// directory can lock it, too, and block every start there. A file that a killed process leaves behind is not locked.
    struct Lock {
        fileprivate let path: String
        fileprivate let descriptor: CInt

        func unlock() {
            // While it is locked: a process that has opened it and waits sees that it is gone, and creates another one.
            unlink(path)
            close(descriptor)
        }
    }

    /// - Parameter file: the socket.
    func lock(for file: String) throws(VarlinkListenerError) -> Lock {
        let path = file + ".lock"
        for attempt in 0..<Self.attempts {
            if attempt > 0 { poll(nil, 0, Self.pauseMilliseconds) }
            if let descriptor = try Self.take(path) { return Lock(path: path, descriptor: descriptor) }
        }
        throw .startInProgress(lock: path)
    }

    /// As ``lock(for:)``, without waiting; nil if that fails.
    func lockAtOnce(for file: String) -> Lock? {
        let path = file + ".lock"
        return (try? Self.take(path)).map { Lock(path: path, descriptor: $0) }
    }

    // Two seconds in all: a start takes a millisecond, and a process that was stopped meanwhile must not block ours forever.
    private static let attempts = 100
    private static let pauseMilliseconds: CInt = 20

    /// - Returns: nil if another process has it.
    private static func take(_ path: String) throws(VarlinkListenerError) -> CInt? {
        let descriptor = open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw .system(call: "make the lock", path: path, errno: errno) }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            let code = errno
            close(descriptor)
            if code == EWOULDBLOCK || code == EINTR { return nil }
            throw .system(call: "lock", path: path, errno: code)
        }
        var (opened, named) = (stat(), stat())
        guard fstat(descriptor, &opened) == 0, lstat(path, &named) == 0, (opened.st_dev, opened.st_ino) == (named.st_dev, named.st_ino)
        else {
            // It was removed with its lock, and another may have replaced it.
            close(descriptor)
            return nil
        }
        return descriptor
    }

    /// Makes sure that nobody else can replace our socket with their own, and receive what clients mean for us.
    ///
    /// The directory must be ours, and writable only by us; and nobody else may be able to replace it with another directory.
    func requireOwn() throws(VarlinkListenerError) {
        var status = stat()
        guard stat(path, &status) == 0 else { throw .system(call: "examine the directory", path: path, errno: errno) }
        guard status.st_mode & S_IFMT == S_IFDIR else { throw .system(call: "open the directory", path: path, errno: ENOTDIR) }
        guard status.st_uid == geteuid() else { throw .foreignDirectory(path: path, uid: status.st_uid) }
        guard status.st_mode & 0o022 == 0 else { throw .writableDirectory(path: path, mode: status.st_mode & 0o7777) }
        var walk = PathWalk()
        try walk.check(path)
    }
}

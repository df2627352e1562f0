import Glibc

/// The directory that holds a socket file.
struct SocketDirectory {
    let path: String

    init(of file: String) {
        guard let slash = file.lastIndex(of: "/") else {
            path = "."
            return
        }
        path = slash == file.startIndex ? "/" : String(file[..<slash])
    }

    /// Makes what is missing of it, for us alone. What is there already keeps its mode: it may be a home.
    func make() throws(VarlinkListenerError) {
        if mkdir(path, 0o700) == 0 || errno == EEXIST { return }
        guard errno == ENOENT, path != "/", path != "." else { throw .system(call: "make the directory", path: path, errno: errno) }
        try SocketDirectory(of: path).make()
        guard mkdir(path, 0o700) == 0 || errno == EEXIST else { throw .system(call: "make the directory", path: path, errno: errno) }
    }

    struct Lock {
        fileprivate let descriptor: CInt

        func unlock() { close(descriptor) }
    }

    /// Keeps other starts in this directory out for the moments that ours takes. The lock is on the directory itself:
    /// a lock file would have to stay behind for ever, and it goes with the process that held it.
    func lock() throws(VarlinkListenerError) -> Lock {
        let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .system(call: "open the directory", path: path, errno: errno) }
        for _ in 0..<Self.attempts {
            if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { return Lock(descriptor: descriptor) }
            guard errno == EWOULDBLOCK || errno == EINTR else { break }
            poll(nil, 0, Self.pauseMilliseconds)
        }
        let code = errno
        close(descriptor)
        throw code == EWOULDBLOCK ? .startInProgress(directory: path) : .system(call: "lock the directory", path: path, errno: code)
    }

    // Two seconds in all: a start takes a millisecond, and somebody else's lock must not hang ours for good.
    private static let attempts = 100
    private static let pauseMilliseconds: CInt = 20

    /// Makes sure that nobody else can put a socket of their own in the place of ours, and be told what clients mean for us.
    ///
    /// The directory must be ours, and ours alone to write; and nobody else may be able to put another directory in its place.
    func requireOwn(_ lock: Lock) throws(VarlinkListenerError) {
        var status = stat()
        guard fstat(lock.descriptor, &status) == 0 else { throw .system(call: "examine the directory", path: path, errno: errno) }
        guard status.st_uid == geteuid() else { throw .foreignDirectory(path: path, uid: status.st_uid) }
        guard status.st_mode & 0o022 == 0 else { throw .writableDirectory(path: path, mode: status.st_mode & 0o7777) }
        var walk = PathWalk()
        try walk.check(path)
    }
}

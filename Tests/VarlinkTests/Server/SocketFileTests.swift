import Glibc
import Testing
import Varlink
import VarlinkServer

@Suite("The socket file")
struct SocketFileTests {
    /// One loop for all tests of this suite; it sleeps when they are done.
    private static let loop = Result { try TestLoop() }

    private func start(_ endpoint: VarlinkListener.Endpoint) throws -> VarlinkListener { try Self.loop.get().start(endpoint) }

    private func close(_ listener: VarlinkListener) throws { try Self.loop.get().close(listener) }

    private func isAnswered(_ path: String) throws -> Bool {
        let client = try RawClient(path: path)
        try client.send(#"{"method":"org.example.test.Echo"}"# + "\0")
        return try client.receive() == #"{"parameters":{}}"#
    }

    private func mode(_ path: String) -> mode_t {
        var status = stat()
        return lstat(path, &status) == 0 ? status.st_mode & 0o7777 : 0
    }

    private func deadSocket(_ path: String) throws {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let descriptor = socket(AF_UNIX, CInt(SOCK_STREAM.rawValue), 0)
        let result = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) }
        }
        Glibc.close(descriptor)
        #expect(result == 0)
    }

    @Test("missing directories are made for the owner alone, and so is the socket")
    func modes() throws {
        let directory = TemporaryDirectory()
        let path = "\(directory.path)/a/b/s"
        let listener = try start(.path(path))
        #expect(mode(path) == 0o600)
        #expect(mode("\(directory.path)/a/b") == 0o700)
        #expect(mode("\(directory.path)/a") == 0o700)
        #expect(try isAnswered(path))
        try close(listener)
        #expect(mode(path) == 0)
        rmdir("\(directory.path)/a/b")
        rmdir("\(directory.path)/a")
    }

    @Test("a directory that is there keeps its mode")
    func directoryModeIsKept() throws {
        let directory = TemporaryDirectory()
        chmod(directory.path, 0o755)
        try close(try start(.path("\(directory.path)/s")))
        #expect(mode(directory.path) == 0o755)
    }

    @Test("a directory that others can write to is refused, and left as it is", arguments: [0o720, 0o702, 0o777, 0o1777] as [mode_t])
    func writableDirectory(mode: mode_t) {
        let directory = TemporaryDirectory()
        chmod(directory.path, mode)
        #expect(throws: VarlinkListenerError.writableDirectory(path: directory.path, mode: mode)) { try start(.path("\(directory.path)/s")) }
        #expect(directory.names == [] && self.mode(directory.path) == mode)
    }

    @Test("a directory below one in which all can rename it is refused; where only their own, it is taken")
    func writableAncestor() throws {
        let directory = TemporaryDirectory()
        let path = "\(directory.path)/a/s"
        mkdir("\(directory.path)/a", 0o700)
        defer { rmdir("\(directory.path)/a") }
        chmod(directory.path, 0o777)
        #expect(throws: VarlinkListenerError.writableDirectory(path: directory.path, mode: 0o777)) { try start(.path(path)) }
        chmod(directory.path, 0o1777)
        try close(try start(.path(path)))
    }

    @Test("a directory that belongs to another user is refused, and so is one on the way to it or a link", .enabled(if: geteuid() == 0))
    func foreignDirectory() throws {
        let directory = TemporaryDirectory()
        let (own, link) = ("\(directory.path)/own", "\(directory.path)/link")
        mkdir(own, 0o700)
        symlink("own", link)
        defer { rmdir(own) }
        let nobody: uid_t = 65534
        try close(try start(.path("\(link)/s")))
        lchown(link, nobody, nobody)
        #expect(throws: VarlinkListenerError.foreignDirectory(path: link, uid: nobody)) { try start(.path("\(link)/s")) }
        chown(own, nobody, nobody)
        #expect(throws: VarlinkListenerError.foreignDirectory(path: own, uid: nobody)) { try start(.path("\(own)/s")) }
        chown(own, 0, 0)
        chown(directory.path, nobody, nobody)
        #expect(throws: VarlinkListenerError.foreignDirectory(path: directory.path, uid: nobody)) { try start(.path("\(own)/s")) }
        chown(directory.path, 0, 0)
    }

    @Test("circular links are refused", .timeLimit(.minutes(1)))
    func circle() {
        let directory = TemporaryDirectory()
        symlink("b", "\(directory.path)/a")
        symlink("a", "\(directory.path)/b")
        #expect(throws: VarlinkListenerError.self) { try start(.path("\(directory.path)/a/s")) }
    }

    @Test("nothing but the socket is left in the directory, and nothing at all after the end")
    func leavesNothing() throws {
        let directory = TemporaryDirectory()
        let listener = try start(.path("\(directory.path)/s"))
        #expect(directory.names == ["s"])
        try close(listener)
        #expect(directory.names == [])
    }

    @Test("a dead socket is replaced")
    func deadSocketIsReplaced() throws {
        let directory = TemporaryDirectory()
        let path = "\(directory.path)/s"
        try deadSocket(path)
        let listener = try start(.path(path))
        #expect(try isAnswered(path))
        try close(listener)
    }

    @Test("a socket on which somebody answers is never taken")
    func liveSocketIsKept() throws {
        let directory = TemporaryDirectory()
        let path = "\(directory.path)/s"
        let first = try start(.path(path))
        #expect(throws: VarlinkListenerError.alreadyServed(path: path)) { try start(.path(path)) }
        #expect(try isAnswered(path))
        try close(first)
    }

    @Test("what is not a socket is never removed", arguments: ["file", "directory", "symbolic link", "pipe"])
    func otherFilesAreKept(kind: String) throws {
        let directory = TemporaryDirectory()
        let path = "\(directory.path)/s"
        switch kind {
        case "file": Glibc.close(open(path, O_CREAT | O_WRONLY, 0o600))
        case "directory": mkdir(path, 0o700)
        case "symbolic link":
            try deadSocket("\(directory.path)/target")
            symlink("\(directory.path)/target", path)
        default: mkfifo(path, 0o600)
        }
        #expect(throws: VarlinkListenerError.notASocket(path: path)) { try start(.path(path)) }
        #expect(directory.names.contains("s"))
        if kind == "directory" { rmdir(path) }
    }

    @Test("a path that does not fit is refused with its length")
    func longPath() {
        let path = "/tmp/" + String(repeating: "x", count: 103)
        #expect(throws: VarlinkListenerError.pathTooLong(path: path, limit: 107)) { try start(.path(path)) }
        #expect(throws: VarlinkListenerError.system(call: "use", path: "", errno: EINVAL)) { try start(.path("")) }
        #expect(throws: VarlinkListenerError.system(call: "use", path: "/tmp/a\0b", errno: EINVAL)) { try start(.path("/tmp/a\0b")) }
    }

    @Test("a directory that cannot be made is named")
    func unusableDirectory() {
        #expect(throws: VarlinkListenerError.system(call: "make the directory", path: "/proc/none", errno: ENOENT)) {
            try start(.path("/proc/none/s"))
        }
    }

    @Test("of many that start at once exactly one gets the path")
    func race() throws {
        let directory = TemporaryDirectory()
        let path = "\(directory.path)/s"
        let loops = try (0..<4).map { _ in try TestLoop() }
        for _ in 0..<20 {
            try deadSocket(path)
            let starts = Watched<[(loop: TestLoop, listener: VarlinkListener?)]>([])
            for loop in loops {
                Thread.run {
                    let listener = try? loop.start(.path(path))
                    starts.change { $0.append((loop, listener)) }
                }
            }
            starts.wait { $0.count == loops.count }
            #expect(starts.change { $0.filter { $0.listener != nil }.count } == 1)
            #expect(try isAnswered(path))
            for (loop, listener) in starts.change({ $0 }) { if let listener { try loop.close(listener) } }
        }
    }

    /// A lock as another process or user would hold it.
    private func held(_ path: String, _ flags: CInt = O_RDONLY) throws -> CInt {
        let descriptor = open(path, flags | O_CLOEXEC, 0o600)
        try #require(descriptor >= 0 && flock(descriptor, LOCK_EX | LOCK_NB) == 0)
        return descriptor
    }

    @Test("somebody who locks the directory, as anybody can who may open it, keeps no socket from being made or removed")
    func lockedDirectory() throws {
        let directory = TemporaryDirectory()
        chmod(directory.path, 0o755)
        let descriptor = try held(directory.path)
        defer { Glibc.close(descriptor) }
        let path = "\(directory.path)/s"
        let listener = try start(.path(path))
        #expect(try isAnswered(path) && directory.names == ["s"])
        try close(listener)
        #expect(directory.names == [])
    }

    @Test("a start that does not finish keeps others out, a killed one does not, and the end waits for none")
    func lockFile() throws {
        let directory = TemporaryDirectory()
        let path = "\(directory.path)/s"
        let lock = "\(path).lock"
        // What a killed process leaves.
        Glibc.close(open(lock, O_CREAT | O_WRONLY | O_CLOEXEC, 0o600))
        let listener = try start(.path(path))
        #expect(directory.names == ["s"])
        let descriptor = try held(lock, O_CREAT | O_RDWR)
        #expect(mode(lock) == 0o600)
        #expect(throws: VarlinkListenerError.startInProgress(lock: lock)) { try start(.path(path)) }
        try close(listener)
        #expect(directory.names == ["s.lock"])
        Glibc.close(descriptor)
        try close(try start(.path(path)))
        #expect(directory.names == [])
    }

    @Test("a lock's name that leads elsewhere is not followed")
    func lockLink() throws {
        let directory = TemporaryDirectory()
        let path = "\(directory.path)/s"
        symlink("\(directory.path)/target", "\(path).lock")
        #expect(throws: VarlinkListenerError.system(call: "make the lock", path: "\(path).lock", errno: ELOOP)) { try start(.path(path)) }
        #expect(directory.names == ["s.lock"])
    }

    @Test("a listener that has removed its file once leaves the next one's alone")
    func removedOnce() throws {
        let directory = TemporaryDirectory()
        let path = "\(directory.path)/s"
        let first = try start(.path(path))
        try Self.loop.get().sync { first.stopListening() }
        #expect(directory.names == [])
        let second = try start(.path(path))
        try close(first)
        #expect(try isAnswered(path))
        try close(second)
    }

    @Test("a listener removes only the file that it made")
    func foreignFileIsKept() throws {
        let directory = TemporaryDirectory()
        let path = "\(directory.path)/s"
        let first = try start(.path(path))
        unlink(path)
        let second = try start(.path(path))
        try close(first)
        #expect(try isAnswered(path))
        try close(second)
    }

    @Test("a socket that was passed in is served, and its file is left to its owner")
    func passedSocket() throws {
        let directory = TemporaryDirectory()
        let path = "\(directory.path)/s"
        let descriptor = socket(AF_UNIX, CInt(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        _ = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) }
        }
        listen(descriptor, 16)
        let listener = try start(.fileDescriptor(descriptor))
        #expect(try isAnswered(path))
        #expect(fcntl(descriptor, F_GETFD) & FD_CLOEXEC != 0)
        try close(listener)
        #expect(directory.names == ["s"])
    }

    @Test("a descriptor that is no listening Unix socket is refused and closed")
    func unsuitableDescriptors() {
        let internet = socket(AF_INET, CInt(SOCK_STREAM.rawValue), 0)
        listen(internet, 1)
        let unix = socket(AF_UNIX, CInt(SOCK_STREAM.rawValue), 0)
        let file = open("/dev/null", O_RDONLY)
        for descriptor in [internet, unix, file, -1] {
            #expect(throws: VarlinkListenerError.unsuitableDescriptor(descriptor)) { try start(.fileDescriptor(descriptor)) }
        }
    }

    @Test("a service whose description is wrong does not start, and leaves no file")
    func wrongDescription() {
        final class Wrong: VarlinkService {
            let interfaces = [VarlinkInterface(name: "org.example.test", description: "interface org.example.test\nmethod x() -> ()")]
            func handle(_ call: VarlinkCall, from peer: VarlinkPeer, reply: VarlinkReplyHandle) {}
        }
        let directory = TemporaryDirectory()
        #expect {
            try Self.loop.get().start(.path("\(directory.path)/s"), Wrong())
        } throws: { "\($0)".contains("line 2") }
        #expect(directory.names == [])
    }
}

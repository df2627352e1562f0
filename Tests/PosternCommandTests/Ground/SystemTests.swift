import Glibc
import Testing

@testable import TestDaemon
@testable import postern

@Suite("Processes and files of the demo")
struct SystemTests {
    @Test("the directory is private, and goes with everything in it, but links are not followed")
    func directory() throws {
        let outside = try DemoDirectory(environment: [:])
        try outside.write("stays", to: "file")
        let directory = try DemoDirectory(environment: [:])
        #expect(FileStatus(path: directory.path)?.permissions == 0o700)
        try directory.write("x", to: "config.toml")
        #expect(FileStatus(path: directory.file("config.toml"))?.permissions == 0o600)
        mkdir(directory.file("state"), 0o700)
        try directory.write("one\ntwo\n", to: "state/log")
        symlink(outside.path, directory.file("link"))
        #expect(directory.tail(of: "state/log", lines: 1) == ["two"])
        #expect(directory.remove())
        #expect(FileStatus(path: directory.path) == nil)
        #expect(FileStatus(path: outside.file("file")) != nil)
        #expect(outside.remove())
    }

    @Test("a pipe that somebody left non-blocking is read to its end")
    func nonBlocking() throws {
        let child = try ChildProcess(
            path: "/bin/sh", arguments: ["-c", "printf one; sleep 0.05; printf two"], environment: ["PATH": "/usr/bin:/bin"],
            log: STDERR_FILENO)
        #expect(fcntl(child.output, F_SETFL, O_NONBLOCK) == 0)
        #expect(DescriptorReader.all(from: child.output, limit: 100) == Array("onetwo".utf8))
        #expect(fcntl(child.output, F_SETFL, 0) == 0 && child.collectOutput(timeout: 10_000) == "")
    }

    @Test("a child gets its own environment alone, and its output is read to the end")
    func output() throws {
        let child = try ChildProcess(
            path: "/bin/sh", arguments: ["-c", "echo $A-$HOME; exit 3"], environment: ["A": "b"], log: STDERR_FILENO)
        #expect(child.collectOutput(timeout: 10_000) == "b-\n")
        #expect(child.status.map { ($0 >> 8) & 0xFF } == 3)
    }

    @Test("a child that waits is ended")
    func ended() throws {
        let child = try ChildProcess(
            path: "/bin/sh", arguments: ["-c", "read x < /dev/tty; exec sleep 1000"], environment: [:], log: STDERR_FILENO)
        child.end()
        #expect(child.isGone())
        #expect(kill(child.pid, 0) == -1)
    }

    @Test("a missing program is reported")
    func missing() {
        #expect(throws: CommandFailure.self) {
            try ChildProcess(path: "/nonexistent/program", arguments: [], environment: [:], log: STDERR_FILENO)
        }
    }

    @Test("programs are found in the search path")
    func search() {
        #expect(Executable.find("sh", path: "relative:/nonexistent:/bin") == "/bin/sh")
        #expect(Executable.find("no-such-program", path: "/bin") == nil)
    }

    @Test("readiness is what the service says over its socket")
    func readiness() throws {
        let directory = try DemoDirectory(environment: [:])
        defer { _ = directory.remove() }
        let socket = try ReadinessSocket(path: directory.file("notify"))
        #expect(!socket.isReady())
        #expect(send("STATUS=starting", to: socket.path))
        #expect(!socket.isReady())
        #expect(send("STATUS=x\nREADY=1", to: socket.path))
        #expect(socket.isReady())
    }

    private func send(_ text: String, to path: String) -> Bool {
        let descriptor = Glibc.socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
        defer { close(descriptor) }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8)) }
        let bytes = Array(text.utf8)
        let count = withUnsafeBytes(of: &address) {
            sendto(descriptor, bytes, bytes.count, 0, $0.baseAddress?.assumingMemoryBound(to: sockaddr.self), socklen_t($0.count))
        }
        return count == bytes.count
    }
}

import Glibc
import TestProcess
import Testing
import VarlinkServer

@Suite("The calling process")
struct PeerTests {
    @Test("the service learns the caller's process and program from the kernel")
    func peer() throws {
        let server = try TestServer()
        let client = try server.connect()
        server.service.log.wait { $0.opened == 1 }
        let peer = try #require(server.service.log.change { $0.peer })
        #expect(peer.pid == getpid())
        #expect(peer.uid == geteuid())
        #expect(peer.gid == getegid())
        var buffer = [CChar](repeating: 0, count: 4096)
        let length = readlink("/proc/self/exe", &buffer, buffer.count)
        #expect(peer.executable?.utf8.elementsEqual(buffer[..<length].map { UInt8(bitPattern: $0) }) == true)
        _ = client
    }

    @Test("a process that has gone has no program and no unit")
    func goneProcess() {
        let peer = VarlinkPeer(id: 1, pid: .max, uid: 0, gid: 0)
        #expect(peer.executable == nil)
        #expect(peer.unit == nil)
        #expect(VarlinkPeer(id: 1, pid: 0, uid: 0, gid: 0).executable == nil)
    }

    @Test("connections have ids of their own")
    func ids() throws {
        let server = try TestServer()
        var ids: Set<UInt64> = []
        for count in 1...3 {
            let client = try server.connect()
            server.service.log.wait { $0.opened == count }
            ids.insert(try #require(server.service.log.change { $0.peer?.id }))
            _ = client
        }
        #expect(ids.count == 3)
    }

    @Test("another user's process is closed before a byte is read", .enabled(if: geteuid() == 0, "needs root to become another user"))
    func otherUser() throws {
        let server = try TestServer()
        // The child may find the file and connect to it: only the server's own check stands in its way.
        let directory = server.path.split(separator: "/").dropLast().map { "/" + $0 }.joined()
        chmod(directory, 0o755)
        chmod(server.path, 0o666)
        let script = """
            import os, socket, sys
            os.setgid(65534); os.setuid(65534)
            s = socket.socket(socket.AF_UNIX); s.settimeout(30)
            s.connect(sys.argv[1])
            try:
                s.sendall(b'{"method":"org.varlink.service.GetInfo"}\\0')
                data = s.recv(1000)
            except OSError:
                data = b''
            sys.exit(0 if data == b'' else 7)
            """
        #expect(try TestProcess.run("python3", ["-c", script, server.path]).status == 0)
        #expect(server.service.log.change { $0.opened } == 0)
    }
}

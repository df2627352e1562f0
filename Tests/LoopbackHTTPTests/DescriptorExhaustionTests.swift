import Glibc
import LoopbackHTTP
import NIOCore
import Testing

@testable import TestHTTPClient

@Suite("Without file descriptors")
struct DescriptorExhaustionTests {
    @Test("the listener makes room among its own connections, and goes on once there are descriptors again")
    func exhaustion() throws {
        let (status, output) = try ChildTest.run("descriptors", filter: "DescriptorExhaustionChild")
        #expect(status == 0, "\(output)")
        #expect(output.contains("1 test"), "\(output)")
    }
}

/// In its own process: the limit is the process's.
@Suite("Without file descriptors, in its own process", .enabled(if: ChildTest.isRunning("descriptors")))
struct DescriptorExhaustionChild {
    @Test func descriptorsRunOut() throws {
        let server = try TestListener { $0.headerTime = .seconds(60) }
        var limits = rlimit()
        getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limits)
        limits.rlim_cur = 64
        try #require(setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limits) == 0)

        let held = try (0..<8).map { _ in try server.client() }
        try #require(try eventually { try server.openConnections() == 8 })
        // One descriptor left, for the client; the listener has none for its side.
        var hoard: [Int32] = []
        while true {
            let descriptor = dup(0)
            guard descriptor >= 0 else { break }
            hoard.append(descriptor)
        }
        try #require(errno == EMFILE)
        close(hoard.removeLast())

        let client = try server.client()
        try client.send("GET /real HTTP/1.1\r\nHost: x\r\n\r\n")
        #expect(try client.response()?.status == 200)
        #expect(try held[0].response() == nil)
        // One for one: that there was no descriptor left for another, who did not come, cost nobody's connection.
        #expect(try server.openConnections() == 8)

        // Another one gives way; the trouble is told once.
        close(hoard.removeLast())
        let other = try server.client()
        try other.send("GET /other HTTP/1.1\r\nHost: x\r\n\r\n")
        #expect(try other.response()?.status == 200)
        #expect(server.responder.acceptFailures.map { $0.contains("LimitNOFILE=") } == [true])

        // Nothing left to give way: accepting is tried again and again, and works as soon as it can.
        for descriptor in hoard { close(descriptor) }
        #expect(try server.exchange("GET /later HTTP/1.0\r\n\r\n").map(\.status) == [200])
        _ = held
    }
}

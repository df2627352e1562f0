import Foundation
import NIOCore
import Testing

@testable import LoopbackHTTP

@Suite("Who is at the other end")
struct PeerCheckTests {
    private struct Way: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var owner: @Sendable (NetworkEndpoint, NetworkEndpoint) throws -> UInt32?
    }

    private static let ways = [
        Way(testDescription: "netlink") { try #require(SocketDiagnostics()).owner(of: $0, connectedTo: $1) },
        Way(testDescription: "/proc/net/tcp") { ProcNetTCP.owner(of: $0, connectedTo: $1) },
    ]

    /// A connection's two ends, as the listener sees them.
    private func endpoints(_ server: TestListener, of client: RawClient) throws -> (peer: NetworkEndpoint, local: NetworkEndpoint) {
        try client.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n")
        _ = try client.response()
        return try (#require(NetworkEndpoint(client.localAddress())), #require(NetworkEndpoint(server.address)))
    }

    @Test("the owner of a living connection is found, whatever its family", arguments: ways, ["127.0.0.1", "::1", "::ffff:127.0.0.1"])
    private func owner(way: Way, host: String) throws {
        let server = try TestListener([.address(host: host == "::1" ? "::1" : "127.0.0.1", port: 0)])
        let client = try RawClient(SocketAddress(ipAddress: host, port: try #require(server.address.port)))
        let (peer, local) = try endpoints(server, of: client)
        #expect(try way.owner(peer, local) == geteuid())
        // The listening socket would be found for ends that nobody has.
        #expect(try way.owner(NetworkEndpoint(address: peer.address, port: 1), local) == nil)
        _ = client
    }

    @Test("a connection that its owner has left is nobody's, not root's", arguments: ways)
    private func orphan(way: Way) throws {
        let server = try TestListener()
        var client: RawClient? = try server.client()
        let (peer, local) = try endpoints(server, of: try #require(client))
        #expect(try way.owner(peer, local) == geteuid())
        client = nil
        #expect(try way.owner(peer, local) == nil)
    }

    @Test("a table of the kernel is read as proc(5) describes it")
    func table() {
        let table = """
              sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
               0: 0100007F:1DFE 00000000:0000 0A 00000000:00000000 00:00000000 00000000  1000        0 11 1 0 100 0 0 10 0
               1: 0100007F:C350 0100007F:1DFE 01 00000000:00000000 00:00000000 00000000  1001        0 12 1 0 20 4 30 10 -1
               2: 0100007F:C351 0100007F:1DFE 06 00000000:00000000 03:00000000 00000000     0        0 0 3 0
               3: 0100007F:C352 0100007F:1DFE 05 00000000:00000000 00:00000000 00000000     0        0 0 3 0
               4: 0100007F:C352 0100007F:1DFE 01 00000000:00000000 00:00000000 00000000  1002        0 13 1 0
            """
        let local = NetworkEndpoint(address: [127, 0, 0, 1], port: 7678)
        func owner(_ port: UInt16) -> UInt32? {
            ProcNetTCP.owner(of: NetworkEndpoint(address: [127, 0, 0, 1], port: port), connectedTo: local, in: Array(table.utf8))
        }
        #expect(owner(50000) == 1001)
        #expect(owner(50001) == nil)
        #expect(owner(50002) == 1002)
        #expect(owner(50003) == nil)
    }

    @Test("this user and root are let in, and nobody else, with netlink and without", arguments: [true, false])
    func verdict(withNetlink: Bool) throws {
        let server = try TestListener()
        let client = try server.client()
        let (peer, local) = try endpoints(server, of: client)
        func allows(_ users: Set<UInt32>) -> Bool {
            PeerCheck(allowedUsers: users, diagnostics: withNetlink ? SocketDiagnostics() : nil).allows(peer: peer, local: local)
        }
        #expect(allows([geteuid()]))
        #expect(!allows([geteuid() &+ 1]))
        _ = client
    }

    @Test(
        "loopback addresses are told from others",
        arguments: [
            ("127.0.0.1", true), ("127.255.255.254", true), ("::1", true), ("::ffff:127.0.0.1", true),
            ("126.255.255.255", false), ("128.0.0.1", false), ("0.0.0.0", false), ("::", false), ("::ffff:10.0.0.1", false), ("::2", false),
            ("100::1", false), ("::7f00:1", false),
        ])
    func loopback(address: String, expected: Bool) throws {
        #expect(try #require(NetworkEndpoint(SocketAddress(ipAddress: address, port: 1))).isLoopback == expected)
    }

    // MARK: With another user of this machine

    /// Runs a program as `nobody`. Needs root, and what Debian has anyway: util-linux and curl.
    private func asNobody(_ arguments: [String]) throws -> String {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/setpriv")
        process.arguments = ["--reuid=65534", "--regid=65534", "--clear-groups"] + arguments
        let pipe = Pipe()
        process.standardOutput = pipe
        try process.run()
        let output = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        return output
    }

    private static let canBecomeNobody =
        geteuid() == 0 && ["/usr/bin/setpriv", "/usr/bin/curl"].allSatisfy { FileManager.default.isExecutableFile(atPath: $0) }

    @Test("another user gets 403 and reaches nobody", .enabled(if: canBecomeNobody), arguments: ["127.0.0.1", "::1"])
    func stranger(host: String) throws {
        let server = try TestListener([.address(host: host, port: 0)])
        let url = "http://\(host == "::1" ? "[::1]" : host):\(try #require(server.address.port))/secret"
        #expect(try asNobody(["/usr/bin/curl", "-s", "-o", "/dev/null", "-w", "%{http_code}", url]) == "403")
        #expect(server.responder.requests.isEmpty)
    }

    @Test("another user is let in where that is configured", .enabled(if: canBecomeNobody))
    func strangerAllowed() throws {
        let server = try TestListener(sameUser: false)
        let url = "http://127.0.0.1:\(try #require(server.address.port))/x"
        #expect(try asNobody(["/usr/bin/curl", "-s", "-o", "/dev/null", "-w", "%{http_code}", url]) == "200")
    }

    @Test("another user who sends and leaves at once is not taken for root", .enabled(if: canBecomeNobody))
    func hastyStranger() throws {
        let server = try TestListener()
        let port = try #require(server.address.port)
        // bash closes the descriptor, and with it the connection, right after the request.
        _ = try asNobody([
            "/bin/bash", "-c",
            "for i in $(seq 50); do exec 3<>/dev/tcp/127.0.0.1/\(port); printf 'GET /secret HTTP/1.0\\r\\n\\r\\n' >&3; exec 3>&-; done",
        ])
        // What comes later is answered later, so those have been judged by then.
        #expect(try server.exchange("GET /own HTTP/1.0\r\n\r\n").map(\.status) == [200])
        #expect(try eventually { try server.openConnections() == 0 })
        #expect(server.responder.requests.map(\.path) == ["/own"])
    }
}

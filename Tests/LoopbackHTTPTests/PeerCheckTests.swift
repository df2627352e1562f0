import Foundation
import NIOConcurrencyHelpers
import NIOCore
import TestProcess
import Testing

@testable import LoopbackHTTP
@testable import TestHTTPClient

@Suite("The user at the other end of a connection")
struct PeerCheckTests {
    private struct Way: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var owner: @Sendable (NetworkEndpoint, NetworkEndpoint) throws -> SocketOwner
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
        #expect(try way.owner(peer, local) == .user(geteuid()))
        // The listening socket would be found for ends that nobody has.
        #expect(try way.owner(NetworkEndpoint(address: peer.address, port: 1), local) == .nobody)
        _ = client
    }

    @Test("a connection that its owner has closed belongs to nobody, not to root", arguments: ways)
    private func orphan(way: Way) throws {
        let server = try TestListener()
        var client: RawClient? = try server.client()
        let (peer, local) = try endpoints(server, of: try #require(client))
        #expect(try way.owner(peer, local) == .user(geteuid()))
        client = nil
        #expect(try way.owner(peer, local) == .nobody)
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
        let diagnostics = try #require(SocketDiagnostics())
        func verdict(_ users: Set<UInt32>) -> PeerCheck.Verdict {
            PeerCheck(allowedUsers: users, diagnostics: { withNetlink ? diagnostics.owner(of: $0, connectedTo: $1) : .unavailable })
                .verdict(peer: peer, local: local)
        }
        #expect(verdict([geteuid()]) == .allowed)
        #expect(verdict([geteuid() &+ 1]) == .foreign(user: geteuid()))
        _ = client
    }

    @Test(
        "the table is read only where netlink is unavailable",
        arguments: [
            (.user(7), .nobody, .allowed, 0), (.user(8), .user(7), .foreign(user: 8), 0), (.nobody, .user(7), .foreign(user: nil), 0),
            (.unavailable, .user(7), .allowed, 1), (.unavailable, .user(8), .foreign(user: 8), 1),
            (.unavailable, .nobody, .foreign(user: nil), 1), (.unavailable, .unavailable, .foreign(user: nil), 1),
        ] as [(SocketOwner, SocketOwner, PeerCheck.Verdict, Int)])
    func secondLook(netlink: SocketOwner, table: SocketOwner, expected: PeerCheck.Verdict, reads: Int) {
        let end = NetworkEndpoint(address: [127, 0, 0, 1], port: 1)
        var count = 0
        let check = PeerCheck(allowedUsers: [7], diagnostics: { _, _ in netlink }) { _, _ in
            count += 1
            return table
        }
        #expect(check.verdict(peer: end, local: end) == expected)
        #expect(count == reads)
    }

    @Test("the listening user is found by the address that a browser would connect to", arguments: ["127.0.0.1", "::1"])
    func listener(host: String) throws {
        let server = try TestListener([.address(host: host, port: 0)])
        let diagnostics = try #require(SocketDiagnostics())
        let endpoint = try #require(NetworkEndpoint(server.address))
        #expect(diagnostics.owner(listeningAt: endpoint) == .user(geteuid()))
        #expect(diagnostics.owner(listeningAt: NetworkEndpoint(address: endpoint.address, port: 1)) == .nobody)
        withExtendedLifetime(server) {}
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
        try TestProcess.run(
            "/usr/bin/setpriv", ["--reuid=65534", "--regid=65534", "--clear-groups"] + arguments, errors: .inherited
        ).output
    }

    private static let canBecomeNobody =
        geteuid() == 0 && ["/usr/bin/setpriv", "/usr/bin/curl"].allSatisfy { FileManager.default.isExecutableFile(atPath: $0) }

    @Test("another user's connection is closed unread", .enabled(if: canBecomeNobody), arguments: ["127.0.0.1", "::1"])
    func stranger(host: String) throws {
        let server = try TestListener([.address(host: host, port: 0)])
        let url = "http://\(host == "::1" ? "[::1]" : host):\(try #require(server.address.port))/secret"
        #expect(try asNobody(["/usr/bin/curl", "-s", "-o", "/dev/null", "-w", "%{http_code}", url]) == "000")
        #expect(server.responder.requests.isEmpty)
        // The connection is closed first.
        #expect(try eventually { server.responder.foreignUsers == [65534] })
    }

    @Test("another user's connection gets no handshake", .enabled(if: canBecomeNobody))
    func strangerEncrypted() throws {
        let server = try TestListener(tls: try TestCertificate().context())
        let connect = ["/usr/bin/openssl", "s_client", "-connect", "127.0.0.1:\(try #require(server.address.port))"]
        #expect(try asNobody(connect).contains("no peer certificate available"))
        #expect(try TestCertificate.run("openssl", Array(connect.dropFirst())).output.contains("BEGIN CERTIFICATE"))
    }

    @Test("another user is let in where that is configured", .enabled(if: canBecomeNobody))
    func strangerAllowed() throws {
        let server = try TestListener(sameUser: false)
        let url = "http://127.0.0.1:\(try #require(server.address.port))/x"
        #expect(try asNobody(["/usr/bin/curl", "-s", "-o", "/dev/null", "-w", "%{http_code}", url]) == "200")
    }

    @Test("another user's brief connections take no place, read no table and never count as root's", .enabled(if: canBecomeNobody))
    func hastyStranger() throws {
        let reads = NIOLockedValueBox(0)
        let server = try TestListener(connections: 1) {
            let diagnostics = SocketDiagnostics()
            return PeerCheck(allowedUsers: [geteuid(), 0], diagnostics: { diagnostics?.owner(of: $0, connectedTo: $1) ?? .unavailable }) {
                reads.withLockedValue { $0 += 1 }
                return ProcNetTCP.owner(of: $0, connectedTo: $1)
            }
        }
        let held = try server.client()
        try #require(try eventually { try server.openConnections() == 1 })
        let port = try #require(server.address.port)
        // bash closes the descriptor, and with it the connection, at once, or right after the request.
        for request in ["", "printf 'GET /secret HTTP/1.0\\r\\n\\r\\n' >&3;"] {
            _ = try asNobody(["/bin/bash", "-c", "for i in $(seq 100); do exec 3<>/dev/tcp/127.0.0.1/\(port); \(request) exec 3>&-; done"])
        }
        // The one place there is was not needed for them.
        try held.send("GET /own HTTP/1.0\r\n\r\n")
        #expect(try held.responses().map(\.status) == [200])
        // What comes later is accepted later, so those have been judged by then.
        #expect(try server.exchange("GET /own HTTP/1.0\r\n\r\n").map(\.status) == [200])
        #expect(server.responder.requests.map(\.path) == ["/own", "/own"])
        #expect(server.responder.foreignUsers.count == 200)
        #expect(server.responder.foreignUsers.allSatisfy { $0 == nil || $0 == 65534 })
        #expect(reads.withLockedValue { $0 } == 0)
    }
}

extension TestListener {
    /// - Parameter check: called on the event loop, where it is used.
    fileprivate convenience init(connections: Int, check: @escaping @Sendable () -> PeerCheck) throws {
        let responder = EchoResponder()
        var limits = HTTPLimits()
        limits.connections = connections
        let allowed = limits
        let start = EventLoops.one.flatSubmit {
            let acceptor = Acceptor(tls: nil, limits: allowed, peerCheck: check(), eventLoop: EventLoops.one, responder: responder)
            let listener = HTTPListener(acceptor: acceptor, eventLoop: EventLoops.one)
            return listener.listen(at: [.address(host: "127.0.0.1", port: 0)]).map { _ in listener }
        }
        self.init(listener: try start.wait(), responder: responder)
    }
}

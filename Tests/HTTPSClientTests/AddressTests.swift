import NIOConcurrencyHelpers
import NIOCore
import NIOPosix
import PosternCore
import TestAuthority
import Testing

@testable import HTTPSClient

@Suite("Addresses that an untrusted server may lead to")
struct AddressTests {
    /// Both sides of both ends of each range; the word for a special address, nil for a public one.
    static let addresses: [(address: String, word: String?)] = [
        ("0.0.0.0", "unspecified"), ("0.255.255.255", "unspecified"), ("1.0.0.0", nil),
        ("9.255.255.255", nil), ("10.0.0.0", "private"), ("10.255.255.255", "private"), ("11.0.0.0", nil),
        ("100.63.255.255", nil), ("100.64.0.0", "shared by a carrier's customers"),
        ("100.127.255.255", "shared by a carrier's customers"), ("100.128.0.0", nil),
        ("126.255.255.255", nil), ("127.0.0.0", "this machine's own"), ("127.255.255.255", "this machine's own"), ("128.0.0.0", nil),
        ("169.253.255.255", nil), ("169.254.0.0", "link-local"), ("169.254.169.254", "link-local"), ("169.254.255.255", "link-local"),
        ("169.255.0.0", nil),
        ("172.15.255.255", nil), ("172.16.0.0", "private"), ("172.31.255.255", "private"), ("172.32.0.0", nil),
        ("191.255.255.255", nil), ("192.0.0.0", "reserved"), ("192.0.0.255", "reserved"), ("192.0.1.0", nil),
        ("192.0.1.255", nil), ("192.0.2.0", "for documentation"), ("192.0.2.255", "for documentation"), ("192.0.3.0", nil),
        ("192.167.255.255", nil), ("192.168.0.0", "private"), ("192.168.255.255", "private"), ("192.169.0.0", nil),
        ("198.17.255.255", nil), ("198.18.0.0", "for benchmarks"), ("198.19.255.255", "for benchmarks"), ("198.20.0.0", nil),
        ("198.51.99.255", nil), ("198.51.100.0", "for documentation"), ("198.51.100.255", "for documentation"), ("198.51.101.0", nil),
        ("203.0.112.255", nil), ("203.0.113.0", "for documentation"), ("203.0.113.255", "for documentation"), ("203.0.114.0", nil),
        ("223.255.255.255", nil), ("224.0.0.0", "multicast"), ("239.255.255.255", "multicast"), ("240.0.0.0", "reserved"),
        ("255.255.255.255", "reserved"),

        ("::", "unspecified"), ("::1", "this machine's own"), ("::2", "reserved"), ("::7f00:1", "reserved"),
        ("::fffe:255.255.255.255", "reserved"), ("::ffff:0.0.0.0", "unspecified"), ("::ffff:127.0.0.1", "this machine's own"),
        ("::ffff:10.0.0.1", "private"), ("::ffff:9.255.255.255", nil), ("::ffff:255.255.255.255", "reserved"),
        ("::1:0:0:0", "reserved"),
        ("64:ff9a:ffff:ffff:ffff:ffff:ffff:ffff", "reserved"), ("64:ff9b::9.255.255.255", nil), ("64:ff9b::10.0.0.0", "private"),
        ("64:ff9b::169.254.169.254", "link-local"), ("64:ff9b::1:0:0", "reserved"), ("64:ff9b:0:ffff::1.1.1.1", "reserved"),
        ("64:ff9b:1::", "private"), ("64:ff9b:1:ffff:ffff:ffff:ffff:ffff", "private"), ("64:ff9b:2::", "reserved"),
        ("100::1", "reserved"), ("1fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "reserved"), ("2000::", nil),
        ("2000:ffff:ffff:ffff:ffff:ffff:ffff:ffff", nil), ("2001::", "reserved"), ("2001:0:7f00:1::", "reserved"),
        ("2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff", "reserved"), ("2001:200::", nil),
        ("2001:db7:ffff:ffff:ffff:ffff:ffff:ffff", nil), ("2001:db8::", "for documentation"),
        ("2001:db8:ffff:ffff:ffff:ffff:ffff:ffff", "for documentation"), ("2001:db9::", nil),
        ("2001:ffff:ffff:ffff:ffff:ffff:ffff:ffff", nil), ("2002::", "unspecified"), ("2002:9ff:ffff::", nil), ("2002:a00::", "private"),
        ("2002:7f00:1::", "this machine's own"), ("2002:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "reserved"), ("2003::", nil),
        ("3ffe:ffff:ffff:ffff:ffff:ffff:ffff:ffff", nil), ("3fff::", "for documentation"),
        ("3fff:fff:ffff:ffff:ffff:ffff:ffff:ffff", "for documentation"), ("3fff:1000::", nil),
        ("3fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", nil), ("4000::", "reserved"), ("5f00::", "reserved"),
        ("fbff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "reserved"), ("fc00::", "private"), ("fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "private"),
        ("fe00::", "reserved"), ("fe7f:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "reserved"), ("fe80::", "link-local"),
        ("febf:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "link-local"), ("fec0::", "private"),
        ("feff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "private"), ("ff00::", "multicast"),
        ("ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "multicast"),
    ]

    @Test("special addresses are told from public ones at both ends of each range", arguments: Self.addresses.indices)
    func specialPurpose(_ index: Int) throws {
        let row = Self.addresses[index]
        #expect(try SocketAddress(ipAddress: row.address, port: 1).specialPurpose == row.word, "\(row.address)")
    }

    @Test("each range of the table can be read, and is met by an address of the tests", arguments: IPAddress.ranges.indices)
    func range(_ index: Int) throws {
        let range = IPAddress.ranges[index]
        let network = try #require(IPAddress.network(range.network[...]), "\(range.network)")
        let isMet = Self.addresses.contains { row in
            IPAddress.bytes(row.address).map { IPAddress.isEqual($0, network.address, bits: network.bits) } == true
        }
        #expect(isMet, "\(range.network)")
    }

    static let selections: [(addresses: [String], isLifted: Bool, left: [String]?)] = [
        (["1.1.1.1"], false, ["1.1.1.1"]),
        (["10.0.0.1", "1.1.1.1", "::1", "2606:4700::1"], false, ["1.1.1.1", "2606:4700::1"]),
        (["10.0.0.1", "::1"], false, nil),
        (["10.0.0.1", "1.1.1.1"], true, ["10.0.0.1", "1.1.1.1"]),
        (["10.0.0.1", "::1"], true, ["10.0.0.1", "::1"]),
    ]

    @Test("only public addresses are left, unless the rule is lifted", arguments: selections.indices)
    func selection(_ index: Int) throws {
        let row = Self.selections[index]
        let addresses = try row.addresses.map { try SocketAddress(ipAddress: $0, port: 443) }
        do throws(AddressRefusal) {
            let permitted = try AddressCheck.permitted(addresses, source: "mcp.example", isLifted: row.isLifted)
            #expect(permitted.addresses.compactMap(\.ipAddress) == row.left, "\(row)")
        } catch {
            #expect(row.left == nil, "\(row)")
            #expect("\(error)" == "its address 10.0.0.1 is private, and a URL that 'mcp.example' leads to must have a public one")
        }
    }

    /// Each row is one server, and what its name leads to in one request after the other; which of them are refused.
    static let histories: [(answers: [[String]], refused: [Bool])] = [
        ([["10.0.0.1"], ["10.0.0.1"]], [false, false]),
        ([["1.1.1.1"], ["10.0.0.1"], ["1.1.1.1"]], [false, true, false]),
        ([["10.0.0.1"], ["1.1.1.1"], ["10.0.0.1"]], [false, false, true]),
        // One public address is enough for it to be a public server.
        ([["10.0.0.1", "1.1.1.1"], ["10.0.0.1"]], [false, true]),
    ]

    @Test("a server that was public is not private a moment later, whatever its name server says", arguments: histories.indices)
    func history(_ index: Int) async throws {
        let row = Self.histories[index]
        let loop = MultiThreadedEventLoopGroup.singleton.next()
        let check = AddressCheck(
            rule: .publicUnless(host: "mcp.example"), lookups: HostLookups(eventLoop: loop),
            publicHosts: .makeBoxSendingValue(PublicHosts(), eventLoop: loop))
        for (answer, refused) in zip(row.answers, row.refused) {
            let addresses = try answer.map { try SocketAddress(ipAddress: $0, port: 443) }
            let permitted = try? await loop.flatSubmit { check.permitted(addresses, of: "mcp.example") }.get()
            #expect((permitted == nil) == refused, "\(row)")
        }
    }

    @Test("that is remembered for ten minutes, of 64 servers")
    func memory() {
        var hosts = PublicHosts()
        let start = NIODeadline.uptimeNanoseconds(1)
        hosts.note("a", at: start)
        #expect(hosts.holds("a", at: start + .seconds(599)))
        #expect(!hosts.holds("a", at: start + .seconds(600)))
        #expect(!hosts.holds("b", at: start))
        for number in 1...PublicHosts.most { hosts.note("\(number)", at: start + .seconds(Int64(number))) }
        #expect(!hosts.holds("a", at: start + .seconds(64)))
        #expect(hosts.holds("1", at: start + .seconds(64)))
    }

    @Test("the connection's own end is judged too, where all must be public")
    func end() throws {
        let (here, elsewhere) = (try SocketAddress(ipAddress: "127.0.0.1", port: 443), try SocketAddress(ipAddress: "1.1.1.1", port: 443))
        let strict = AddressCheck.Permitted(addresses: [elsewhere], publicFor: "mcp.example")
        #expect(throws: AddressRefusal.self) { try strict.check(here) }
        #expect(throws: Never.self) { try strict.check(elsewhere) }
        #expect(throws: Never.self) { try AddressCheck.Permitted(addresses: [elsewhere]).check(here) }
    }

    // MARK: With sockets

    /// An `http` server on loopback, and how many connections it got.
    private func server() throws -> (RawServer, NIOLockedValueBox<Int>) {
        let connections = NIOLockedValueBox(0)
        let server = try RawServer { connection in
            connections.withLockedValue { $0 += 1 }
            connection.readHead()
            connection.write("HTTP/1.1 200 OK\r\n\r\nhello")
        }
        return (server, connections)
    }

    private func request(_ url: String, from source: String) -> ProviderRequest {
        var request = ProviderRequest(url: url)
        request.addresses = .publicUnless(host: source)
        return request
    }

    @Test("a public server cannot lead to a private one, by address or by name", arguments: ["127.0.0.1", "localhost"], ["http", "https"])
    func refused(host: String, scheme: String) async throws {
        let (server, connections) = try server()
        let error = await HTTPSClient.make().error(request("\(scheme)://\(host):\(server.port)/?code=secret", from: "1.1.1.1"))
        #expect(error?.kind == .addressRefused)
        #expect(error?.mayHaveReachedServer == false)
        let sentence = try #require(error?.description)
        let sentences = ["127.0.0.1", "::1"].map { address in
            "'\(host)' is not contacted: its address \(address) is this machine's own, and a URL that '1.1.1.1' leads to must have a public one"
        }
        #expect(sentences.contains(sentence))
        #expect(connections.withLockedValue { $0 } == 0)
    }

    static let lifted: [(host: String, source: String)] = [
        ("127.0.0.1", "127.0.0.1"), ("127.0.0.1", "localhost"), ("127.0.0.1", "::1"), ("127.0.0.1", "10.0.0.1"),
        ("localhost", "localhost"), ("localhost", "127.0.0.1"), ("localhost", "fd00::1"),
    ]

    @Test("a server that is not public itself leads anywhere", arguments: lifted.indices)
    func liftedRule(_ index: Int) async throws {
        let row = Self.lifted[index]
        let (server, _) = try server()
        let outcome = await HTTPSClient.make().outcome(request("http://\(row.host):\(server.port)/", from: row.source))
        #expect(outcome == .answer(200, "hello"), "\(row)")
    }

    @Test("a server whose name cannot be looked up is no reason to go to a private address")
    func unknownSource() async throws {
        let (server, connections) = try server()
        let client = HTTPSClient.make { $0.connectTimeout = .seconds(2) }
        let error = await client.error(request("http://127.0.0.1:\(server.port)/", from: "does-not-exist.invalid"))
        // A machine without a name server may wait for one until the deadline.
        #expect([.addressRefused, .connectTimeout].contains(error?.kind))
        #expect(connections.withLockedValue { $0 } == 0)
    }

    @Test("without the rule a private address is allowed")
    func noRule() async throws {
        let (server, _) = try server()
        #expect(await HTTPSClient.make().outcome(ProviderRequest(url: "http://127.0.0.1:\(server.port)/")) == .answer(200, "hello"))
    }

    // MARK: By way of a proxy

    static let proxied: [(host: String, source: String, isAsked: Bool)] = [
        ("10.0.0.1", "1.1.1.1", false), ("[fd00::1]", "1.1.1.1", false), ("[::ffff:a9fe:a9fe]", "1.1.1.1", false),
        ("1.0.0.1", "1.1.1.1", true), ("10.0.0.1", "10.0.0.2", true),
        // Only the proxy knows its address.
        ("elsewhere.example", "1.1.1.1", true),
    ]

    @Test("of a host behind a proxy a written address is judged, and the proxy's own is not", arguments: proxied.indices)
    func proxy(_ index: Int) async throws {
        let row = Self.proxied[index]
        let asked = NIOLockedValueBox("")
        let proxy = try RawServer { connection in
            let head = connection.readHead()
            asked.withLockedValue { $0 = head }
            connection.write("HTTP/1.1 403 Forbidden\r\n\r\n")
        }
        let client = HTTPSClient.make(environment: ["https_proxy": "127.0.0.1:\(proxy.port)"])
        let outcome = await client.outcome(request("https://\(row.host)/", from: row.source))
        #expect(outcome == .failure(row.isAsked ? .proxy : .addressRefused, mayHaveReachedServer: false), "\(row)")
        #expect(asked.withLockedValue { $0 }.hasPrefix("CONNECT \(row.host):443 ") == row.isAsked, "\(row)")
    }
}

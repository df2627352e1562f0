import HTTPSClient
import NIOConcurrencyHelpers
import NIOCore
import PosternCore
import TestAuthority
import Testing

@Suite("Connections that are kept for the next request")
struct KeptConnectionTests {
    /// Answers on each connection, first as the test wants and then with "next", and counts connections and requests.
    private final class Server: Sendable {
        let connections = NIOLockedValueBox(0)
        let requests = NIOLockedValueBox(0)
        let raw: NIOLockedValueBox<RawServer?> = NIOLockedValueBox(nil)

        /// - Parameter afterwards: what is done once the first answer of all was sent.
        init(_ first: String, afterwards: @escaping @Sendable (RawConnection) -> Void = { _ in }) throws {
            let server = try RawServer { [connections, requests] connection in
                connections.withLockedValue { $0 += 1 }
                while true {
                    connection.forget()
                    if connection.readHead().isEmpty { return }
                    let number = requests.withLockedValue { count in
                        count += 1
                        return count
                    }
                    connection.write(number == 1 ? first.replacing("\n", with: "\r\n") : "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nnext")
                    if number == 1 { afterwards(connection) }
                }
            }
            raw.withLockedValue { $0 = server }
        }

        func request(_ method: String = "GET") -> StreamedRequest {
            StreamedRequest(method: method, url: "http://127.0.0.1:\(raw.withLockedValue { $0?.port ?? 0 })/")
        }

        var counts: [Int] { [connections.withLockedValue { $0 }, requests.withLockedValue { $0 }] }
    }

    static let kept: [(name: String, method: String, answer: String)] = [
        ("a length", "GET", "HTTP/1.1 200 OK\nContent-Length: 2\n\nhi"),
        ("the length 0", "GET", "HTTP/1.1 200 OK\nContent-Length: 0\n\n"),
        ("chunks", "GET", "HTTP/1.1 200 OK\nTransfer-Encoding: chunked\n\n2\nhi\n0\n\n"),
        ("a trailer", "GET", "HTTP/1.1 200 OK\nTransfer-Encoding: chunked\n\n2\nhi\n0\nA: b\n\n"),
        ("no content", "GET", "HTTP/1.1 204 No Content\n\n"),
        ("not modified", "GET", "HTTP/1.1 304 Not Modified\nContent-Length: 7\n\n"),
        ("a head alone", "HEAD", "HTTP/1.1 200 OK\nContent-Length: 7\n\n"),
        ("100 before", "POST", "HTTP/1.1 100 Continue\n\nHTTP/1.1 200 OK\nContent-Length: 2\n\nhi"),
        ("a content of empty lines", "GET", "HTTP/1.1 200 OK\nContent-Length: 4\n\n\n\n"),
        ("HTTP/1.0 that says so", "GET", "HTTP/1.0 200 OK\nConnection: keep-alive\nContent-Length: 2\n\nhi"),
        ("a time", "GET", "HTTP/1.1 200 OK\nKeep-Alive: max=9, timeout=60\nContent-Length: 2\n\nhi"),
        ("a time beyond 64 bits", "GET", "HTTP/1.1 200 OK\nKeep-Alive: timeout=99999999999999999999\nContent-Length: 2\n\nhi"),
    ]

    @Test("after a whole answer the connection serves the next request", arguments: kept.indices)
    func isKept(_ index: Int) async throws { try await expect(1, for: Self.kept[index]) }

    static let closed: [(name: String, method: String, answer: String)] = [
        ("close", "GET", "HTTP/1.1 200 OK\nConnection: close\nContent-Length: 2\n\nhi"),
        ("HTTP/1.0", "GET", "HTTP/1.0 200 OK\nContent-Length: 2\n\nhi"),
        ("no time", "GET", "HTTP/1.1 200 OK\nKeep-Alive: timeout=1\nContent-Length: 2\n\nhi"),
        ("a negative time", "GET", "HTTP/1.1 200 OK\nKeep-Alive: timeout=-5\nContent-Length: 2\n\nhi"),
        ("more than the length", "GET", "HTTP/1.1 200 OK\nContent-Length: 2\n\nhiHTTP/1.1 200 O"),
        ("more than the length, with the same end", "GET", "HTTP/1.1 200 OK\nContent-Length: 4\n\nHHHHH"),
        ("a whole second answer", "GET", "HTTP/1.1 200 OK\nContent-Length: 2\n\nhiHTTP/1.1 200 OK\nContent-Length: 0\n\n"),
        ("more than the chunks", "GET", "HTTP/1.1 200 OK\nTransfer-Encoding: chunked\n\n2\nhi\n0\n\nHTTP/1.1 20"),
        ("more than no content", "GET", "HTTP/1.1 204 No Content\n\nHT"),
        ("a body of a head alone", "HEAD", "HTTP/1.1 200 OK\nContent-Length: 7\n\n<html>\n"),
    ]

    @Test("after a response that says so, or that more bytes follow, it does not", arguments: closed.indices)
    func isNotKept(_ index: Int) async throws { try await expect(2, for: Self.closed[index]) }

    /// Two requests use so many connections.
    private func expect(_ connections: Int, for row: (name: String, method: String, answer: String)) async throws {
        let server = try Server(row.answer)
        let client = StreamClient()
        let first = try await client.open(server.request(row.method)).report { $0.outcome != nil }
        #expect(first.isEnded, "\(row.name)")
        #expect(try await client.outcome(server.request()) == .answer(200, "next"), "\(row.name)")
        #expect(server.counts == [connections, 2], "\(row.name)")
    }

    private static let plain = "HTTP/1.1 200 OK\nContent-Length: 2\n\nhi"

    @Test("a request may want a connection of its own, and collected ones always do")
    func ownConnection() async throws {
        let server = try Server(Self.plain)
        let client = StreamClient()
        #expect(try await client.outcome(server.request()) == .answer(200, "hi"))
        var own = server.request()
        own.keepsConnection = false
        #expect(try await client.outcome(own) == .answer(200, "next"))
        _ = try await client.client.send(ProviderRequest(url: own.url), caFile: nil).get()
        #expect(server.counts == [3, 3])
    }

    @Test("requests under different rules share no connection")
    func rules() async throws {
        let server = try Server(Self.plain)
        let client = StreamClient()
        var requests = [server.request(), server.request(), server.request()]
        requests[1].authorities = try TLSTests.authority.get().pem
        requests[2].addresses = .publicUnless(host: "127.0.0.1")
        for request in requests { _ = try await client.outcome(request) }
        #expect(server.counts == [3, 3])
        for request in requests { #expect(try await client.outcome(request) == .answer(200, "next")) }
        #expect(server.counts == [3, 6])
    }

    @Test("a connection that the server closed, or sent something on, is noticed before it is used", arguments: ["", "HTTP/1.1 408 Timeout\r\nContent-Length: 0\r\n\r\n", "H"])
    func closedWhileKept(_ message: String) async throws {
        let done = Signal()
        let go = Signal()
        let server = try Server(Self.plain) { connection in
            go.wait()
            connection.write(message)
            if message.isEmpty { connection.end() }
            done.send()
        }
        let client = StreamClient()
        let loop = client.eventLoop
        #expect(try await client.outcome(server.request()) == .answer(200, "hi"))
        // While the loop is kept busy, it cannot notice by itself.
        let second = Stream(loop)
        try await loop.submit {
            go.send()
            done.wait()
        }.get()
        try await second.open(server.request(), client.client)
        #expect(try await second.outcome() == .answer(200, "next"))
        #expect(server.counts == [2, 2])
    }

    @Test("a request written to a kept connection that then closes may have arrived, and is not sent again")
    func closedAfterWriting() async throws {
        let requests = NIOLockedValueBox(0)
        let server = try RawServer { connection in
            connection.readHead()
            requests.withLockedValue { $0 += 1 }
            connection.write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi")
            connection.forget()
            if !connection.readHead().isEmpty { requests.withLockedValue { $0 += 1 } }
        }
        let client = StreamClient()
        #expect(try await client.outcome(.get(server)) == .answer(200, "hi"))
        #expect(try await client.outcome(.get(server)) == .failure(.connectionClosed, mayHaveReachedServer: true))
        #expect(requests.withLockedValue { $0 } == 2)
    }

    @Test("a request that is given up takes its connection with it")
    func cancelled() async throws {
        let server = try Server("HTTP/1.1 200 OK\nContent-Length: 9\n\nhalf")
        let client = StreamClient()
        let stream = try await client.open(server.request())
        _ = try await stream.report { $0.text == "half" }
        _ = try await stream.onExchange { $0.cancel() }
        #expect(try await client.outcome(server.request()) == .answer(200, "next"))
        #expect(server.counts == [2, 2])
    }

    @Test("a paused exchange that ended leaves a connection that reads")
    func paused() async throws {
        let server = try Server(Self.plain)
        let client = StreamClient()
        let stream = try await client.open(server.request())
        _ = try await stream.report { $0.outcome != nil }
        _ = try await stream.onExchange { $0.isPaused = true }
        #expect(try await client.outcome(server.request()) == .answer(200, "next"))
        #expect(server.counts == [1, 2])
    }

    @Test("a kept connection is closed after a few seconds, or earlier if the server says so")
    func expiry() async throws {
        let closed = Signal()
        let server = try RawServer { connection in
            connection.readHead()
            connection.write("HTTP/1.1 200 OK\r\nKeep-Alive: timeout=2\r\nContent-Length: 2\r\n\r\nhi")
            connection.drain()
            closed.send()
        }
        #expect(try await StreamClient().outcome(.get(server)) == .answer(200, "hi"))
        await closed.waited()
    }

    @Test("over TLS, a kept connection saves the handshake")
    func overTLS() async throws {
        let authority = try TLSTests.authority.get()
        let server = try ScriptedTLSServer(authority.good(), ending: .none) { number in
            Array("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\n\(number)\r\n0\r\n\r\n".utf8)
        }
        let client = StreamClient()
        for number in 1...5 {
            var request = StreamedRequest(method: "GET", url: "https://localhost:\(server.port)/\(number)")
            request.authorities = try authority.pem
            #expect(try await client.outcome(request) == .answer(200, "\(number)"))
        }
        #expect(server.connections.withLockedValue { $0 } == 1)
    }

    // MARK: Many

    @Test("100 are open at once, the others wait in order, and too many are refused")
    func many() async throws {
        let (open, most, arrived) = (NIOLockedValueBox(0), NIOLockedValueBox(0), NIOLockedValueBox(0))
        let go = Signal()
        let server = try RawServer { connection in
            let now = open.withLockedValue { count in
                count += 1
                return count
            }
            most.withLockedValue { $0 = max($0, now) }
            connection.readHead()
            arrived.withLockedValue { $0 += 1 }
            go.wait()
            open.withLockedValue { $0 -= 1 }
            connection.write("HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 2\r\n\r\nhi")
        }
        let client = StreamClient()
        var streams: [Stream] = []
        for _ in 0..<100 + 256 { streams.append(try await client.open(.get(server))) }
        #expect(try await client.outcome(.get(server)) == .failure(.tooManyRequests, mayHaveReachedServer: false))
        while arrived.withLockedValue({ $0 }) < 100 { await Task.yield() }
        // Some give up while they wait, one of those that have a place.
        for index in [10] + Array(110..<300) { _ = try await streams[index].onExchange { $0.cancel() } }
        go.send()
        for (index, stream) in streams.enumerated() where index != 10 && !(110..<300).contains(index) {
            #expect(try await stream.outcome() == .answer(200, "hi"))
        }
        #expect(arrived.withLockedValue { $0 } <= 100 + 256 - 190)
        // One more than the limit: the server does not count the end of the one that gave up.
        #expect(most.withLockedValue { $0 } <= 101)
        #expect(try await client.outcome(.get(server)) == .answer(200, "hi"))
    }
}

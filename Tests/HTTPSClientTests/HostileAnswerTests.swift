import Glibc
import HTTPSClient
import PosternCore
import Testing

/// Answers over plain TCP, as a hostile or broken server would give them. The request always arrived, so every failure
/// says that it may have.
@Suite("Answers of servers, good and hostile")
struct HostileAnswerTests {
    struct Row: Sendable, CustomStringConvertible {
        var description: String
        var answer: String
        var outcome: Outcome

        init(_ description: String, _ answer: String, _ outcome: Outcome) {
            self.description = description
            self.answer = answer.replacing("\n", with: "\r\n")
            self.outcome = outcome
        }
    }

    private static let malformed = Outcome.failure(.malformedResponse, mayHaveReachedServer: true)
    private static let closed = Outcome.failure(.connectionClosed, mayHaveReachedServer: true)
    private static let tooLarge = Outcome.failure(.responseTooLarge, mayHaveReachedServer: true)

    static let good: [Row] = [
        Row("a length", "HTTP/1.1 200 OK\nContent-Length: 5\n\nhello", .answer(200, "hello")),
        Row("more than the length", "HTTP/1.1 200 OK\nContent-Length: 5\n\nhello, HTTP/1.1 500 No", .answer(200, "hello")),
        Row("until the end", "HTTP/1.1 200 OK\n\nhello", .answer(200, "hello")),
        Row("HTTP/1.0", "HTTP/1.0 200 OK\nContent-Type: text/plain\n\nhello", .answer(200, "hello")),
        Row("chunks", "HTTP/1.1 200 OK\nTransfer-Encoding: chunked\n\n2\nhe\n3;name=value\nllo\n0\n\n", .answer(200, "hello")),
        Row("chunks of one byte", "HTTP/1.1 200 OK\nTransfer-Encoding: chunked\n\n" + String(repeating: "1\nx\n", count: 10_000) + "0\n\n", .answer(200, String(repeating: "x", count: 10_000))),
        Row("chunks and a trailer", "HTTP/1.1 200 OK\nTransfer-Encoding: chunked\n\n5\nhello\n0\nX-Sum: 1\n\n", .answer(200, "hello")),
        Row("100 before", "HTTP/1.1 100 Continue\n\nHTTP/1.1 200 OK\nContent-Length: 5\n\nhello", .answer(200, "hello")),
        Row("103 before", "HTTP/1.1 103 Early Hints\nLink: </a>\n\nHTTP/1.1 200 OK\nContent-Length: 5\n\nhello", .answer(200, "hello")),
        Row("no content", "HTTP/1.1 204 No Content\n\n", .answer(204, "")),
        Row("a redirect is not followed", "HTTP/1.1 302 Found\nLocation: http://127.0.0.1:1/\nContent-Length: 0\n\n", .answer(302, "")),
        Row("an error is an answer", "HTTP/1.1 503 Busy\nRetry-After: 5\nContent-Length: 2\n\nno", .answer(503, "no")),
        Row("identity is no encoding", "HTTP/1.1 200 OK\nContent-Encoding: identity\nContent-Length: 2\n\nok", .answer(200, "ok")),
    ]

    static let hostile: [Row] = [
        Row("nothing", "", closed),
        Row("half a status line", "HTTP/1.1 20", closed),
        Row("half a head", "HTTP/1.1 200 OK\nContent-Le", closed),
        Row("less than the length", "HTTP/1.1 200 OK\nContent-Length: 50\n\nhello", closed),
        Row("half a chunk", "HTTP/1.1 200 OK\nTransfer-Encoding: chunked\n\n5\nhel", closed),
        Row("no last chunk", "HTTP/1.1 200 OK\nTransfer-Encoding: chunked\n\n5\nhello\n", closed),
        Row("only 100", "HTTP/1.1 100 Continue\n\n", closed),
        Row("garbage", "\u{0}\u{1}\u{2}garbage\n\n", malformed),
        Row("another protocol", "SSH-2.0-OpenSSH_9.2\n", malformed),
        Row("HTTP/2", "HTTP/2.0 200 OK\nContent-Length: 0\n\n", malformed),
        Row("HTTP/0.9", "<html>hello</html>\n", malformed),
        Row("a status of four digits", "HTTP/1.1 2000 OK\nContent-Length: 0\n\n", malformed),
        Row("an upgrade", "HTTP/1.1 101 Switching Protocols\nUpgrade: websocket\nConnection: upgrade\n\n", malformed),
        Row("a chunk size that is no number", "HTTP/1.1 200 OK\nTransfer-Encoding: chunked\n\nzz\nhello\n0\n\n", malformed),
        Row("a negative chunk size", "HTTP/1.1 200 OK\nTransfer-Encoding: chunked\n\n-5\nhello\n0\n\n", malformed),
        Row("a chunk size beyond 64 bits", "HTTP/1.1 200 OK\nTransfer-Encoding: chunked\n\nFFFFFFFFFFFFFFFFF\nhello", malformed),
        Row("a chunk longer than its size", "HTTP/1.1 200 OK\nTransfer-Encoding: chunked\n\n2\nhello\n0\n\n", malformed),
        Row("a length and chunks", "HTTP/1.1 200 OK\nContent-Length: 5\nTransfer-Encoding: chunked\n\n5\nhello\n0\n\n", malformed),
        Row("two lengths", "HTTP/1.1 200 OK\nContent-Length: 5\nContent-Length: 6\n\nhello!", malformed),
        Row("a negative length", "HTTP/1.1 200 OK\nContent-Length: -5\n\nhello", malformed),
        Row("a length with a sign", "HTTP/1.1 200 OK\nContent-Length: +5\n\nhello", malformed),
        Row("a length beyond 64 bits", "HTTP/1.1 200 OK\nContent-Length: 99999999999999999999\n\nhello", malformed),
        Row("a compressed body", "HTTP/1.1 200 OK\nContent-Encoding: gzip\nContent-Length: 2\n\n\u{1f}x", malformed),
        Row("a coding of its own", "HTTP/1.1 200 OK\nTransfer-Encoding: gzip, chunked\n\n0\n\n", malformed),
        Row("a space before the colon", "HTTP/1.1 200 OK\nContent-Length : 5\n\nhello", malformed),
        Row("NUL in a header", "HTTP/1.1 200 OK\nX-A: a\u{0}b\nContent-Length: 0\n\n", malformed),
        Row("a header without a colon", "HTTP/1.1 200 OK\nX-A\nContent-Length: 0\n\n", malformed),
        Row("a length of 5 MB", "HTTP/1.1 200 OK\nContent-Length: 5000000\n\n", tooLarge),
        Row("a chunk of 5 MB", "HTTP/1.1 200 OK\nTransfer-Encoding: chunked\n\n4C4B40\n" + String(repeating: "x", count: 5_000_000), tooLarge),
        Row(
            "a chunk with 9 MB of extensions",
            "HTTP/1.1 200 OK\nTransfer-Encoding: chunked\n\n2;" + String(repeating: "x", count: 9_000_000) + "\nhe\n0\n\n", tooLarge),
        Row(
            "two million chunks of one byte",
            "HTTP/1.1 200 OK\nTransfer-Encoding: chunked\n\n" + String(repeating: "1\nx\n", count: 2_000_000) + "0\n\n", tooLarge),
        Row(
            "9 MB of trailers",
            "HTTP/1.1 200 OK\nTransfer-Encoding: chunked\n\n0\n" + String(repeating: "X-A: \(String(repeating: "x", count: 1000))\n", count: 9000), tooLarge),
        Row("5 MB until the end", "HTTP/1.1 200 OK\n\n" + String(repeating: "x", count: 5_000_000), tooLarge),
    ]

    @Test("an answer is understood", arguments: good)
    func understood(_ row: Row) async throws { try await check(row) }

    @Test("an answer is refused", arguments: hostile)
    func refused(_ row: Row) async throws { try await check(row) }

    private func check(_ row: Row) async throws {
        let server = try RawServer(answer: Array(row.answer.utf8))
        #expect(await HTTPSClient.make().outcome(.get(server)) == row.outcome)
    }

    @Test("an answer may come a byte at a time", arguments: good.prefix(6))
    func drip(_ row: Row) async throws {
        let server = try RawServer { connection in
            connection.readHead()
            for byte in row.answer.utf8 { connection.write([byte]) }
        }
        #expect(await HTTPSClient.make().outcome(.get(server)) == row.outcome)
    }

    /// What comes first, and what comes again and again until the client has had enough.
    static let endless: [(name: String, first: String, again: String)] = [
        ("a body", "HTTP/1.1 200 OK\r\n\r\n", String(repeating: "x", count: 1000)),
        ("a body in chunks", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", "3e8\r\n" + String(repeating: "x", count: 1000) + "\r\n"),
        ("headers", "HTTP/1.1 200 OK\r\n", "X-A: aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\r\n"),
        ("many tiny headers", "HTTP/1.1 200 OK\r\n", "a:\r\n"),
        ("a header's value", "HTTP/1.1 200 OK\r\nX-A: ", String(repeating: "a", count: 1000)),
        ("a header's name", "HTTP/1.1 200 OK\r\n", String(repeating: "a", count: 1000)),
        ("a reason phrase", "HTTP/1.1 200 ", String(repeating: "a", count: 1000)),
        ("100 Continue", "", "HTTP/1.1 100 Continue\r\n\r\n"),
        (
            "trailers", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n",
            "X-A: aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\r\n"
        ),
    ]

    @Test("an answer without an end is cut off before the deadline", arguments: endless)
    func endlessAnswer(name: String, first: String, again: String) async throws {
        let server = try RawServer { connection in
            connection.readHead()
            guard connection.write(first) else { return }
            while connection.write(again) {}
        }
        #expect(await HTTPSClient.make().outcome(.get(server)) == Self.tooLarge)
    }

    @Test("an answer that stops ends at the deadline", arguments: ["", "HTTP/1.1 200 OK\r\n", "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf"])
    func silence(_ answer: String) async throws {
        let server = try RawServer { connection in
            connection.readHead()
            connection.write(answer)
            connection.drain()
        }
        let client = HTTPSClient.make { $0.requestTimeout = .seconds(1) }
        #expect(await client.outcome(.get(server)) == .failure(.requestTimeout, mayHaveReachedServer: true))
    }

    @Test("an answer that drips has its time, and no more")
    func drip() async throws {
        let server = try RawServer { connection in
            connection.readHead()
            guard connection.write("HTTP/1.1 200 OK\r\nContent-Length: 9000\r\n\r\n") else { return }
            while connection.write(" ") { usleep(10_000) }
        }
        let client = HTTPSClient.make { $0.requestTimeout = .milliseconds(200) }
        #expect(await client.outcome(.get(server)) == .failure(.requestTimeout, mayHaveReachedServer: true))
    }

    @Test("a reset in the middle of an answer is a broken connection")
    func reset() async throws {
        let server = try RawServer { connection in
            connection.readHead()
            connection.write("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf")
            connection.reset()
        }
        #expect(await HTTPSClient.make().outcome(.get(server)) == Self.closed)
    }

    @Test("the limit of the body is the caller's, to the byte")
    func bodyLimit() async throws {
        let server = try RawServer(answer: Array("HTTP/1.1 200 OK\r\n\r\n12345".utf8))
        let client = HTTPSClient.make()
        #expect(await client.outcome(.get(server), maximumBodyBytes: 5) == .answer(200, "12345"))
        #expect(await client.outcome(.get(server), maximumBodyBytes: 4) == Self.tooLarge)
    }

    @Test("of two limits of the body the smaller one holds", arguments: [(5, nil, 5), (5, 4, 5), (4, 5, 5), (5, 5, nil), (4, nil, nil)] as [(Int?, Int?, Int?)])
    func twoLimits(most: Int?, explicit: Int?, own: Int?) async throws {
        let server = try RawServer(answer: Array("HTTP/1.1 200 OK\r\n\r\n12345".utf8))
        var request = ProviderRequest.get(server)
        request.mostBodyBytes = most
        let client = HTTPSClient.make { $0.maximumBodyBytes = own ?? $0.maximumBodyBytes }
        let fits = [most, explicit ?? own].compactMap { $0 }.allSatisfy { $0 >= 5 }
        #expect(await client.outcome(request, maximumBodyBytes: explicit) == (fits ? .answer(200, "12345") : Self.tooLarge))
    }

    @Test("a request may have less time than others, and no more")
    func ownDeadline() async throws {
        let server = try RawServer { $0.drain() }
        var request = ProviderRequest.get(server)
        request.longestSeconds = 1
        let error = await HTTPSClient.make().error(request)
        #expect(error?.kind == .requestTimeout)
        #expect(error?.description == "'127.0.0.1' did not finish its answer within 1 s")

        request.longestSeconds = 3600
        let client = HTTPSClient.make { $0.requestTimeout = .milliseconds(200) }
        #expect(await client.outcome(request) == .failure(.requestTimeout, mayHaveReachedServer: true))
    }

    @Test("the time to connect is not longer than the request's")
    func connectDeadline() async throws {
        let server = try RawServer { $0.drain() }
        var request = ProviderRequest(url: "https://127.0.0.1:\(server.port)/")
        request.longestSeconds = 1
        let error = await HTTPSClient.make().error(request)
        #expect(error?.kind == .connectTimeout)
        #expect(error?.description == "'127.0.0.1' cannot be reached: no connection within 1 s")
    }

    @Test("the answer's headers come in order, with repetitions")
    func headers() async throws {
        let server = try RawServer(answer: Array("HTTP/1.1 200 OK\r\nB: 1\r\na: 2 \r\nB:3\r\n\r\n".utf8))
        let response = try await HTTPSClient.make().send(.get(server), caFile: nil).get()
        #expect(response.headers.map { "\($0.name)=\($0.value)" } == ["B=1", "a=2", "B=3"])
        #expect(response.header("A") == "2")
    }
}

extension ProviderRequest {
    static func get(_ server: RawServer) -> ProviderRequest { ProviderRequest(url: "http://127.0.0.1:\(server.port)/") }
}

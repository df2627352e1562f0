import HTTPSClient
import NIOConcurrencyHelpers
import NIOCore
import PosternCore
import TestAuthority
import Testing

@Suite("Exchanges that are streamed")
struct StreamedExchangeTests {
    // MARK: Requests

    static let bodies: [(name: String, body: StreamedRequest.Body, parts: [String], lines: [String])] = [
        ("none", .none, [], ["Content-Length: 0", "", ""]),
        ("bytes", .bytes(Array("code=1".utf8)), [], ["Content-Length: 6", "", "code=1"]),
        ("a length", .streamed(length: 6), ["cod", "", "e=1"], ["Content-Length: 6", "", "code=1"]),
        ("the length 0", .streamed(length: 0), [], ["Content-Length: 0", "", ""]),
        ("chunks", .streamed(length: nil), ["code", "", "=1"], ["Transfer-Encoding: chunked", "", "4", "code", "2", "=1", "0", "", ""]),
        ("no chunk", .streamed(length: nil), [], ["Transfer-Encoding: chunked", "", "0", "", ""]),
    ]

    @Test("a body is framed as its kind requires, whether it comes before there is a connection or after", arguments: bodies.indices)
    func framing(_ index: Int) async throws {
        let row = Self.bodies[index]
        for isEarly in [true, false] {
            let seen = NIOLockedValueBox("")
            let server = try RawServer { connection in
                while !connection.readHead().hasSuffix(row.lines.joined(separator: "\r\n")), !connection.read().isEmpty {}
                seen.withLockedValue { $0 = String(decoding: connection.received, as: UTF8.self) }
                connection.write("HTTP/1.1 204 No Content\r\n\r\n")
            }
            let stream = try await StreamClient().open(.post(server, row.body))
            for part in row.parts {
                if isEarly { _ = try await stream.onExchange { _ = $0.write(ByteBuffer(string: part)) } } else { try await stream.write(part) }
            }
            _ = try await stream.onExchange { $0.endBody() }
            #expect(try await stream.outcome() == .answer(204, ""), "\(row.name)")
            let lines = seen.withLockedValue { $0 }.replacing(":\(server.port)", with: ":PORT").components(by: "\r\n")
            #expect(lines == ["POST / HTTP/1.1", "Host: 127.0.0.1:PORT", "User-Agent: Postern/test"] + row.lines, "\(row.name)")
        }
    }

    @Test("headers that are known late replace those of the same name, and are checked")
    func lateHeaders() async throws {
        let seen = NIOLockedValueBox("")
        let server = try RawServer { connection in
            let head = connection.readHead()
            seen.withLockedValue { $0 = head }
            connection.write("HTTP/1.1 204 No Content\r\n\r\n")
        }
        var request = StreamedRequest(
            method: "GET", url: "http://127.0.0.1:\(server.port)/", headers: [("authorization", "dummy"), ("X", "1")])
        request.prepare()
        request.lateHeaders = [("Authorization", "Bearer t")]
        #expect(try await StreamClient().outcome(request) == .answer(204, ""))
        #expect(seen.withLockedValue { $0 }.components(by: "\r\n")[2...4] == ["X: 1", "Authorization: Bearer t", "User-Agent: Postern/test"])
        for (name, value) in [("Host", "x.example"), ("A", "1\r\nB: 2"), ("", "")] {
            request.lateHeaders = [(name, value)]
            #expect(try await StreamClient().outcome(request) == .failure(.invalidRequest, mayHaveReachedServer: false))
        }
    }

    @Test("a body that is longer or shorter than its length is not sent as if it were whole", arguments: ["abcd", "ab"])
    func wrongLength(_ body: String) async throws {
        let server = try RawServer { $0.drain() }
        let stream = try await StreamClient().open(.post(server, .streamed(length: 3)))
        _ = try? await stream.write(body)
        _ = try await stream.onExchange { $0.endBody() }
        let report = try await stream.report { $0.error != nil }
        #expect(report.error?.kind == .invalidRequest)
        #expect(report.error?.description.hasPrefix("'127.0.0.1' was ") == true)
    }

    @Test("a method after which no HTTP follows is refused", arguments: ["CONNECT", "", "GE T"])
    func method(_ method: String) async throws {
        let request = StreamedRequest(method: method, url: "https://127.0.0.1/")
        #expect(try await StreamClient().outcome(request) == .failure(.invalidRequest, mayHaveReachedServer: false))
    }

    // MARK: Answers

    @Test("an answer comes while the request's body is still sent, each part as it arrives")
    func bothWays() async throws {
        let server = try RawServer { connection in
            connection.readHead()
            connection.write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nX-A:  1 \r\n\r\n")
            while true {
                let more = connection.read()
                if more.isEmpty || !connection.write(more) { return }
            }
        }
        let stream = try await StreamClient().open(.post(server, .streamed(length: nil)))
        let head = try await stream.report { $0.status != nil }
        #expect(head.status == 200)
        #expect(head.headers == ["Transfer-Encoding=chunked", "X-A=1"])
        var text = ""
        for part in ["one", "two", "three"] {
            try await stream.write(part)
            text += part
            let expected = text
            _ = try await stream.report { $0.text == expected }
        }
        #expect(stream.report.isEnded == false)
        _ = try await stream.onExchange { $0.endBody() }
        #expect(try await stream.outcome() == .answer(200, "onetwothree"))
    }

    @Test("an answer that is complete before the request's body ends the exchange")
    func earlyAnswer() async throws {
        let server = try RawServer { connection in
            connection.readHead()
            connection.write("HTTP/1.1 413 Too Large\r\nContent-Length: 2\r\n\r\nno")
            connection.drain()
        }
        let stream = try await StreamClient().open(.post(server, .streamed(length: 1000)))
        #expect(try await stream.outcome() == .answer(413, "no"))
        await #expect(throws: ChannelError.self) { try await stream.write("late") }
        #expect(!stream.report.isLate)
    }

    @Test("an answer is understood as one that is collected", arguments: HostileAnswerTests.good)
    func understood(_ row: HostileAnswerTests.Row) async throws {
        let server = try RawServer(answer: Array(row.answer.utf8))
        #expect(try await StreamClient().outcome(.get(server)) == row.outcome)
    }

    /// Those that break a rule beside the limit of a collected body.
    static let hostile = HostileAnswerTests.hostile.filter { row in
        !["a length of 5 MB", "a chunk of 5 MB", "two million chunks of one byte", "5 MB until the end"].contains(row.description)
    }

    @Test("an answer is refused as one that is collected", arguments: hostile)
    func refused(_ row: HostileAnswerTests.Row) async throws {
        let server = try RawServer(answer: Array(row.answer.utf8))
        var request = StreamedRequest.get(server)
        request.takesEncodings = false
        let report = try await StreamClient().open(request).report { $0.outcome != nil }
        #expect(report.outcome == row.outcome)
        #expect(!report.isEnded && !report.isLate)
    }

    @Test("an endless head, and endless chunks without content, are cut off", arguments: HostileAnswerTests.endless.filter { !$0.name.hasPrefix("a body") })
    func endless(name: String, first: String, again: String) async throws {
        let server = try RawServer { connection in
            connection.readHead()
            guard connection.write(first) else { return }
            while connection.write(again) {}
        }
        #expect(try await StreamClient().outcome(.get(server)) == .failure(.responseTooLarge, mayHaveReachedServer: true))
    }

    @Test("a content encoding is left to the caller")
    func encoding() async throws {
        let server = try RawServer(answer: Array("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 2\r\n\r\nxx".utf8))
        #expect(try await StreamClient().outcome(.get(server)) == .answer(200, "xx"))
    }

    // MARK: Ends

    /// The framing, and where the content begins.
    static let cuttable = [
        "HTTP/1.1 200 OK\r\nContent-Length: 11\r\n\r\nhello world",
        "HTTP/1.1 103 Early\r\nA: b\r\n\r\nHTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n6;a=b\r\n world\r\n0\r\nX-Sum: 1\r\n\r\n",
    ]

    @Test("an answer that is cut, at whatever byte, does not end as a whole one", arguments: cuttable, [false, true])
    func cut(_ answer: String, byReset: Bool) async throws {
        let server = try RawServer { connection in
            let path = connection.readHead().split(separator: " ").dropFirst().first ?? "/0"
            connection.write(Array(answer.utf8.prefix(Int(path.dropFirst()) ?? 0)))
            if byReset { connection.reset() }
        }
        let client = StreamClient()
        for length in 0..<answer.utf8.count {
            let report = try await client.open(.get(server, "/\(length)")).report { $0.outcome != nil }
            #expect(report.outcome == .failure(.connectionClosed, mayHaveReachedServer: true), "\(length)")
            #expect("hello world".hasPrefix(report.text) && !report.isEnded && !report.isLate, "\(length): \(report.text)")
        }
        if !byReset { #expect(try await client.outcome(.get(server, "/\(answer.utf8.count)")) == .answer(200, "hello world")) }
    }

    @Test("over TLS, an answer is whole only with its length, its last chunk or TLS's own end", arguments: [cuttable[1], "HTTP/1.1 200 OK\r\n\r\nhello world"])
    func cutOverTLS(_ answer: String) async throws {
        let authority = try TLSTests.authority.get()
        let bytes = Array(answer.utf8)
        let isDelimited = Self.cuttable.contains(answer)
        let server = try ScriptedTLSServer(authority.good(), ending: .cut) { Array(bytes.prefix($0)) }
        let client = StreamClient()
        for length in 0...bytes.count {
            var request = StreamedRequest(method: "GET", url: "https://localhost:\(server.port)/\(length)")
            request.authorities = try authority.pem
            let report = try await client.open(request).report { $0.outcome != nil }
            let isWhole = isDelimited && length == bytes.count
            #expect(report.outcome == (isWhole ? .answer(200, "hello world") : .failure(.connectionClosed, mayHaveReachedServer: true)), "\(length)")
            #expect(report.isEnded == isWhole && !report.isLate, "\(length)")
        }
    }

    @Test("a request that is given up is closed, and nothing more is reported")
    func cancelled() async throws {
        let closed = Signal()
        let server = try RawServer { connection in
            connection.readHead()
            connection.write("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf")
            connection.drain()
            closed.send()
        }
        let stream = try await StreamClient().open(.get(server))
        _ = try await stream.report { $0.text == "half" }
        _ = try await stream.onExchange { $0.cancel() }
        await closed.waited()
        await #expect(throws: ChannelError.self) { try await stream.write("late") }
        #expect(stream.report.outcome == nil)
    }

    @Test("a request that is given up at once, or during the handshake, does not reach the server")
    func cancelledEarly() async throws {
        let seen = NIOLockedValueBox(0)
        let closed = Signal()
        let server = try RawServer { connection in
            seen.withLockedValue { $0 += 1 }
            connection.drain()
            closed.send()
        }
        let client = StreamClient()
        let loop = client.eventLoop
        let atOnce = Stream(loop)
        try await loop.submit { client.client.open(.get(server), handler: atOnce).cancel() }.get()

        let handshaking = try await client.open(StreamedRequest(method: "GET", url: "https://127.0.0.1:\(server.port)/"))
        while seen.withLockedValue({ $0 }) == 0 { await Task.yield() }
        _ = try await handshaking.onExchange { $0.cancel() }
        await closed.waited()
        #expect(seen.withLockedValue { $0 } == 1)
        #expect(atOnce.report.outcome == nil && handshaking.report.outcome == nil)
    }
}

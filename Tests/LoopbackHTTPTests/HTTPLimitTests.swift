import LoopbackHTTP
import NIOCore
import Testing

@testable import TestHTTPClient

@Suite("The HTTP listener's limits")
struct HTTPLimitTests {
    private let host = "Host: 127.0.0.1\r\n"

    private func status(_ request: String, configure: (inout HTTPLimits) -> Void = { _ in }) throws -> [Int] {
        try TestListener(configure: configure).exchange(request).map(\.status)
    }

    @Test("a request line of 8 KiB is read, a longer one is answered 414")
    func requestLine() throws {
        let longest = String(repeating: "a", count: 8192 - "GET / HTTP/1.1".utf8.count)
        #expect(try status("GET /\(longest) HTTP/1.1\r\n\(host)Connection: close\r\n\r\n") == [200])
        #expect(try status("GET /\(longest)a HTTP/1.1\r\n\(host)\r\n") == [414])
        #expect(try status(String(repeating: "a", count: 8193)) == [414])
    }

    @Test("headers of 16 KiB are read, larger ones are answered 431")
    func headerBytes() throws {
        let rest = "\(host)Connection: close\r\nX: \r\n\r\n".utf8.count
        let longest = String(repeating: "a", count: 16384 - rest)
        #expect(try status("GET / HTTP/1.1\r\n\(host)Connection: close\r\nX: \(longest)\r\n\r\n") == [200])
        #expect(try status("GET / HTTP/1.1\r\n\(host)Connection: close\r\nX: \(longest)a\r\n\r\n") == [431])
    }

    @Test("100 headers are read, a 101st is answered 431")
    func headerFields() throws {
        let fields = (1...98).map { "X-\($0): y\r\n" }.joined()
        #expect(try status("GET / HTTP/1.1\r\n\(host)\(fields)Connection: close\r\n\r\n") == [200])
        #expect(try status("GET / HTTP/1.1\r\n\(host)\(fields)Connection: close\r\nZ: z\r\n\r\n") == [431])
    }

    @Test("a body of 64 KiB is read, a larger one is answered 413 before it is sent")
    func bodyLength() throws {
        let largest = String(repeating: "a", count: 65536)
        #expect(try status("POST / HTTP/1.1\r\n\(host)Connection: close\r\nContent-Length: 65536\r\n\r\n\(largest)") == [200])
        #expect(try status("POST / HTTP/1.1\r\n\(host)Content-Length: 65537\r\n\r\n") == [413])
        #expect(try status("POST / HTTP/1.1\r\n\(host)Content-Length: 99999999999999999999999999\r\n\r\n") == [413])
        #expect(try status("POST / HTTP/1.1\r\n\(host)Expect: 100-continue\r\nContent-Length: 65537\r\n\r\n") == [413])
    }

    @Test("a chunked body of 64 KiB is read, a larger one is answered 413, and so is one with endless extensions")
    func chunkedLength() throws {
        let start = "POST / HTTP/1.1\r\n\(host)Transfer-Encoding: chunked\r\n\r\n"
        let chunk = "4000\r\n" + String(repeating: "a", count: 0x4000) + "\r\n"
        #expect(try status(start + chunk + chunk + chunk + chunk + "0\r\n\r\n") == [200])
        #expect(try status(start + chunk + chunk + chunk + chunk + "1\r\na\r\n") == [413])
        #expect(try status(start + "1;" + String(repeating: "x", count: 500_000)) == [413])
    }

    @Test("a client that sends far too much can still read why it was refused")
    func lingering() throws {
        let server = try TestListener()
        let client = try server.client()
        try client.send("POST / HTTP/1.1\r\n\(host)Content-Length: 8000000\r\n\r\n")
        let part = [UInt8](repeating: 0x61, count: 1_000_000)
        for _ in 0..<8 where !client.trySend(part) { break }
        client.endSending()
        #expect(try client.responses().map(\.status) == [413])
    }

    @Test("headers that do not end in time are answered 408, a silent connection is closed without a word")
    func headerTime() throws {
        // It runs from the connection, and the first bytes have to come in it.
        #expect(try status("GET / HTTP/1.1\r\nHost:") { $0.headerTime = .seconds(1) } == [408])
        #expect(try status("") { $0.headerTime = .milliseconds(100) } == [])
    }

    @Test("headers that drip are answered 408 however steadily they come")
    func drip() throws {
        let server = try TestListener { $0.headerTime = .milliseconds(500) }
        let client = try server.client()
        try client.send("GET / HTTP/1.1\r\n")
        var lines = 0
        // Ends when the listener does: each line waits for nothing, and the kernel takes no more once it has closed.
        while client.trySend(Array("X: y\r\n".utf8)), lines < 90, server.responder.requests.isEmpty {
            lines += 1
            usleepOnce()
        }
        #expect(try client.responses().map(\.status) == [408])
    }

    @Test("a body that does not end in time is answered 408")
    func bodyTime() throws {
        let short: (inout HTTPLimits) -> Void = { $0.bodyTime = .milliseconds(100) }
        #expect(try status("POST / HTTP/1.1\r\n\(host)Content-Length: 5\r\n\r\nabc", configure: short) == [408])
        #expect(try status("POST / HTTP/1.1\r\n\(host)Transfer-Encoding: chunked\r\n\r\n3\r\nab", configure: short) == [408])
    }

    @Test("an idle connection is closed after a response; one that then starts a request without finishing it gets 408")
    func idleTime() throws {
        let request = "GET / HTTP/1.1\r\n\(host)\r\n"
        #expect(try status(request) { $0.idleTime = .milliseconds(100) } == [200])
        #expect(
            try status(request + "GET / HT") {
                $0.idleTime = .milliseconds(100)
                $0.headerTime = .seconds(1)
            } == [200, 408])
    }

    @Test("a client that does not read its answer is closed")
    func unreadAnswer() throws {
        let server = try TestListener { $0.answerTime = .milliseconds(100) }
        let client = try server.client()
        // Answers as large as requests, until the kernel's buffers are full both ways; then the listener waits to write.
        let body = String(repeating: "a", count: 60_000)
        let request = Array("POST / HTTP/1.1\r\n\(host)Content-Length: 60000\r\n\r\n\(body)".utf8)
        while client.trySend(request) {}
        #expect(try eventually { try server.openConnections() == 0 })
    }
}

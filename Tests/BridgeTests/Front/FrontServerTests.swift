import BridgeCore
import Glibc
import LoopbackHTTP
import NIOCore
import Testing

@testable import Bridge

@Suite("The front passes requests and answers as they arrive")
struct FrontServerTests {
    private let host = "Host: localhost\r\n"

    @Test("a connection serves one request after the other, with bodies of every framing")
    func keeps() throws {
        let front = try TestFront(policy: OpenPolicy(collectsBody: 1000))
        let client = try front.client()
        try client.send("POST /a HTTP/1.1\r\n\(host)Content-Length: 5\r\n\r\nhello")
        #expect(try client.answer()?.text == "hello")
        try client.send("POST /b HTTP/1.1\r\n\(host)Transfer-Encoding: chunked\r\n\r\n3;x=y\r\nhel\r\n2\r\nlo\r\n0\r\nX: y\r\n\r\n")
        #expect(try client.answer()?.text == "hello")
        try client.send("GET /c?d=e HTTP/1.1\r\n\(host)\r\n")
        let answer = try #require(try client.answer())
        #expect(answer.header("X-Request") == "GET https://server.example/c?d=e")
        #expect(answer.header("Connection") == nil)
        try client.send("GET /last HTTP/1.1\r\n\(host)Connection: close\r\n\r\n")
        #expect(try client.answer()?.header("Connection") == "close")
        #expect(try client.hasEnded())
    }

    @Test("requests that arrive together are answered one after the other")
    func pipelined() throws {
        let front = try TestFront(policy: OpenPolicy(collectsBody: 1000))
        let client = try front.client()
        let one = "POST /a HTTP/1.1\r\n\(host)Transfer-Encoding: chunked\r\n\r\n1\r\nx\r\n0\r\n\r\n"
        try client.send(one + one + "GET /c HTTP/1.1\r\n\(host)Connection: close\r\n\r\n")
        #expect(try client.answers().map(\.text) == ["x", "x", "nothing"])
    }

    @Test("a request that arrives byte by byte is the same one", arguments: [1, 2, 3, 7])
    func split(by size: Int) throws {
        let front = try TestFront()
        let client = try front.client()
        let request = Array("POST /a HTTP/1.1\r\n\(host)Transfer-Encoding: chunked\r\n\r\nA\r\n0123456789\r\n2\r\nab\r\n0\r\n\r\n".utf8)
        for start in stride(from: 0, to: request.count, by: size) {
            try client.send(Array(request[start..<min(start + size, request.count)]))
            usleep(200)
        }
        #expect(try client.answer()?.text == "0123456789ab")
    }

    @Test("HTTP/1.0 gets a body without chunks, and the end of the connection")
    func old() throws {
        let front = try TestFront()
        let client = try front.client()
        try client.send("GET /a HTTP/1.0\r\nConnection: keep-alive\r\n\r\n")
        let answer = try #require(try client.answer())
        #expect(answer.text == "nothing")
        #expect(answer.header("Transfer-Encoding") == nil)
        #expect(answer.header("Connection") == "close")
    }

    @Test("an answer with a length keeps it, and one without a body has none")
    func lengths() throws {
        let front = try TestFront { exchange in
            switch exchange.request.url.split(separator: "/").last {
            case "length": exchange.answer(200, [("Content-Length", "3"), ("Connection", "X-Own"), ("X-Own", "1"), ("X-Kept", "2")], "abc")
            case "head": exchange.answer(200, [("Content-Length", "3")])
            case "short": exchange.answer(200, [("Content-Length", "3")], "ab")
            case "long": exchange.answer(200, [("Content-Length", "3")], "abcd")
            default: exchange.answer(204)
            }
        }
        let client = try front.client()
        try client.send("GET /length HTTP/1.1\r\n\(host)\r\n")
        let answer = try #require(try client.answer())
        #expect(answer.text == "abc")
        #expect(answer.header("Content-Length") == "3")
        #expect(answer.header("X-Own") == nil)
        #expect(answer.header("X-Kept") == "2")
        try client.send("HEAD /head HTTP/1.1\r\n\(host)\r\n")
        #expect(try client.answer(isHead: true)?.header("Content-Length") == "3")
        try client.send("DELETE /none HTTP/1.1\r\n\(host)\r\n")
        #expect(try client.answer()?.status == 204)
        try client.send("GET /short HTTP/1.1\r\n\(host)\r\n")
        #expect(try client.answer()?.isCut == true)
        let other = try front.client()
        try other.send("GET /long HTTP/1.1\r\n\(host)\r\n")
        // Cut before the part that is too long.
        #expect(try other.answer()?.isCut != false)
    }

    @Test("a client that waits for 100 Continue gets it once its request is admitted, and not if it is refused")
    func continues() throws {
        let front = try TestFront()
        let client = try front.client()
        try client.send("POST /a HTTP/1.1\r\n\(host)Content-Length: 5\r\nExpect: 100-continue\r\n\r\n")
        #expect(try client.head()?.status == 100)
        try client.send("hello")
        #expect(try client.answer()?.text == "hello")
        try client.send("POST /refused HTTP/1.1\r\n\(host)Content-Length: 5\r\nExpect: 100-continue\r\n\r\n")
        let answer = try #require(try client.answer())
        #expect(answer.status == 404)
        #expect(answer.header("Connection") == "close")
    }

    // MARK: Pace

    @Test("an answer that the client does not read is not read from the server")
    func slowReader() throws {
        let front = try TestFront { exchange in
            exchange.handler.answered(BridgeAnswer(status: 200))
            Self.pour(into: exchange, left: 400)
        }
        let client = try front.client()
        try client.send("GET /a HTTP/1.1\r\n\(host)\r\n")
        #expect(try front.first { $0.isPaused })
        // Now it reads, and all of it comes.
        let answer = try #require(try client.answer())
        #expect(answer.body.count == 400 * 65_536)
        #expect(!answer.isCut)
        #expect(try front.onLoop { $1.first?.pauses ?? 0 } > 0)
    }

    /// Gives parts until it is paused, and looks again later.
    private static func pour(into exchange: ScriptedExchange, left: Int) {
        var left = left
        while left > 0, !exchange.isPaused {
            exchange.handler.received(ByteBuffer(repeating: 0x61, count: 65_536))
            left -= 1
        }
        if left == 0 { return exchange.handler.ended() }
        let rest = left
        FrontLoop.one.assumeIsolated().scheduleTask(in: .milliseconds(1)) { pour(into: exchange, left: rest) }
    }

    @Test("a body that the server does not take is not read from the client")
    func slowServer() throws {
        let front = try TestFront { exchange in
            exchange.holdsWrites = true
            exchange.onBodyEnd = { exchange.answer(200, [], "taken") }
        }
        let client = try front.client()
        let size = 64 << 20
        try client.send("POST /a HTTP/1.1\r\n\(host)Content-Length: \(size)\r\n\r\n")
        let part = [UInt8](repeating: 0x61, count: 65_536)
        var sent = 0
        // Until nothing more fits, for longer than the front needs to take it.
        var silence = 0
        while silence < 200 {
            let count = client.sendAvailable(part)
            sent += count
            silence = count == 0 ? silence + 1 : 0
            if count == 0 { usleep(1000) }
            #expect(sent < size)
            if sent >= size { return }
        }
        #expect(try front.onLoop { $1.first?.received ?? .max } <= 1 << 20)
        _ = try front.onLoop { $1.first?.holdsWrites = false }
        while sent < size {
            let next = Array(part.prefix(size - sent))
            try client.send(next)
            sent += next.count
        }
        #expect(try client.answer()?.text == "taken")
        #expect(try front.onLoop { $1.first?.received } == size)
    }

    // MARK: Ends

    @Test("the exchange of a disconnected client is cancelled", arguments: ["waiting", "streaming", "sending", "held"])
    func gone(while moment: String) throws {
        let front = try TestFront { exchange in
            if moment == "streaming" {
                exchange.handler.answered(BridgeAnswer(status: 200))
                exchange.handler.received(ByteBuffer(string: "part"))
            }
            if moment == "held" { exchange.holdsWrites = true }
        }
        for isUnix in [true, false] {
            let client = try isUnix ? front.client() : FrontClient(port: front.port)
            switch moment {
            case "sending": try client.send("POST /a HTTP/1.1\r\n\(host)Content-Length: 50\r\n\r\nhello")
            case "held": try client.send("POST /a HTTP/1.1\r\n\(host)Content-Length: 50\r\n\r\nhello")
            default: try client.send("GET /a HTTP/1.1\r\n\(host)\r\n")
            }
            let number = isUnix ? 1 : 2
            #expect(try frontEventually { try front.onLoop { $1.count } == number })
            if moment == "streaming" {
                _ = try client.head()
                #expect(try client.chunk() == Array("part".utf8))
            }
            if moment == "held" { #expect(try frontEventually { try front.onLoop { $1.last?.received ?? 0 } > 0 }) }
            client.close()
            #expect(try frontEventually { try front.onLoop { $1.last?.isCancelled ?? false } })
            #expect(try frontEventually { try front.onLoop { server, _ in server.isUsed } == false })
        }
    }

    @Test("a truncated response does not look complete", arguments: ["HTTP/1.1", "HTTP/1.0"])
    func broken(version: String) throws {
        let front = try TestFront { exchange in
            exchange.handler.answered(BridgeAnswer(status: 200))
            exchange.handler.received(ByteBuffer(string: "part"))
            FrontLoop.one.assumeIsolated().execute {
                exchange.handler.failed(BridgeFailure(.interrupted, "the connection ended", mayHaveReachedServer: true))
            }
        }
        let client = try FrontClient(port: front.port)
        try client.send("GET /a \(version)\r\n\(host)\r\n")
        if version == "HTTP/1.1" {
            #expect(try client.answer()?.isCut == true)
        } else {
            // Nothing but a reset could say so; what was received may be lost with it.
            _ = try client.answer()
            #expect(errno == ECONNRESET)
        }
    }

    @Test("a failure before the response is reported by the policy, and the connection is kept")
    func failure() throws {
        let front = try TestFront(policy: OpenPolicy(collectsBody: 100)) { $0.handler.failed(BridgeFailure(.unreachable, "nobody there")) }
        let client = try front.client()
        for _ in 0..<2 {
            try client.send("POST /a HTTP/1.1\r\n\(host)Content-Length: 2\r\n\r\nhi")
            let answer = try #require(try client.answer())
            #expect(answer.status == 502)
            #expect(answer.text == "nobody there\n")
        }
    }

    // MARK: Bounds

    @Test("a collected body has a limit, told before or while it is read", arguments: [true, false])
    func tooLarge(hasLength: Bool) throws {
        let front = try TestFront(policy: OpenPolicy(collectsBody: 1000))
        let client = try front.client()
        let framing = hasLength ? "Content-Length: 1001" : "Transfer-Encoding: chunked"
        try client.send("POST /a HTTP/1.1\r\n\(host)\(framing)\r\n\r\n")
        if !hasLength { try client.send("3E9\r\n" + String(repeating: "x", count: 1001) + "\r\n0\r\n\r\n") }
        #expect(try client.answer()?.status == 413)
        #expect(try front.onLoop { $1.count } == 0)
    }

    @Test("bodies share a limit in memory, and give it back")
    func shared() throws {
        let front = try TestFront(policy: OpenPolicy(collectsBody: 1000), limits: .with { $0.collectedBytes = 1500 })
        let first = try front.client()
        try first.send("POST /a HTTP/1.1\r\n\(host)Content-Length: 1000\r\n\r\n" + String(repeating: "x", count: 999))
        #expect(try frontEventually { try front.onLoop { server, _ in server.requests } == 1 })
        usleep(20_000)
        let second = try front.client()
        try second.send("POST /a HTTP/1.1\r\n\(host)Content-Length: 1000\r\n\r\n" + String(repeating: "x", count: 1000))
        let refused = try #require(try second.answer())
        #expect(refused.status == 503)
        #expect(refused.header("Retry-After") == "1")
        try first.send("x")
        #expect(try first.answer()?.body.count == 1000)
        let third = try front.client()
        try third.send("POST /a HTTP/1.1\r\n\(host)Content-Length: 1000\r\n\r\n" + String(repeating: "x", count: 1000))
        #expect(try third.answer()?.status == 200)
    }

    @Test("a body that stops arriving is given up")
    func silence() throws {
        let front = try TestFront(limits: .with { $0.http.bodyTime = .milliseconds(20) }) { _ in }
        let client = try front.client()
        try client.send("POST /a HTTP/1.1\r\n\(host)Content-Length: 50\r\n\r\nhello")
        #expect(try client.answer()?.status == 408)
        #expect(try front.first { $0.isCancelled })
    }

    @Test("a head that stops arriving is given up, and an idle connection is closed")
    func idle() throws {
        let front = try TestFront(
            limits: .with {
                $0.http.headerTime = .milliseconds(20)
                $0.http.idleTime = .milliseconds(20)
            })
        let client = try front.client()
        try client.send("GET /a HT")
        #expect(try client.answer()?.status == 408)
        let other = try front.client()
        #expect(try other.hasEnded())
    }

    @Test("sixty-four requests are under way at once")
    func many() throws {
        let front = try TestFront { _ in }
        let clients = try (0..<64).map { _ in try front.client() }
        for client in clients { try client.send("GET /a HTTP/1.1\r\n\(host)\r\n") }
        #expect(try frontEventually { try front.onLoop { $1.count } == 64 })
        try front.onLoop { for exchange in $1 { exchange.answer(200, [], "done") } }
        for client in clients { #expect(try client.answer()?.text == "done") }
    }

    // MARK: Hostile requests

    struct Hostile: Sendable, CustomTestStringConvertible {
        var why: String
        var statuses: [Int]
        var bytes: String
        /// How many requests the server sees.
        var reaches = 0
        var testDescription: String { why }
    }

    private static let hostile: [Hostile] = {
        let get = "GET /a HTTP/1.1\r\nHost: x\r\n"
        let post = "POST /a HTTP/1.1\r\nHost: x\r\n"
        let chunked = post + "Transfer-Encoding: chunked\r\n\r\n"
        let end = "Connection: close\r\n\r\n"
        return [
            Hostile(why: "length and chunks", statuses: [400], bytes: post + "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"),
            Hostile(why: "chunks and length", statuses: [400], bytes: post + "Transfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n0\r\n\r\n"),
            Hostile(why: "two lengths", statuses: [400], bytes: post + "Content-Length: 5\r\nContent-Length: 6\r\n\r\nhello!"),
            Hostile(why: "one length twice", statuses: [400], bytes: post + "Content-Length: 5\r\nContent-Length: 5\r\n\r\nhello"),
            Hostile(why: "a list of lengths", statuses: [400], bytes: post + "Content-Length: 5, 5\r\n\r\nhello"),
            Hostile(why: "a signed length", statuses: [400], bytes: post + "Content-Length: +5\r\n\r\nhello"),
            Hostile(why: "a length beyond counting", statuses: [413], bytes: post + "Content-Length: 99999999999999999999\r\n\r\nhello"),
            Hostile(why: "a folded header", statuses: [400], bytes: get + "X: a\r\n b\r\n\r\n"),
            Hostile(why: "a blank before the colon", statuses: [400], bytes: get + "X : a\r\n\r\n"),
            Hostile(why: "a bare line feed", statuses: [400], bytes: "GET /a HTTP/1.1\nHost: x\n\n"),
            Hostile(why: "a bare carriage return", statuses: [400], bytes: get + "X: a\rb\r\n\r\n"),
            Hostile(why: "a NUL", statuses: [400], bytes: get + "X: a\0b\r\n\r\n"),
            Hostile(why: "another coding", statuses: [400], bytes: post + "Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n"),
            Hostile(why: "chunks twice", statuses: [400], bytes: post + "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"),
            Hostile(why: "chunks in HTTP/1.0", statuses: [400], bytes: "POST /a HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"),
            Hostile(why: "no host", statuses: [400], bytes: "GET /a HTTP/1.1\r\n\r\n"),
            Hostile(why: "two hosts", statuses: [400], bytes: get + "Host: y\r\n\r\n"),
            Hostile(why: "another host in the target", statuses: [400], bytes: "GET http://y/a HTTP/1.1\r\nHost: x\r\n\r\n"),
            Hostile(why: "a tunnel", statuses: [400], bytes: "CONNECT server.example:443 HTTP/1.1\r\nHost: server.example:443\r\n\r\n"),
            Hostile(why: "HTTP/2's preface", statuses: [400], bytes: "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"),
            Hostile(why: "TLS", statuses: [400], bytes: "\u{16}\u{03}\u{01}\u{02}\u{00}\u{01}"),
            Hostile(why: "another expectation", statuses: [417], bytes: get + "Expect: tea\r\n\r\n"),
            Hostile(why: "another protocol", statuses: [501], bytes: get + "Connection: Upgrade\r\nUpgrade: websocket\r\n\r\n"),
            Hostile(why: "an offer of HTTP/2 is not taken", statuses: [200], bytes: get + "Upgrade: h2c\r\n" + end, reaches: 1),
            Hostile(why: "a long line", statuses: [414], bytes: "GET /\(String(repeating: "a", count: 16_400)) HTTP/1.1\r\n"),
            Hostile(
                why: "a line of the proxy's length", statuses: [200],
                bytes: "GET /\(String(repeating: "a", count: 16_000)) HTTP/1.1\r\nHost: x\r\n" + end, reaches: 1),
            Hostile(why: "a large head", statuses: [431], bytes: get + "X: \(String(repeating: "a", count: 66_000))\r\n\r\n"),
            Hostile(
                why: "a head of the proxy's size", statuses: [200], bytes: get + "X: \(String(repeating: "a", count: 60_000))\r\n" + end,
                reaches: 1),
            Hostile(why: "a chunk's size in no number", statuses: [400], bytes: chunked + "xyz\r\n"),
            Hostile(why: "a chunk's size with a sign", statuses: [400], bytes: chunked + "+5\r\nhello\r\n0\r\n\r\n"),
            Hostile(why: "a negative chunk", statuses: [400], bytes: chunked + "-5\r\nhello\r\n0\r\n\r\n"),
            Hostile(why: "a chunk's size with a prefix", statuses: [400], bytes: chunked + "0x5\r\nhello\r\n0\r\n\r\n"),
            Hostile(why: "a chunk's size with an underscore", statuses: [400], bytes: chunked + "1_0\r\n"),
            Hostile(why: "a blank before a chunk's size", statuses: [400], bytes: chunked + " 5\r\nhello\r\n0\r\n\r\n"),
            Hostile(why: "a blank after a chunk's size", statuses: [400], bytes: chunked + "5 \r\nhello\r\n0\r\n\r\n"),
            Hostile(why: "a chunk without a size", statuses: [400], bytes: chunked + "\r\nhello\r\n0\r\n\r\n"),
            Hostile(why: "a chunk's size that overflows", statuses: [400], bytes: chunked + "FFFFFFFFFFFFFFFF\r\n"),
            Hostile(why: "a chunk's size that is large", statuses: [413], bytes: chunked + "FFFFFFFFFFFFFFF\r\n"),
            Hostile(why: "a chunk longer than its size", statuses: [400], bytes: chunked + "2\r\nhello\r\n0\r\n\r\n"),
            Hostile(why: "a chunk's line with a bare line feed", statuses: [400], bytes: chunked + "5\nhello\r\n0\r\n\r\n"),
            Hostile(why: "a bare line feed in an extension", statuses: [400], bytes: chunked + "5;a=\"\nb\"\r\nhello\r\n0\r\n\r\n"),
            Hostile(why: "an endless extension", statuses: [400], bytes: chunked + "5;\(String(repeating: "a", count: 2000))\r\nhello\r\n0\r\n\r\n"),
            Hostile(why: "a chunk's end with a bare line feed", statuses: [400], bytes: chunked + "5\r\nhello\n0\r\n\r\n"),
            Hostile(why: "a folded trailer", statuses: [400], bytes: chunked + "0\r\nX: a\r\n b\r\n\r\n"),
            Hostile(why: "a trailer without a colon", statuses: [400], bytes: chunked + "0\r\nGET /b HTTP/1.1\r\n\r\n"),
            Hostile(why: "a trailer that frames twice", statuses: [400], bytes: chunked + "0\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n"),
            Hostile(why: "an endless trailer", statuses: [400], bytes: chunked + "0\r\nX: \(String(repeating: "a", count: 66_000))"),
            Hostile(
                why: "what follows the length is the next request", statuses: [200, 400],
                bytes: post + "Content-Length: 2\r\n\r\nhiGARBAGE\r\n\r\n", reaches: 1),
            Hostile(
                why: "what follows the chunks is the next request", statuses: [200, 400], bytes: chunked + "2\r\nhi\r\n0\r\n\r\nGARBAGE\r\n\r\n",
                reaches: 1),
        ]
    }()

    @Test("a request that servers read in different ways is refused, and nothing of it reaches one", arguments: hostile)
    func refuses(_ hostile: Hostile) throws {
        let front = try TestFront(policy: OpenPolicy(collectsBody: 1 << 20))
        let client = try front.client()
        // It may be refused before all of it was sent.
        try? client.send(hostile.bytes)
        #expect(try client.answers().map(\.status) == hostile.statuses)
        #expect(try front.onLoop { $1.count } == hostile.reaches)
    }

    @Test("a body that breaks the rules while it is passed on cancels the exchange")
    func brokenChunks() throws {
        let front = try TestFront { _ in }
        let client = try front.client()
        try client.send("POST /a HTTP/1.1\r\n\(host)Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\nxyz\r\n")
        #expect(try client.answers().map(\.status) == [400])
        #expect(try front.first { $0.isCancelled && !$0.bodyHasEnded && $0.received == 5 })
    }

    // MARK: Sockets

    @Test("the socket is for this user alone, and one that was left behind is replaced")
    func file() throws {
        let front = try TestFront()
        var facts = stat()
        #expect(lstat(front.path, &facts) == 0)
        #expect(facts.st_mode & 0o777 == 0o600)
        let left = "\(front.directory)/left.sock"
        let sockets = try LoopbackSocket.bind([.unix(path: left)])
        defer { unlink(left) }
        #expect(throws: HTTPListenerError.pathInUse(left)) { try LoopbackSocket.bind([.unix(path: left)]) }
        for socket in sockets { socket.close() }
        for socket in try LoopbackSocket.bind([.unix(path: left)]) { socket.close() }
    }

    @Test("a socket is not made where others could replace it, nor over a file")
    func place() throws {
        let front = try TestFront()
        let file = "\(front.directory)/file"
        close(open(file, O_CREAT | O_WRONLY, 0o600))
        defer { unlink(file) }
        #expect(throws: HTTPListenerError.pathInUse(file)) { try LoopbackSocket.bind([.unix(path: file)]) }
        #expect(throws: HTTPListenerError.openDirectory("/tmp")) { try LoopbackSocket.bind([.unix(path: "/tmp/postern-front.sock")]) }
        #expect(throws: HTTPListenerError.unusablePath("front.sock")) { try LoopbackSocket.bind([.unix(path: "front.sock")]) }
        let long = "/tmp/" + String(repeating: "a", count: 110)
        #expect(throws: HTTPListenerError.unusablePath(long)) { try LoopbackSocket.bind([.unix(path: long)]) }
        #expect(throws: HTTPListenerError.notAUnixSocket(0)) { try LoopbackSocket.bind([.unixDescriptor(0)]) }
    }
}

extension FrontServer.Limits {
    fileprivate static func with(_ change: (inout Self) -> Void) -> Self {
        var limits = Self()
        change(&limits)
        return limits
    }
}

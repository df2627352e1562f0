import BridgeCore
import Glibc
import LoopbackHTTP
import NIOCore
import Testing

@testable import Bridge

/// `work` is a server; of `broken` the daemon does not tell; there is no other.
private final class ScriptedNames: MCPServerNames {
    func find(_ name: String, then done: @escaping (Result<String?, BridgeFailure>) -> Void) {
        switch name {
        case "work": done(.success("https://mcp.example/work"))
        case "broken": done(.failure(BridgeFailure(.daemon, "the daemon does not answer; run: postern doctor")))
        default: done(.success(nil))
        }
    }
}

@Suite("The MCP socket")
struct MCPSocketTests {
    private static func front(_ behaviour: @escaping @Sendable (ScriptedExchange) -> Void = { $0.echo() }) throws -> TestFront {
        try TestFront(policy: MCPSocketPolicy(names: ScriptedNames(), eventLoop: FrontLoop.one), behaviour)
    }

    private static func post(_ path: String, _ body: String, _ headers: String = "") -> String {
        "POST \(path) HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n\(headers)Content-Length: \(body.utf8.count)\r\n\r\n\(body)"
    }

    private static let call = #"{"jsonrpc":"2.0","id":"7\u0041","method":"tools/call","params":{"name":"x"}}"#

    @Test("only the fields of MCP pass, in both directions")
    func fields() throws {
        let front = try Self.front { exchange in
            exchange.answer(
                200,
                [
                    ("Content-Type", "application/json"), ("Mcp-Session-Id", "s2"), ("Retry-After", "3"), ("Cache-Control", "no-store"),
                    ("Set-Cookie", "a=b"), ("WWW-Authenticate", "Bearer"), ("Link", "</>"), ("Server", "x"), ("Mcp-Param-A", "1"),
                    ("Access-Control-Allow-Origin", "*"),
                ], "{}")
        }
        let client = try front.client()
        try client.send(
            Self.post(
                "/work", Self.call,
                "Accept: application/json, text/event-stream\r\nMCP-Protocol-Version: 2025-06-18\r\nmcp-session-id: s1\r\nMcp-Method: tools/call\r\nMcp-Name: x\r\nMcp-Param-Region: eu\r\nLast-Event-ID: 9\r\nAuthorization: Bearer stolen\r\nCookie: a=b\r\nUser-Agent: x\r\nAccept-Encoding: gzip\r\nX-Forwarded-For: 1\r\nDPoP: x\r\nMcp-Param-: empty\r\n"
            ))
        let answer = try #require(try client.answer())
        #expect(answer.text == "{}")
        #expect(
            Set(answer.headers.map { $0.name.lowercased() }) == [
                "content-type", "mcp-session-id", "retry-after", "cache-control", "mcp-param-a", "transfer-encoding",
            ])
        let (names, url, account, method) = try front.onLoop { _, exchanges in
            let request = exchanges.first?.request
            return (Set(request?.headers.map { $0.name.lowercased() } ?? []), request?.url, exchanges.first?.account, request?.method)
        }
        #expect(
            names == [
                "content-type", "accept", "mcp-protocol-version", "mcp-session-id", "mcp-method", "mcp-name", "mcp-param-region", "last-event-id",
            ])
        #expect(url == "https://mcp.example/work")
        #expect(account == "work")
        #expect(method == "POST")
    }

    @Test(
        "a request to no configured server is refused and not forwarded",
        arguments: [
            ("GET /", 404), ("GET /other", 404), ("GET /work/", 404), ("GET /work/x", 404), ("GET /work?x", 404), ("GET //work", 404),
            ("GET /%77ork", 404), ("GET /work/.well-known/oauth-protected-resource", 404), ("GET /.well-known/oauth-authorization-server", 404),
            ("GET /.well-known/oauth-protected-resource/work", 404), ("GET /.well-known/openid-configuration", 404), ("POST /register", 404),
            ("POST /token", 404), ("GET /..", 404), ("PUT /work", 405), ("HEAD /work", 405), ("OPTIONS /work", 405), ("PATCH /work", 405),
            ("TRACE /work", 405), ("get /work", 405),
        ])
    func refused(line: String, status: Int) throws {
        let front = try Self.front()
        let client = try front.client()
        try client.send("\(line) HTTP/1.1\r\nHost: localhost\r\n\r\n")
        let answer = try #require(try client.answer(isHead: line.hasPrefix("HEAD")))
        #expect(answer.status == status)
        if !line.hasPrefix("HEAD") { #expect(!answer.text.isEmpty) }
        #expect(answer.header("Content-Type")?.hasPrefix("text/plain") == true)
        #expect(answer.header("WWW-Authenticate") == nil)
        #expect(try front.onLoop { $1.count } == 0)
    }

    @Test("a session is the client's own, to its end", arguments: ["GET", "DELETE"])
    func session(method: String) throws {
        let front = try Self.front { exchange in
            let session = exchange.request.headers.first { $0.name.lowercased() == "mcp-session-id" }
            exchange.answer(404, [("Content-Type", "text/plain")], session?.value ?? "none")
        }
        let client = try front.client()
        try client.send("\(method) /work HTTP/1.1\r\nHost: localhost\r\nMcp-Session-Id: s1\r\n\r\n")
        let answer = try #require(try client.answer())
        #expect(answer.status == 404 && answer.text == "s1")
        #expect(try front.onLoop { $1.first?.request.method } == method)
    }

    @Test("a browser is refused, whatever its page is", arguments: ["http://localhost", "null", ""])
    func browser(origin: String) throws {
        let front = try Self.front()
        let client = try front.client()
        try client.send(Self.post("/work", Self.call, "Origin: \(origin)\r\n"))
        #expect(try client.answer()?.status == 400)
        #expect(try front.onLoop { $1.count } == 0)
    }

    @Test("a stream of the server is passed on as it comes")
    func stream() throws {
        let front = try Self.front { exchange in
            exchange.handler.answered(BridgeAnswer(status: 200, headers: [("Content-Type", "text/event-stream")]))
            exchange.handler.received(ByteBuffer(string: "data: 1\n\n"))
        }
        let client = try front.client()
        try client.send("GET /work HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\n\r\n")
        #expect(try client.head()?.status == 200)
        #expect(try client.chunk() == Array("data: 1\n\n".utf8))
        try front.onLoop { $1.first?.handler.received(ByteBuffer(string: "data: 2\n\n")) }
        #expect(try client.chunk() == Array("data: 2\n\n".utf8))
        try front.onLoop { $1.first?.handler.ended() }
        #expect(try client.chunk() == [])
    }

    @Test(
        "where a person is needed, each request gets an error of JSON-RPC, and a notification nothing",
        arguments: [
            (call, 200, #"{"jsonrpc":"2.0","id":"7\u0041","error":{"code":-33401,"message":"run: postern sign-in work"}}"#),
            (
                #"[{"jsonrpc":"2.0","id":1,"method":"a"},{"jsonrpc":"2.0","method":"b"},{"jsonrpc":"2.0","id":2,"method":"c"}]"#, 200,
                #"[{"jsonrpc":"2.0","id":1,"error":{"code":-33401,"message":"run: postern sign-in work"}},{"jsonrpc":"2.0","id":2,"error":{"code":-33401,"message":"run: postern sign-in work"}}]"#
            ),
            (#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#, 202, ""),
            (#"{"jsonrpc":"2.0","id":3,"result":{}}"#, 202, ""),
        ])
    func person(body: String, status: Int, expected: String) throws {
        let front = try Self.front { $0.handler.failed(BridgeFailure(.personNeeded, "run: postern sign-in work")) }
        let client = try front.client()
        for _ in 0..<2 {
            try client.send(Self.post("/work", body))
            let answer = try #require(try client.answer())
            #expect(answer.status == status)
            #expect(answer.text == expected)
            #expect(answer.header("Content-Type") == (expected.isEmpty ? nil : "application/json"))
        }
    }

    @Test("an invalid message gets JSON-RPC's error without reaching the server")
    func noMessage() throws {
        let front = try Self.front { $0.handler.failed(BridgeFailure(.personNeeded, "run: postern sign-in work")) }
        let client = try front.client()
        try client.send(Self.post("/work", "no JSON"))
        let answer = try #require(try client.answer())
        #expect(answer.status == 400)
        #expect(answer.text.contains("-32700"))
    }

    @Test("an answer that would start a client's own sign-in, or lead it elsewhere, never reaches it", arguments: [401, 403, 407, 302, 307, 308])
    func replaced(status: Int) throws {
        let front = try Self.front { exchange in
            exchange.answer(status, [("WWW-Authenticate", "Bearer resource_metadata=\"https://x\""), ("Location", "https://x")], "body")
        }
        let client = try front.client()
        try client.send(Self.post("/work", Self.call))
        let answer = try #require(try client.answer())
        #expect(answer.status == 200)
        #expect(answer.text.contains(#""id":"7\u0041""#))
        #expect(answer.text.contains("\(status)"))
        #expect(answer.header("WWW-Authenticate") == nil)
        #expect(answer.header("Location") == nil)
        try client.send("GET /work HTTP/1.1\r\nHost: localhost\r\n\r\n")
        #expect(try client.answer()?.status == 502)
        #expect(try front.onLoop { $1.first?.isCancelled } == true)
    }

    @Test("other statuses pass with their bodies", arguments: [200, 202, 400, 404, 405, 409, 429, 500, 503])
    func passed(status: Int) throws {
        let front = try Self.front { $0.answer(status, [("Content-Type", "application/json")], "{}") }
        let client = try front.client()
        try client.send(Self.post("/work", Self.call))
        let answer = try #require(try client.answer())
        #expect(answer.status == status)
        #expect(answer.text == "{}")
    }

    @Test("an unreachable daemon is reported in the request's error")
    func daemon() throws {
        let front = try Self.front()
        let client = try front.client()
        try client.send(Self.post("/broken", Self.call))
        let answer = try #require(try client.answer())
        #expect(answer.status == 200)
        #expect(answer.text.contains("-33500"))
        #expect(answer.text.contains("postern doctor"))
        try client.send("GET /broken HTTP/1.1\r\nHost: localhost\r\n\r\n")
        #expect(try client.answer()?.status == 503)
        #expect(try front.onLoop { $1.count } == 0)
    }

    @Test("a message has at most 16 MiB")
    func large() throws {
        let front = try Self.front { exchange in
            if case .bytes(let bytes) = exchange.request.body { exchange.answer(200, [], "\(bytes.count)") }
        }
        let client = try front.client()
        try client.send("POST /work HTTP/1.1\r\nHost: localhost\r\nContent-Length: \(16 << 20)\r\n\r\n")
        try client.send([UInt8](repeating: 0x20, count: 16 << 20))
        #expect(try client.answer()?.text == "\(16 << 20)")
        try client.send("POST /work HTTP/1.1\r\nHost: localhost\r\nContent-Length: \(16 << 20 + 1)\r\n\r\n")
        let answer = try #require(try client.answer())
        #expect(answer.status == 413)
        #expect(answer.text.contains("16 MiB"))
    }

    @Test(
        "only a client's first request waits for a person",
        arguments: [
            ("", true), ("Mcp-Session-Id: s\r\n", false), ("MCP-Protocol-Version: 2026-07-28\r\n", false),
            ("MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: server/discover\r\n", true),
        ])
    func patience(headers: String, waits: Bool) throws {
        let front = try Self.front()
        let client = try front.client()
        try client.send(Self.post("/work", Self.call, headers))
        _ = try client.answer()
        #expect(try front.onLoop { $1.first?.waitsForPerson } == (waits ? .seconds(8) : .zero))
    }
}

import BridgeCore
import Secrets
import Testing

@Suite("What the proxy passes on of a request")
struct ProxyRequestTests {
    static let secret = ProxyPathTests.secret
    static let dummy = "postern-proxy-Zm9vYmFyYmF6cXV4"
    static let hosts = ["127.0.0.1:4711", "localhost:4711"]

    private static func rules(methods: [String] = ProxyRules.usualMethods, hosts: [String] = hosts) throws -> ProxyRules {
        ProxyRules(
            routes: [try ProxyRoute(account: "acme", urls: ["https://api.example.com/v1"], secret: Secret(secret))], methods: methods,
            dummy: dummy, hosts: hosts)
    }

    private static func refusal(_ rules: ProxyRules, _ head: ProxyRules.Head) -> ProxyRefusal? {
        do throws(ProxyRefusal) { _ = try rules.admit(head) } catch { return error }
        return nil
    }

    private static func passed(_ fields: [(name: String, value: String)], method: String = "GET", target: String = "/\(secret)/a") throws -> [String] {
        let fields = [("Host", "127.0.0.1:4711")] + fields
        return try rules().admit(.init(method: method, target: target, fields: fields)).request.headers.map { "\($0.name): \($0.value)" }
    }

    @Test(
        "fields that authorize, describe the connection or reveal the proxy are removed",
        arguments: [
            ("Authorization", "Bearer x"), ("AUTHORIZATION", "Basic x"), ("Proxy-Authorization", "Basic x"), ("DPoP", "x.y.z"), ("Cookie", "session=1"), ("Private-Token", "x"),
            ("X-Api-Key", "sk-x"), ("x-api-key", "sk-x"), ("Connection", "keep-alive"), ("Keep-Alive", "timeout=5"), ("Proxy-Connection", "keep-alive"), ("TE", "trailers"),
            ("Trailer", "X-Sum"), ("Transfer-Encoding", "chunked"), ("Upgrade", "h2c"), ("HTTP2-Settings", "AAMAAABk"), ("Content-Length", "5"), ("Expect", "100-continue"),
            ("Forwarded", "for=127.0.0.1"), ("X-Forwarded-For", "127.0.0.1"), ("X-Forwarded-Host", "127.0.0.1:4711"), ("x-forwarded-prefix", "/x"),
            ("X-Anything", dummy), ("X-Goog-Api-Key", "key=\(dummy)"), ("User-Agent", "tool/1 (\(dummy))"), ("X-Path", "/\(secret)/a"),
        ])
    func removed(name: String, value: String) throws {
        #expect(try Self.passed([(name, value), ("Accept", "*/*")]) == ["Accept: */*"])
    }

    @Test(
        "everything else stays as it is, in its order",
        arguments: [
            [("Accept", "a"), ("Accept", "b"), ("Content-Type", "application/json")], [("User-Agent", "git/2.47.0"), ("Git-Protocol", "version=2")],
            [("OpenAI-Organization", "org-1"), ("anthropic-version", "2023-06-01")], [("Range", "bytes=0-"), ("If-None-Match", "\"x\"")], [("Via", "1.1 other")], [("X-Empty", "")],
        ])
    func kept(fields: [(String, String)]) throws {
        #expect(try Self.passed(fields) == fields.map { "\($0.0): \($0.1)" })
    }

    @Test("what Connection names is removed, too")
    func named() throws {
        let fields = [("Connection", "close, X-Hop"), ("x-hop", "1"), ("connection", "\tOther ,, "), ("Other", "2"), ("X-Keep", "3")]
        #expect(try Self.passed(fields) == ["X-Keep: 3"])
    }

    @Test(
        "a field that names the proxy names the server instead, or is removed",
        arguments: [
            ("Origin", "http://127.0.0.1:4711", "https://api.example.com"),
            ("Origin", "https://app.example.org", "https://app.example.org"),
            ("Origin", "null", "null"),
            ("Origin", "http://127.0.0.1:4712", "http://127.0.0.1:4712"),
            ("Referer", "http://127.0.0.1:4711/\(secret)/b?c=d", "https://api.example.com/v1/b?c=d"),
            ("Referer", "http://127.0.0.1:4711/\(secret)", "https://api.example.com/v1"),
            ("Referer", "http://127.0.0.1:4711/", nil),
            ("Referer", "http://127.0.0.1:4711/\(secret)/../b", nil),
            ("Referer", "http://localhost:4711/\(secret)/b", nil),
            ("Referer", "https://docs.example.org/page", "https://docs.example.org/page"),
            ("Destination", "http://127.0.0.1:4711/\(secret)/new", "https://api.example.com/v1/new"),
            ("Destination", "http://127.0.0.1:4711/\(secret)//evil.example/new", nil),
            ("Destination", "https://evil.example/new", nil),
            ("X-HTTP-Method-Override", "DELETE", nil), ("x-original-url", "/other", nil),
            ("X_HTTP_Method_Override", "DELETE", nil), ("X_Original-URL", "/other", nil), ("x_forwarded_host", "a.example", nil), ("X_Api_Key", "1", nil),
            ("X_Other", "1", "1"),
        ] as [(String, String, String?)])
    func naming(name: String, value: String, passed: String?) throws {
        #expect(try Self.passed([(name, value)]) == (passed.map { ["\(name): \($0)"] } ?? []))
    }

    @Test(
        "only the methods that were asked for",
        arguments: [
            ("GET", ["GET", "HEAD"], true), ("HEAD", ["GET", "HEAD"], true), ("POST", ["GET", "HEAD"], false), ("get", ["GET"], false), ("GETX", ["GET"], false),
            ("PROPFIND", ["PROPFIND"], true), ("PROPFIND", ProxyRules.usualMethods, false), ("TRACE", ProxyRules.usualMethods, false), ("DELETE", ProxyRules.usualMethods, true),
        ])
    func methods(method: String, allowed: [String], isPassed: Bool) throws {
        let refusal = Self.refusal(try Self.rules(methods: allowed), .init(method: method, target: "/\(Self.secret)/a"))
        #expect(isPassed ? refusal == nil : refusal?.status == 405 && refusal?.allow == allowed.joined(separator: ", "))
    }

    @Test(
        "a request meant for a forward proxy is refused",
        arguments: [("GET", "other.example", "/"), ("GET", "127.0.0.1:4711", "/\(secret)/a"), ("GET", "api.example.com", "/v1/a"), ("CONNECT", nil, "/\(secret)")] as [(String, String?, String)])
    func forward(method: String, authority: String?, target: String) throws {
        let refusal = #expect(throws: ProxyRefusal.self) {
            try Self.rules(methods: ["GET", "CONNECT"]).admit(.init(method: method, target: target, authority: authority))
        }
        #expect(refusal?.status == 400 && refusal?.message.contains("base URL") == true)
    }

    @Test(
        "another protocol is refused, but an offer of HTTP/2 is passed over",
        arguments: [("websocket", false), ("WebSocket", false), ("h2c", true), ("h2c, websocket", false), ("TLS/1.0", false), ("SPDY/3.1", false), ("", true)])
    func upgrade(protocol name: String, isPassed: Bool) throws {
        let head = ProxyRules.Head(method: "GET", target: "/\(Self.secret)/a", fields: [("Connection", "Upgrade"), ("Upgrade", name)])
        let refusal = Self.refusal(try Self.rules(), head)
        #expect(isPassed ? refusal == nil : refusal?.status == 501 && refusal?.message.contains("WebSocket") == true)
    }

    @Test(
        "a request that a browser sends for another server's page is refused",
        arguments: [("cross-site", 403), ("same-site", 403), ("same-origin", nil), ("none", nil)] as [(String, Int?)])
    func page(site: String, status: Int?) throws {
        let head = ProxyRules.Head(method: "POST", target: "/\(Self.secret)/a", fields: [("Sec-Fetch-Site", site)])
        #expect(Self.refusal(try Self.rules(), head)?.status == status)
    }

    @Test(
        "on the port, Host names the port",
        arguments: [
            ("127.0.0.1:4711", true), ("localhost:4711", true), ("LOCALHOST:4711", true), ("evil.example", false), ("evil.example:4711", false), ("127.0.0.1", false), ("127.0.0.1:4712", false),
            ("127.0.0.1:4711.evil.example", false), ("[::1]:4711", false),
        ])
    func host(value: String, isPassed: Bool) throws {
        let head = ProxyRules.Head(method: "GET", target: "/\(Self.secret)/a", fields: [("host", value)])
        #expect(Self.refusal(try Self.rules(), head)?.status == (isPassed ? nil : 421))
    }

    @Test(
        "on a socket every name of this server is accepted, and no other name",
        arguments: [
            ("localhost", true), ("api.example.com", true), ("acme", true), ("[::1]:80", true), ("a>b", false), ("a/b", false), ("a@b", false), ("a b", false), ("a?b", false), ("ü", false),
            ("[::1", false),
        ])
    func anyHost(value: String, isPassed: Bool) throws {
        let head = ProxyRules.Head(method: "GET", target: "/\(Self.secret)/a", fields: [("Host", value)])
        #expect(Self.refusal(try Self.rules(hosts: []), head)?.status == (isPassed ? nil : 400))
    }
}

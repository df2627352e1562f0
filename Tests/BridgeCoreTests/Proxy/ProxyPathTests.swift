import BridgeCore
import Secrets
import Testing

@Suite("Where a path at the proxy leads")
struct ProxyPathTests {
    static let secret = "kU6-2nYxq5Yk0nq0Yb1m0b9b1oH2l3s4d5f6g7h8j9k"

    /// - Returns: the URL, or the refusal's status.
    private static func outcome(_ rules: ProxyRules, _ head: ProxyRules.Head) -> String {
        do throws(ProxyRefusal) { return try rules.admit(head).request.url } catch { return "\(error.status)" }
    }

    private static func rules(_ urls: [String], secret: String? = secret) throws -> ProxyRules {
        ProxyRules(
            routes: [try ProxyRoute(account: "acme", urls: urls, secret: secret.map { Secret($0) })], dummy: "postern-proxy-dummy")
    }

    @Test(
        "of one URL, everything below it and nothing else",
        arguments: [
            ("", "https://api.example.com/v1"),
            ("/", "https://api.example.com/v1/"),
            ("?a=b", "https://api.example.com/v1?a=b"),
            ("/models", "https://api.example.com/v1/models"),
            ("/models?limit=5&after=%2F..%2F", "https://api.example.com/v1/models?limit=5&after=%2F..%2F"),
            ("/a?next=https://evil.example/../x", "https://api.example.com/v1/a?next=https://evil.example/../x"),
            // GitLab's names of projects.
            ("/projects/group%2Fproject", "https://api.example.com/v1/projects/group%2Fproject"),
            ("/a//b", "https://api.example.com/v1/a//b"),
            ("/.well-known/x", "https://api.example.com/v1/.well-known/x"),
            ("/...", "https://api.example.com/v1/..."),
            ("/@evil.example/", "https://api.example.com/v1/@evil.example/"),
            ("/https://evil.example/", "https://api.example.com/v1/https://evil.example/"),
            ("/..", "400"),
            ("/../v2", "400"),
            ("/./x", "400"),
            ("/a/..", "400"),
            ("/a/../../v2", "400"),
            ("/%2e%2e/v2", "400"),
            ("/%2E./v2", "400"),
            ("/.%2e", "400"),
            ("/%252e%252e/v2", "400"),
            ("/%25252e%25252e/v2", "400"),
            ("/..%2fv2", "400"),
            ("/..%2Fv2", "400"),
            ("/a%2f..%2f..%2fv2", "400"),
            ("/..%5cv2", "400"),
            ("/..;/v2", "400"),
            ("/..;a=b/v2", "400"),
            ("/%2e%2e%3b/v2", "400"),
            ("/..\\v2", "400"),
            ("/\\evil.example", "400"),
            ("//evil.example/", "400"),
            ("///evil.example/", "400"),
            ("//", "400"),
            ("/a#b", "400"),
            ("#b", "404"),
            ("/a b", "400"),
            ("/%", "400"),
            ("/%zz", "400"),
            ("/\u{7f}", "400"),
            ("/ü", "400"),
            ("/a\u{0}b", "400"),
            ("/a\r\nHost: evil.example", "400"),
            (":443/", "404"),
            ("@evil.example/", "404"),
            (".evil.example/", "404"),
            ("x", "404"),
            ("%2Fmodels", "404"),
        ])
    func oneURL(rest: String, outcome: String) throws {
        let rules = try Self.rules(["https://api.example.com/v1"])
        #expect(Self.outcome(rules, .init(method: "GET", target: "/\(Self.secret)\(rest)")) == outcome)
    }

    @Test(
        "of an origin, no other one",
        arguments: [
            ("", "https://api.example.com"),
            ("/a", "https://api.example.com/a"),
            ("//evil.example/a", "400"),
            ("/@evil.example", "https://api.example.com/@evil.example"),
            (".evil.example", "404"),
            ("@evil.example", "404"),
            (":80@evil.example", "404"),
            ("/..//evil.example", "400"),
            ("?@evil.example/", "https://api.example.com?@evil.example/"),
        ])
    func origin(rest: String, outcome: String) throws {
        let rules = try Self.rules(["https://api.example.com"])
        #expect(Self.outcome(rules, .init(method: "GET", target: "/\(Self.secret)\(rest)")) == outcome)
    }

    @Test(
        "of several URLs, the host says which one",
        arguments: [
            ("/api.example.com/v1/models", "https://api.example.com/v1/models"),
            ("/api.example.com/v2", "https://api.example.com/v2"),
            ("/API.example.com/v2", "https://API.example.com/v2"),
            ("/git.example.com:8443/a.git/info/refs?service=git-upload-pack", "https://git.example.com:8443/a.git/info/refs?service=git-upload-pack"),
            ("/127.0.0.1:9000/x", "http://127.0.0.1:9000/x"),
            ("/api.example.com:443/v1", "https://api.example.com:443/v1"),
            ("/api.example.com/v3", "404"),
            ("/api.example.com/v11", "404"),
            ("/api.example.com", "404"),
            ("/git.example.com/a.git", "404"),
            ("/git.example.com:8444/a.git", "404"),
            ("/evil.example/v1", "404"),
            ("/evil.example@api.example.com/v1", "404"),
            ("/api.example.com@evil.example/v1", "404"),
            ("/api.example.com:443@evil.example/v1", "404"),
            ("/api.example.com%2f@evil.example/v1", "404"),
            ("/api.example.com/v1/../v3", "400"),
            ("/api.example.com/v1/%2e%2e/v3", "400"),
            ("/api.example.com//v1", "400"),
            ("//api.example.com/v1", "404"),
            ("/", "404"),
            ("", "404"),
            ("?x", "404"),
            ("/https://api.example.com/v1", "400"),
            ("/../api.example.com/v1", "404"),
            ("/169.254.169.254/v1", "404"),
            ("/127.1:9000/x", "404"),
            ("/[::ffff:127.0.0.1]:9000/x", "404"),
        ])
    func severalURLs(rest: String, outcome: String) throws {
        let rules = try Self.rules([
            "https://api.example.com/v1", "https://api.example.com/v2", "https://git.example.com:8443", "http://127.0.0.1:9000",
        ])
        #expect(Self.outcome(rules, .init(method: "GET", target: "/\(Self.secret)\(rest)")) == outcome)
    }

    @Test(
        "on a socket without a secret the path begins at the URL",
        arguments: [
            ("/", "https://api.example.com/v1"),
            ("/?a=b", "https://api.example.com/v1?a=b"),
            ("/models", "https://api.example.com/v1/models"),
            ("/../v2", "400"),
            ("//evil.example/", "400"),
            ("*", "400"),
            ("", "400"),
            ("models", "400"),
        ])
    func socket(target: String, outcome: String) throws {
        let rules = try Self.rules(["https://api.example.com/v1"], secret: nil)
        #expect(Self.outcome(rules, .init(method: "GET", target: target)) == outcome)
    }

    @Test("below a URL with a slash at its end there is one slash")
    func slash() throws {
        let rules = try Self.rules(["https://api.example.com/v1/"])
        for (rest, url) in [("", "/v1/"), ("/", "/v1/"), ("/a", "/v1/a")] {
            #expect(Self.outcome(rules, .init(method: "GET", target: "/\(Self.secret)\(rest)")) == "https://api.example.com\(url)")
        }
    }

    @Test("a URL with a query has nothing below it")
    func query() throws {
        let rules = try Self.rules(["https://mcp.example.com/mcp?tenant=7"])
        for (rest, outcome) in [("", "https://mcp.example.com/mcp?tenant=7"), ("/", "404"), ("/a", "404"), ("?tenant=8", "404")] {
            #expect(Self.outcome(rules, .init(method: "GET", target: "/\(Self.secret)\(rest)")) == outcome)
        }
    }

    @Test(
        "without the whole secret there is nothing",
        arguments: [
            "/", "", "*", "/models", "/\(secret.dropLast())", "/\(secret)x", "/\(secret.dropFirst())", "/x\(secret)", "//\(secret)", "/x/\(secret)", "/\(secret.lowercased())",
            "/%6b\(secret.dropFirst())", "/?\(secret)", secret,
        ])
    func wrongSecret(target: String) throws {
        let rules = try Self.rules(["https://api.example.com/v1"])
        let outcome = Self.outcome(rules, .init(method: "GET", target: target))
        #expect(outcome == "404" || (outcome == "400" && !target.hasPrefix("/")))
    }

    @Test("each account has its own secret and its own URLs")
    func accounts() throws {
        let other = String(Self.secret.reversed())
        let rules = ProxyRules(
            routes: [
                try ProxyRoute(account: "one", urls: ["https://one.example"], secret: Secret(Self.secret)),
                try ProxyRoute(account: "two", urls: ["https://two.example"], secret: Secret(other)),
            ], dummy: "postern-proxy-dummy")
        let first = try rules.admit(.init(method: "GET", target: "/\(Self.secret)/a"))
        let second = try rules.admit(.init(method: "GET", target: "/\(other)/a"))
        #expect(first.account == "one" && first.request.url == "https://one.example/a")
        #expect(second.account == "two" && second.request.url == "https://two.example/a")
    }

    @Test("a URL that no token can be for is refused at the start", arguments: ["http://api.example.com", "ftp://a", "https://a@b", "https://a/../b", "https://a#b", ""])
    func unusable(url: String) {
        #expect(throws: (any Error).self) { try ProxyRoute(account: "acme", urls: [url]) }
    }

    @Test("a URL of the longest length passes, a longer one is refused")
    func length() throws {
        let rules = try Self.rules(["https://api.example.com"])
        let room = 8192 - "https://api.example.com/".utf8.count
        #expect(Self.outcome(rules, .init(method: "GET", target: "/\(Self.secret)/\(String(repeating: "a", count: room))")).utf8.count == 8192)
        #expect(Self.outcome(rules, .init(method: "GET", target: "/\(Self.secret)/\(String(repeating: "a", count: room + 1))")) == "400")
    }

    @Test("no refusal repeats the path or the secret")
    func silent() throws {
        let rules = try Self.rules(["https://api.example.com/v1"])
        for target in ["/\(Self.secret)/../SIGN", "/SIGN", "/\(Self.secret)//SIGN", "/\(Self.secret)SIGN"] {
            let refusal = #expect(throws: ProxyRefusal.self) { try rules.admit(.init(method: "GET", target: target)) }
            #expect(refusal.map { !$0.message.contains("SIGN") && !$0.message.contains(Self.secret) } == true)
        }
    }
}

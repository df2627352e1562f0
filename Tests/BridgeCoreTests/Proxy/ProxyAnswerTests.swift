import BridgeCore
import Secrets
import Testing

@Suite("What the proxy passes on of an answer")
struct ProxyAnswerTests {
    static let secret = ProxyPathTests.secret
    static let base = "http://127.0.0.1:4711/\(secret)"

    private static func passed(
        _ name: String, _ value: String, urls: [String] = ["https://api.example.com/v1"], target: String = "/users/7?page=2", secret: String? = secret
    ) throws -> String? {
        let rules = ProxyRules(routes: [try ProxyRoute(account: "acme", urls: urls, secret: secret.map { Secret($0) })], dummy: "postern-proxy-dummy")
        let path = (secret.map { "/\($0)" } ?? "") + target
        let passage = try rules.admit(.init(method: "GET", target: path, fields: [("Host", "127.0.0.1:4711")]))
        return passage.answer(BridgeAnswer(status: 302, headers: [(name, value)])).headers.first?.value
    }

    @Test(
        "a URL of the account leads to the proxy, another one stays, and none is left without its server",
        arguments: [
            ("https://api.example.com/v1/b?c=d#e", "\(base)/b?c=d#e"),
            ("https://API.EXAMPLE.COM:443/v1/b", "\(base)/b"),
            ("https://api.example.com/v1", base),
            ("https://api.example.com/v1/", "\(base)/"),
            ("https://api.example.com/v1?x", "\(base)?x"),
            ("https://api.example.com/v2/b", "https://api.example.com/v2/b"),
            ("https://api.example.com/v11", "https://api.example.com/v11"),
            ("https://api.example.com/", "https://api.example.com/"),
            ("http://api.example.com/v1/b", "http://api.example.com/v1/b"),
            ("https://api.example.com:8443/v1/b", "https://api.example.com:8443/v1/b"),
            ("https://evil.example/v1/b", "https://evil.example/v1/b"),
            ("https://api.example.com@evil.example/v1/b", "https://api.example.com@evil.example/v1/b"),
            ("https://api.example.com/v1/../x", "https://api.example.com/v1/../x"),
            ("https://api.example.com/v1/%2e%2e/x", "https://api.example.com/v1/%2e%2e/x"),
            ("https://api.example.com/v1/a b", "https://api.example.com/v1/a b"),
            ("/v1/b", "\(base)/b"),
            ("/v1", base),
            ("/v1/./b/../c", "\(base)/c"),
            ("/login", "https://api.example.com/login"),
            ("/v1/../login", "https://api.example.com/login"),
            ("/../../v1/x", "\(base)/x"),
            ("8", "\(base)/users/8"),
            ("./8", "\(base)/users/8"),
            ("../teams/", "\(base)/teams/"),
            ("..", "\(base)/"),
            ("../../../x", "https://api.example.com/x"),
            ("?page=3", "\(base)/users/7?page=3"),
            ("#top", "\(base)/users/7?page=2#top"),
            ("", "\(base)/users/7?page=2"),
            ("//evil.example/v1", "https://evil.example/v1"),
            ("//api.example.com/v1/b", "\(base)/b"),
            ("/v1/%2e%2e/x", "https://api.example.com/v1/%2e%2e/x"),
            ("mailto:ada@example.com", "mailto:ada@example.com"),
            ("javascript:alert(1)", "javascript:alert(1)"),
        ])
    func location(value: String, passed: String) throws {
        for name in ["Location", "content-location"] { #expect(try Self.passed(name, value) == passed) }
    }

    @Test(
        "so do the links of a list, and nothing else in it",
        arguments: [
            (
                "<https://api.example.com/v1/users?page=3>; rel=\"next\", <https://api.example.com/v1/users?page=9>; rel=\"last\"",
                "<\(base)/users?page=3>; rel=\"next\", <\(base)/users?page=9>; rel=\"last\""
            ),
            ("</v1/b>; rel=self, <https://docs.example.org/>; rel=help", "<\(base)/b>; rel=self, <https://docs.example.org/>; rel=help"),
            ("<?page=3>; rel=next", "<\(base)/users/7?page=3>; rel=next"),
            ("<https://evil.example/>; title=\"<https://api.example.com/v1/b>\"", "<https://evil.example/>; title=\"<https://api.example.com/v1/b>\""),
            ("<https://evil.example/>; title=\"\\\"<x>\\\\\", </v1/b>", "<https://evil.example/>; title=\"\\\"<x>\\\\\", <\(base)/b>"),
            ("<https://api.example.com/v1/b", "<https://api.example.com/v1/b"),
            ("\"<", "\"<"),
            ("\"\\", "\"\\"),
            ("<>", "<\(base)/users/7?page=2>"),
            ("", ""),
        ])
    func links(value: String, passed: String) throws { #expect(try Self.passed("Link", value) == passed) }

    @Test(
        "with several URLs the path has the host",
        arguments: [
            ("https://api.example.com/v1/b", "\(base)/api.example.com/v1/b"), ("https://git.example.com:8443/x?y", "\(base)/git.example.com:8443/x?y"),
            ("/v1/b", "\(base)/api.example.com/v1/b"), ("/v2", "https://api.example.com/v2"),
        ])
    func several(value: String, passed: String) throws {
        #expect(try Self.passed("Location", value, urls: ["https://api.example.com/v1", "https://git.example.com:8443"], target: "/api.example.com/v1/users") == passed)
    }

    @Test(
        "what is rewritten leads back to the same URL",
        arguments: [
            "https://api.example.com/v1", "https://api.example.com/v1/", "https://api.example.com/v1?a", "https://api.example.com/v1/?a", "https://api.example.com/v1/b",
            "https://api.example.com/v1//b",
            "https://api.example.com/v1/b%2Fc",
        ],
        [["https://api.example.com/v1"], ["https://api.example.com/v1/"], ["https://api.example.com/v1", "https://other.example"], ["https://api.example.com"]])
    func back(url: String, urls: [String]) throws {
        for secret in [nil, Self.secret] {
            let rules = ProxyRules(routes: [try ProxyRoute(account: "acme", urls: urls, secret: secret.map { Secret($0) })], dummy: "postern-proxy-dummy")
            let root = secret.map { "/\($0)" } ?? ""
            let start = root + (urls.count == 1 ? "/x" : "/api.example.com/v1/x")
            let passage = try rules.admit(.init(method: "GET", target: start, fields: [("Host", "a")]))
            let written = try #require(passage.answer(BridgeAnswer(status: 302, headers: [("Location", url)])).headers.first?.value)
            guard written.hasPrefix("http://a/") else {
                #expect(written == url)
                continue
            }
            #expect(try rules.admit(.init(method: "GET", target: String(written.dropFirst(8)))).request.url == url)
        }
    }

    @Test(
        "cookies, the connection's fields and other ways to the server are removed",
        arguments: ["Set-Cookie", "set-cookie2", "Connection", "Keep-Alive", "Proxy-Authenticate", "Transfer-Encoding", "Trailer", "Upgrade", "Alt-Svc", "DPoP-Nonce"])
    func removed(name: String) throws { #expect(try Self.passed(name, "x") == nil) }

    @Test("everything else stays as it is", arguments: ["Content-Type", "Content-Length", "ETag", "WWW-Authenticate", "X-RateLimit-Remaining", "Retry-After", "Vary"])
    func kept(name: String) throws { #expect(try Self.passed(name, "https://api.example.com/v1/x") == "https://api.example.com/v1/x") }
}

import PosternCore
import Testing

@testable import HTTPSClient

@Suite("Proxy settings")
struct ProxySettingsTests {
    static let exceptions: [(list: String, host: String, port: Int, isMatch: Bool)] = [
        ("", "example.com", 443, false),
        ("*", "example.com", 443, true),
        ("example.com", "example.com", 443, true),
        ("EXAMPLE.com", "example.com", 443, true),
        ("example.com", "login.example.com", 443, true),
        (".example.com", "login.example.com", 443, true),
        (".example.com", "example.com", 443, true),
        ("*.example.com", "login.example.com", 443, true),
        ("example.com", "notexample.com", 443, false),
        ("example.com", "example.com.evil.test", 443, false),
        ("example.com.", "example.com", 443, true),
        ("example.com", "example.com.", 443, true),
        ("com", "example.com", 443, true),
        ("example.com:8443", "example.com", 8443, true),
        ("example.com:8443", "example.com", 443, false),
        ("example.com:x", "example.com", 443, false),
        ("a.test, b.test\tc.test d.test", "c.test", 443, true),
        ("a.test,,b.test", "b.test", 443, true),
        ("10.0.0.1", "10.0.0.1", 443, true),
        ("10.0.0.1", "10.0.0.2", 443, false),
        ("10.0.0.1:444", "10.0.0.1", 443, false),
        ("0.0.1", "10.0.0.1", 443, false),
        ("10.0.0.0/8", "10.200.3.4", 443, true),
        ("10.0.0.0/8", "11.0.0.1", 443, false),
        ("10.1.0.0/15", "10.0.255.1", 443, true),
        ("10.0.0.0/33", "10.0.0.0", 443, false),
        ("0.0.0.0/0", "192.0.2.1", 443, true),
        ("0.0.0.0/0", "2001:db8::1", 443, false),
        ("2001:db8::1", "2001:db8:0::1", 443, true),
        ("[2001:db8::1]", "2001:db8::1", 443, true),
        ("[2001:db8::1]:444", "2001:db8::1", 443, false),
        ("[2001:db8::1]:443", "2001:db8::1", 443, true),
        ("2001:db8::/32", "2001:db8:ffff::1", 443, true),
        ("2001:db8::/32", "2001:db9::1", 443, false),
        (".", "example.com", 443, false),
    ]

    @Test("NO_PROXY names hosts, domains, addresses and networks", arguments: exceptions.indices)
    func exception(_ index: Int) {
        let row = Self.exceptions[index]
        #expect(NoProxyList(row.list).contains(host: row.host, port: row.port) == row.isMatch, "\(row)")
    }

    private func route(_ environment: [String: String], _ url: String = "https://example.com/") throws -> String {
        let settings = ProxySettings(environment: environment)
        let target = try EndpointURL(url)
        do throws(ExchangeFailure) { return try settings.proxy(for: target).map { "\($0.host) \($0.port)" } ?? "direct" } catch {
            return "\(error.kind)"
        }
    }

    @Test("the settings are taken in their order, and empty ones are not set")
    func order() throws {
        #expect(try route([:]) == "direct")
        #expect(try route(["https_proxy": "a:1", "HTTPS_PROXY": "b:1", "all_proxy": "c:1"]) == "a 1")
        #expect(try route(["https_proxy": " ", "HTTPS_PROXY": "b:1", "ALL_PROXY": "c:1"]) == "b 1")
        #expect(try route(["ALL_PROXY": "http://c"]) == "c 80")
        #expect(try route(["HTTP_PROXY": "http://d:1", "http_proxy": "http://d:1"]) == "direct")
        #expect(try route(["https_proxy": "http://[2001:db8::1]:3128/"]) == "2001:db8::1 3128")
        #expect(try route(["https_proxy": "a:1", "no_proxy": "", "NO_PROXY": "example.com"]) == "direct")
        #expect(try route(["https_proxy": "socks5://a", "NO_PROXY": "example.com"]) == "direct")
        #expect(try route(["https_proxy": "socks5://a"]) == "proxy")
    }

    @Test("this machine is reached directly", arguments: ["https://localhost/", "https://127.8.9.1:1/", "https://[::1]/", "http://[::1]:8080/"])
    func loopback(_ url: String) throws {
        #expect(try route(["https_proxy": "a:1"], url) == "direct")
    }

    static let credentials: [(String, String?)] = [
        ("http://a:1", nil),
        ("http://Aladdin:open%20sesame@a:1", "Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ=="),
        ("http://user@a:1", "Basic dXNlcjo="),
        ("user:a@b:c@a:1", "Basic dXNlcjphQGI6Yw=="),
    ]

    @Test("user and password become Basic credentials (RFC 7617)", arguments: credentials)
    func basic(text: String, header: String?) throws {
        #expect(try ProxyEndpoint(text).authorization?.reveal() == header)
    }

    @Test(
        "a proxy that cannot be used is a problem, named by its setting and never with its value",
        arguments: [
            ([:], nil), (["HTTPS_PROXY": "http://proxy.test:3128"], nil), (["HTTPS_PROXY": "  "], nil),
            (["https_proxy": "socks5://u:shh@proxy.test"], "the setting https_proxy is not an http:// proxy"),
            (["ALL_PROXY": "http://shh@"], "the setting ALL_PROXY has no valid host and port"),
        ] as [([String: String], String?)])
    func problem(environment: [String: String], words: String?) {
        let problem = HTTPSClientConfiguration(environment: environment).proxyProblem
        #expect(words.map { problem?.hasPrefix($0) == true } ?? (problem == nil), "\(problem ?? "none")")
        #expect(problem?.contains("shh") != true)
    }
}

import PosternCore
import Testing

@Suite("Where tokens may go")
struct URLPrefixTests {
    private func closeness(_ prefix: String, _ url: String) throws -> Int? {
        guard let asked = try? URLPrefix.AskedURL(url) else { return nil }
        return try URLPrefix(prefix).closeness(to: asked)
    }

    @Test(
        "An origin covers what is below it, a path whole segments",
        arguments: [
            ("https://example.com", "https://example.com", 0),
            ("https://example.com", "https://example.com/", 0),
            ("https://example.com/", "https://EXAMPLE.com:443/a?b=c", 0),
            ("https://example.com:8443", "https://example.com:8443/a", 0),
            ("https://example.com/acme", "https://example.com/acme", 1),
            ("https://example.com/acme/", "https://example.com/acme/x.git/info/refs?service=git-upload-pack", 1),
            ("https://example.com/acme/x", "https://example.com/acme/x/", 2),
            ("http://127.0.0.1:8080", "http://127.0.0.1:8080/a", 0),
            ("http://[::1]:8080/a", "http://[::1]:8080/a/b", 1),
            ("https://xn--bcher-kva.example", "https://xn--bcher-kva.example/a", 0),
            ("https://example.com", "https://example.com/a%2Fb/c%20d", 0),
            ("https://example.com", "https://example.com/.well-known/a..b/...", 0),
            ("https://example.com", "https://example.com/%20/%C2%AE/%C3%AF./%E0%AE%85/%C0n/a%00b/%F0%9F%98%80", 0),
        ])
    func covered(prefix: String, url: String, segments: Int) throws {
        #expect(try closeness(prefix, url) == segments)
    }

    @Test(
        "Nothing else is",
        arguments: [
            "http://example.com/acme/", "https://example.com:444/acme/", "https://example.com.evil.example/acme/",
            "https://evilexample.com/acme/", "https://sub.example.com/acme/", "https://example.com@evil.example/acme/",
            "https://user@example.com/acme/", "https://example.com:443@evil.example/acme/", "https://example.com/acme.evil/",
            "https://example.com/Acme/", "https://example.com/", "https://example.com//acme/", "https://example.com/acme/../other",
            "https://example.com/acme/..", "https://example.com/acme/%2e%2e/other", "https://example.com/acme/%2E./other",
            "https://example.com/acme/%252e%252e/other", "https://example.com/acme/%25%32%65%%32%45/other", "https://example.com/acme/%%32e./other",
            "https://example.com/acme/x%25255c.%25%35%43other", "https://example.com/acme/%2525252e%3Bx/other", "https://example.com/acme/..%2Fother", "https://example.com/acme/x%5C..%5Cother",
            "https://example.com/acme/..%00/other", "https://example.com/acme/..%00x/other", "https://example.com/acme/%20../other",
            "https://example.com/acme/.%09.%7F/other", "https://example.com/acme/%C0%AE%C0%AE/other", "https://example.com/acme/%E0%80%AE./other",
            "https://example.com/acme/.%F0%80%80%AE/other", "https://example.com/acme/%C0./other", "https://example.com/acme/..%C0%AFother",
            "https://example.com/acme/x%C1%9C..%c1%1cother", "https://example.com/acme/..%E0%80%BBx/other",
            "https://example.com/acme/..;x/other", "https://example.com/acme/./x", "https://example.com\\acme/", "https://example.com/acme\n",
            "https://example.com/acme/#@evil.example", "https://example.com\u{2024}evil.example/acme/", "https://ex\u{430}mple.com/acme/",
            "https://example.com%00.evil.example/acme/", "https://[example.com]/acme/", "https:/example.com/acme/", "https:example.com/acme/",
            "//example.com/acme/", "example.com/acme/", "", "https://", "javascript:alert(1)", "file:///acme/", "ftp://example.com/acme/",
            "https://example.com:0443/acme/", "https://example.com:/acme/", "https://example.com./acme/",
            "https://example.com/acme/" + String(repeating: "a", count: 65_536),
        ])
    func refused(url: String) throws {
        #expect(try closeness("https://example.com/acme", url) == nil)
    }

    @Test(
        "A server's URL with a query covers this URL alone, and one without covers what is below it",
        arguments: [
            ("https://example.com/mcp?team=a", "https://example.com/mcp?team=a", 2),
            ("https://example.com/mcp?team=a", "https://EXAMPLE.com:443/mcp/?team=a", 2),
            ("https://example.com/mcp?team=a", "https://example.com/mcp", nil), ("https://example.com/mcp?team=a", "https://example.com/mcp?", nil),
            ("https://example.com/mcp?team=a", "https://example.com/mcp?team=b", nil),
            ("https://example.com/mcp?team=a", "https://example.com/mcp?team=a&x=1", nil),
            ("https://example.com/mcp?team=a", "https://example.com/mcp?x=1&team=a", nil),
            ("https://example.com/mcp?team=a", "https://example.com/mcp/x?team=a", nil),
            ("https://example.com/mcp?team=a", "https://example.com/?team=a", nil),
            ("https://example.com/mcp?team=a", "https://other.example/mcp?team=a", nil),
            ("https://example.com/mcp", "https://example.com/mcp?team=a", 1), ("https://example.com/mcp", "https://example.com/mcp/x", 1),
        ] as [(String, String, Int?)])
    func server(prefix: String, url: String, segments: Int?) throws {
        #expect(try URLPrefix(server: EndpointURL(prefix)).closeness(to: URLPrefix.AskedURL(url)) == segments)
    }

    @Test("A name that is not ASCII is nobody's, however it could be spelt")
    func international() throws {
        for url in ["https://b\u{FC}cher.example/", "https://fa\u{DF}.example/", "https://b\u{75}\u{308}cher.example/"] {
            #expect(throws: EndpointURLError.forbiddenCharacter) { try URLPrefix(url) }
            #expect(throws: EndpointURLError.forbiddenCharacter) { try URLPrefix.AskedURL(url) }
        }
    }

    @Test(
        "What cannot be configured is told",
        arguments: [
            ("https://example.com/a?b", EndpointURLError.query), ("https://example.com/a/../b", .dotSegment), ("https://a@example.com", .userInformation),
            ("http://example.com", .plainHTTP(host: "example.com")), ("example.com", .notAbsolute),
        ])
    func configured(text: String, error: EndpointURLError) {
        #expect(throws: error) { try URLPrefix(text) }
    }

    @Test("What is built in is well formed: nothing was dropped", arguments: Catalogue.providers.map(\.id))
    func builtIn(id: String) throws {
        let provider = try #require(Catalogue.provider(id))
        #expect(provider.serves.allSatisfy { $0.text.hasPrefix("https://") })
        // Apple's access tokens are for nothing.
        #expect(provider.serves.isEmpty == (id == "apple.com"))
        #expect(Set(provider.serves).count == provider.serves.count)
    }
}

import Testing

@testable import PosternCore

@Suite struct EndpointURLTests {
    @Test(
        "An endpoint is https, or http on this machine",
        arguments: [
            "https://login.example.com", "https://login.example.com/", "https://login.example.com:8443/realms/work//token",
            "HTTPS://Login.Example.com/a?policy=b2c&x=%20", "https://192.0.2.7/t", "https://[2001:db8::1]/t", "https://[::1]:9/t",
            "http://127.0.0.1:7678/token", "http://127.1.2.3/token", "http://localhost:9400/token", "http://[::1]:9400/token",
            "https://a_b.example/x", "https://xn--bcher-kva.example/~user/(x)!$&'*+,;=:@",
        ])
    func accepted(text: String) throws {
        #expect(try EndpointURL(text).text == text)
    }

    @Test(
        "Everything else is refused, with its reason",
        arguments: [
            ("", .notAbsolute),
            ("/token", .notAbsolute),
            ("//example.com/token", .notAbsolute),
            ("example.com/token", .notAbsolute),
            ("https:example.com", .notAbsolute),
            ("ftp://example.com/", .unsupportedScheme),
            ("javascript://example.com/%0aalert(1)", .unsupportedScheme),
            ("file:///etc/passwd", .unsupportedScheme),
            ("-https://example.com/", .unsupportedScheme),
            ("https://", .invalidHost),
            ("https:///token", .invalidHost),
            ("https://:443/", .invalidHost),
            ("https://exa..mple/", .invalidHost),
            ("https://-option.example/", .invalidHost),
            ("https://example.com./", .invalidHost),
            ("https://127.1/", .invalidHost),
            ("https://0x7f.0.0.1/", .invalidHost),
            ("https://010.0.0.1/", .invalidHost),
            ("https://256.0.0.1/", .invalidHost),
            ("https://[::1/", .invalidHost),
            ("https://[::1]x/", .invalidHost),
            ("https://[1:2:3]/", .invalidHost),
            ("https://[1::2::3]/", .invalidHost),
            ("https://[12345::]/", .invalidHost),
            ("https://[1:2:3:4:5:6:7:8:9]/", .invalidHost),
            ("https://[fe80::1%25eth0]/", .invalidHost),
            ("https://exa%6dple.com/", .invalidHost),
            ("https://user@example.com/", .userInformation),
            ("https://user:secret@example.com/", .userInformation),
            ("https://example.com:0/", .invalidPort),
            ("https://example.com:/", .invalidPort),
            ("https://example.com:65536/", .invalidPort),
            ("https://example.com:+443/", .invalidPort),
            ("https://example.com/#", .fragment),
            ("https://example.com/#_=_", .fragment),
            ("https://example.com/a b", .forbiddenCharacter),
            ("https://example.com/a\n", .forbiddenCharacter),
            ("https://example.com/\u{0}", .forbiddenCharacter),
            ("https://example.com/é", .forbiddenCharacter),
            ("https://exämple.com/", .forbiddenCharacter),
            ("https://example.com\\@evil.test/", .forbiddenCharacter),
            ("https://example.com/{id}", .forbiddenCharacter),
            ("https://example.com/%", .forbiddenCharacter),
            ("https://example.com/%2", .forbiddenCharacter),
            ("https://example.com/%zz", .forbiddenCharacter),
            ("http://example.com/token", .plainHTTP(host: "example.com")),
            ("http://127.0.0.1.example.com/", .plainHTTP(host: "127.0.0.1.example.com")),
            ("http://localhost.example.com/", .plainHTTP(host: "localhost.example.com")),
            ("http://128.0.0.1/", .plainHTTP(host: "128.0.0.1")),
            ("http://0.0.0.0/", .plainHTTP(host: "0.0.0.0")),
            ("http://[::2]/", .plainHTTP(host: "::2")),
        ] as [(String, EndpointURLError)])
    func refused(text: String, error: EndpointURLError) {
        #expect(throws: error) { try EndpointURL(text) }
    }

    @Test("A host name has labels of 1 to 63 characters and 253 in all; one that ends in a number is an IPv4 address, or nothing")
    func hosts() {
        let long = String(repeating: "a", count: 63)
        let all = [long, long, long, String(repeating: "b", count: 61)].joined(separator: ".")
        for host in [
            "a", "_a", "a-", "a--b.c", "1.a", "1.2.3.a4", long, "\(long).\(long)", all, "0.0.0.0", "255.255.255.255", "1.20.30.4",
        ] {
            #expect((try? EndpointURL("https://\(host)/"))?.host == host, "\(host)")
        }
        for host in [
            "-", "-a", "1a", "12", "0", "a.-b", ".", ".a", "a.", "a..b", "a+b", "a~", "\(long)a", "a.\(long)a", "\(all)b", "1", "a.1", "a.1b", "1.2.3", "1.2.3.4.5", "1.2.3.",
            ".1.2.3", "1..2.3", "1.2.3.256", "1.2.3.1000", "1.2.3.99999999999999999999", "00.0.0.0", "1.2.3.01", "1.2.3.4a", "1.2.3.-4",
        ] {
            #expect(throws: EndpointURLError.invalidHost, "\(host)") { try EndpointURL("https://\(host)/") }
        }
    }

    /// `https` and `http` go the same way to the host, so one of them is enough here.
    @Test(
        "What stands in brackets is an IPv6 address, whole",
        arguments: [
            "::", "::1", "1::", "1::8", "2001:db8::1", "2001:DB8:0:0:8:800:200C:417A", "1:2:3:4:5:6:7:8", "1:2:3:4:5:6:7::",
            "::2:3:4:5:6:7:8", "1::3:4:5:6:7:8", "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff",
        ])
    func addresses(address: String) throws {
        #expect(try EndpointURL("https://[\(address)]:8443/t").host == address.lowercased())
    }

    @Test(
        "What is in brackets and no IPv6 address is no host",
        arguments: [
            // Nothing, and too few groups.
            "", ":", "1", "1:", ":1", "1:2", "1:2:", ":1:2", "1:2:3:4:5:6:7", "1:2:3:4:5:6:7:", ":1:2:3:4:5:6:7", ":1:2:3:4:5:6:7:8",
            "1:2:3:4:5:6:7:8:",
            // Too many groups, with and without a gap for none.
            "1:2:3:4:5:6:7:8:9", "1:2:3:4:5:6:7:8::", "::1:2:3:4:5:6:7:8", "1:2:3:4::5:6:7:8",
            // Gaps.
            ":::", "::::", ":::1", "1:::", "1:::2", "1::2::3", "::1::", "1::2:", ":1::2",
            // Groups.
            "12345::", "::00001", "g::", "::-1", "::+1", "0x1::", "::1.", "::%31",
            // Other notations: with an IPv4 address, a zone, a future version, a prefix length, a name, brackets again.
            "::ffff:127.0.0.1", "127.0.0.1", "fe80::1%25eth0", "v1.fe80::a", "::1/128", "localhost", "[::1", "[::1]",
        ])
    func noAddresses(address: String) {
        #expect(throws: EndpointURLError.invalidHost) { try EndpointURL("https://[\(address)]") }
        #expect(throws: EndpointURLError.invalidHost) { try EndpointURL("https://[\(address)]:443/token") }
    }

    @Test("A very long one is refused")
    func length() {
        #expect(throws: EndpointURLError.tooLong(limit: 2048)) { try EndpointURL("https://example.com/" + String(repeating: "a", count: 2048)) }
    }

    @Test("Its parts are told apart")
    func parts() throws {
        let url = try EndpointURL("https://Login.Example.com:8443/oauth//token?p=1&q=a?b")
        #expect(url.host == "login.example.com")
        #expect(url.port == 8443)
        #expect(url.path == "/oauth//token")
        #expect(url.query == "p=1&q=a?b")
        #expect(url.origin == "https://Login.Example.com:8443")
        #expect(try EndpointURL("https://example.com").path == "")
        #expect(try EndpointURL("https://example.com?x").query == "x")
        #expect(try EndpointURL("http://[::1]").port == 80)
        #expect(try EndpointURL("http://[::1]").host == "::1")
    }

    @Test("Origins are equal where scheme, host and port are")
    func origins() throws {
        let url = try EndpointURL("https://example.com/a")
        #expect(url.hasSameOrigin(as: try EndpointURL("https://EXAMPLE.com:443/b?c")))
        #expect(!url.hasSameOrigin(as: try EndpointURL("https://example.com:444/a")))
        #expect(!url.hasSameOrigin(as: try EndpointURL("https://www.example.com/a")))
    }

    @Test("Parameters are added behind the query that is there")
    func appending() throws {
        #expect(try EndpointURL("https://example.com/a").appending([("x", "ä b&c")]) == "https://example.com/a?x=%C3%A4%20b%26c")
        #expect(try EndpointURL("https://example.com/a?").appending([("x", "1")]) == "https://example.com/a?x=1")
        #expect(try EndpointURL("https://example.com/a?p=%2B+1").appending([("x", "1")]) == "https://example.com/a?p=%2B+1&x=1")
    }
}

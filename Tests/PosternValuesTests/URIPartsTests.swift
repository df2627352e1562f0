import Testing

@testable import PosternValues

@Suite("The parts of a URI")
struct URIPartsTests {
    @Test(
        "stand where RFC 3986 splits them, and are what the text is made of",
        arguments: [
            ("", [nil, nil, "", nil, nil]), ("https://host", ["https", "host", "", nil, nil]), ("HTTPS://H:1/p/q?a=/&b=?#f?/#", ["HTTPS", "H:1", "/p/q", "a=/&b=?", "f?/#"]),
            ("https://host?q=/a:b", ["https", "host", "", "q=/a:b", nil]), ("https://host#f", ["https", "host", "", nil, "f"]), ("https://u@[::1]:1//x", ["https", "u@[::1]:1", "//x", nil, nil]),
            ("org.example:/cb?x", ["org.example", nil, "/cb", "x", nil]), ("mailto:a@b", ["mailto", nil, "a@b", nil, nil]), ("//host/p", [nil, "host", "/p", nil, nil]),
            ("a/b:c", [nil, nil, "a/b:c", nil, nil]), (":x", [nil, nil, ":x", nil, nil]), ("?a:b", [nil, nil, "", "a:b", nil]), ("https:", ["https", nil, "", nil, nil]),
            ("https:///p", ["https", "", "/p", nil, nil]), ("?#", [nil, nil, "", "", ""]), ("h:/\u{301}/x", ["h", nil, "/\u{301}/x", nil, nil]), ("h://ö\u{301}/", ["h", "ö\u{301}", "/", nil, nil]),
        ] as [(String, [String?])])
    func parts(text: String, expected: [String?]) {
        let parts = URIParts(text)
        #expect([parts.scheme, parts.authority, parts.path, parts.query, parts.fragment].map { $0.map { Array($0.utf8) } } == expected.map { $0.map { Array($0.utf8) } })
        let whole = (parts.scheme.map { "\($0):" } ?? "") + (parts.authority.map { "//\($0)" } ?? "") + parts.path
        #expect(whole + (parts.query.map { "?\($0)" } ?? "") + (parts.fragment.map { "#\($0)" } ?? "") == text)
        // And in a part of a longer text.
        #expect(URIParts("<\(text)>".dropFirst().dropLast()).path == parts.path)
    }

    @Test(
        "a host and a port are told apart by brackets, or the first colon",
        arguments: [
            ("host", "host", nil), ("host:1", "host", "1"), ("host:", "host", ""), ("a:b:c", "a", "b:c"), ("", "", nil), (":1", "", "1"), ("[::1]", "::1", nil), ("[::1]:1", "::1", "1"),
            ("[]:", "", ""), ("[a]:b]", "a", "b]"), ("a[b]", "a[b]", nil),
        ] as [(String, String, String?)])
    func authority(text: String, host: String, port: String?) throws {
        let parts = try #require(HostAndPort(text[...]))
        #expect(parts.host == host && parts.port.map(String.init) == port && parts.isBracketed == (text.first == "["))
    }

    @Test("a bracket that is not closed, or that something else than a port follows, is none", arguments: ["[", "[::1", "[::1]1", "[::1]]:1", "[a] :1"])
    func noAuthority(text: String) { #expect(HostAndPort(text[...]) == nil) }
}

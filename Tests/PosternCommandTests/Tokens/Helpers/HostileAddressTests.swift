import Testing

@testable import TestDaemon
@testable import postern

/// Addresses as another program's configuration, a redirect or an attacker may bring them. What passes here is still the daemon's to match.
@Suite("Addresses that a helper is asked about")
struct HostileAddressTests {
    static let refused = [
        "", "https://", "https:///path", "ftp://git.example.org/", "file:///etc/passwd", "javascript:alert(1)", "git.example.org",
        "//git.example.org/", "HTTPS://git.example.org/", "https:git.example.org",
        // User information: the host is what follows.
        "https://github.com@evil.example/", "https://github.com:443@evil.example/", "https://a:b@github.com/", "https://@github.com/",
        // Two readers see two hosts.
        "https://github.com\\@evil.example/", "https://evil.example\\.github.com/", "https:\\\\github.com/",
        // Lines and controls.
        "https://github.com/\nhost=evil.example", "https://github.com/\r", "https://github.com/\0", "https://github.com/\u{7F}",
        "https://github.com/\t", "https://github.com/ a", " https://github.com/", "https://github.com/\u{1B}[2J",
        // Look-alikes that are no ASCII: a Cyrillic letter, a full-width full stop, a mark without width.
        "https://g\u{456}thub.com/", "https://github\u{FF0E}com/", "https://github.com\u{200B}/",
        "https://github.com/" + String(repeating: "a", count: 65536),
    ]

    @Test("an address that no honest program writes is refused without asking", arguments: refused)
    func refuses(address: String) throws {
        #expect(!HelperURL.isAcceptable(address))
        let json = Self.json(address)
        #expect(try BazelHelper.url(in: Array("{\"uri\":\(json)}".utf8)) == nil)
        #expect(CargoHelper.request(Array("{\"v\":1,\"registry\":{\"index-url\":\(json)},\"kind\":\"get\"}".utf8)) == .notHandled)
        #expect(GoAuthHelper.request([address]) == .nothing)
        #expect(KeyringHelper.request(["--mode=creds", "get", address]) == .nothing)
        #expect(throws: HelperOutput.self) { try HeadersHelper.request(["work"]) { _ in address } }
    }

    @Test(
        "an honest one is handed on as it came",
        arguments: [
            "https://github.com/", "https://github.com", "https://github.com:443/a/../b", "https://xn--bcher-kva.example/",
            "https://GitHub.com/", "http://127.0.0.1:8080/simple/", "https://[::1]:8443/", "https://h/a@b",
        ])
    func accepts(address: String) throws {
        #expect(HelperURL.isAcceptable(address))
        #expect(try BazelHelper.url(in: Array("{\"uri\":\(Self.json(address))}".utf8)) == address)
        #expect(KeyringHelper.request(["get", address, "u"]) == .token(url: address, user: "u", form: .init()))
    }

    @Test(
        "a host is a host and nothing besides",
        arguments: [
            "", "a b", "a/b", "a@b", "https://a", "a:", "a:b", "a:1:2", "a:123456", "a\n", "a\0",
            "xn--bcher-kva.example\\", "büch.example", "a?b", "a#b", String(repeating: "a", count: 301),
        ])
    func hosts(host: String) {
        #expect(!HelperURL.isHost(host) && TerraformHelper.request(["get", host]) == .nothing)
    }

    static func json(_ text: String) -> String {
        var escaped = ""
        for scalar in text.unicodeScalars {
            if scalar.value < 0x20 || scalar == "\"" || scalar == "\\" {
                escaped += "\\u00" + (scalar.value < 16 ? "0" : "") + String(scalar.value, radix: 16)
            } else {
                escaped.unicodeScalars.append(scalar)
            }
        }
        return "\"\(escaped)\""
    }
}

/// Documents in place of a request.
@Suite("Documents that a helper is given")
struct HostileDocumentTests {
    static let documents: [String] = [
        "", " ", "null", "[]", "\"get\"", "{", "{}", "{\"uri\":1}", "{\"uri\":null}", "{\"uri\":[\"https://a/\"]}", "{'uri':'https://a/'}",
        "{\"uri\":\"https://a/\"", "{\"uri\":\"https://a/\"}}", "{\"uri\":\"https://a/\",}", "\u{FEFF}{\"uri\":\"https://a/\"}",
        // A second value under the same name: one reader takes the first, another the last.
        "{\"uri\":\"https://a/\",\"uri\":\"https://b/\"}",
        "{\"uri\":" + String(repeating: "[", count: 10_000) + String(repeating: "]", count: 10_000) + "}",
        "{\"uri\":\"https://a/\"}\0", String(repeating: "a", count: 65536),
    ]

    @Test("an invalid request is refused", arguments: documents)
    func malformed(text: String) {
        #expect(throws: HelperOutput.self) { try BazelHelper.url(in: Array(text.utf8)) }
        guard case .malformed = CargoHelper.request(Array(text.utf8)) else {
            Issue.record("cargo takes it")
            return
        }
    }

    @Test("text that is no UTF-8 is no request")
    func invalid() {
        #expect(throws: HelperOutput.self) { try BazelHelper.url(in: Array("{\"uri\":\"https://a/".utf8) + [0xFF, 0x22, 0x7D]) }
    }
}

import PosternCore
import Testing

@Suite("A redirect URL that is handed over")
struct DeliveredRedirectTests {
    @Test(
        "is read whatever scheme it has and however it was copied",
        arguments: [
            ("http://127.0.0.1:7678/__/auth/handler?state=S&code=C", "http://127.0.0.1:7678/__/auth/handler", "/__/auth/handler"),
            ("  http://localhost:7678/__/auth/handler?state=S&code=C\n", "http://localhost:7678/__/auth/handler", "/__/auth/handler"),
            ("<http://127.0.0.1:7678/__/auth/handler?state=S&code=C>", "http://127.0.0.1:7678/__/auth/handler", "/__/auth/handler"),
            ("'https://[::1]:7678/cb?state=S&code=C'", "https://[::1]:7678/cb", "/cb"),
            ("HTTP://127.0.0.1?state=S&code=C", "HTTP://127.0.0.1", "/"),
            ("com.example.app:/oauth2redirect?state=S&code=C", "com.example.app:/oauth2redirect", "/oauth2redirect"),
            ("myapp://callback/x?state=S&code=C", "myapp://callback/x", "//callback/x"),
            ("urn:x?state=S&code=C", "urn:x", "x"),
            ("http://127.0.0.1:1/h?state=S&code=C#_=_", "http://127.0.0.1:1/h", "/h"),
            ("http://127.0.0.1:1/h#state=S&code=C", "http://127.0.0.1:1/h", "/h"),
            ("http://127.0.0.1:1/h?#state=S&code=C", "http://127.0.0.1:1/h", "/h"),
        ])
    func read(text: String, redirectURI: String, path: String) throws {
        let redirect = try DeliveredRedirect(parsing: text)
        #expect(redirect.redirectURI == redirectURI)
        #expect(redirect.callback.path == path)
        #expect(redirect.callback.method == .delivered)
        #expect(redirect.callback.parameters.state?.reveal() == "S")
        #expect(redirect.callback.parameters.code?.reveal() == "C")
    }

    @Test(
        "is refused where it is none",
        arguments: [
            ("", CallbackParseError.notARedirectURL), ("hello", .notARedirectURL), ("?state=S", .notARedirectURL),
            ("127.0.0.1:7678/h?state=S", .notARedirectURL), ("http:?state=S", .notARedirectURL), ("http:/h?state=S", .notARedirectURL),
            ("http:///h?state=S", .notARedirectURL), ("://x?state=S", .notARedirectURL), ("a_b:/x?state=S", .notARedirectURL),
            ("scheme:?state=S", .notARedirectURL), ("/__/auth/handler?state=S", .notARedirectURL),
            ("http://127.0.0.1/h", .noParameters), ("http://127.0.0.1/h?", .noParameters), ("http://127.0.0.1/h?#", .noParameters),
            ("http://127.0.0.1/h?state=S &code=C", .spaceInURL), ("http://127.0.0.1/h?state=S\n&code=C", .spaceInURL),
            ("http://127.0.0.1/h?state=S\u{0}", .spaceInURL),
            ("http://127.0.0.1/h?state=S&state=T", .repeatedParameter), ("x:/h#state=%", .invalidPercentEncoding),
        ])
    func refused(text: String, expected: CallbackParseError) {
        #expect(throws: expected) { try DeliveredRedirect(parsing: text) }
    }

    @Test("is refused where it is longer than any answer")
    func tooLong() {
        let text = "http://127.0.0.1/h?state=" + String(repeating: "a", count: DeliveredRedirect.maximumBytes)
        #expect(throws: CallbackParseError.tooLong(limit: 16384)) { try DeliveredRedirect(parsing: text) }
    }
}

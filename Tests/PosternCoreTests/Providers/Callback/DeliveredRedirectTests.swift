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
        "is refused if it is not a URL",
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

    @Test(
        "is looked for where it leads: the listener's path, or the whole of it",
        arguments: [
            ("http://127.0.0.1:7678/__/auth/handler?state=S", ["/__/auth/handler"]),
            ("https://localhost:1/__/auth/handler/work#state=S", ["/__/auth/handler/work"]), ("http://[::1]:9/?state=S", ["/"]),
            ("http://127.0.0.1:9?state=S", ["/"]),
            ("https://app.example.com/__/auth/handler?state=S", ["https://app.example.com/__/auth/handler"]),
            ("http://evil.example/__/auth/handler?state=S", ["http://evil.example/__/auth/handler"]),
            ("http://127.0.0.1.evil.example/__/auth/handler?state=S", ["http://127.0.0.1.evil.example/__/auth/handler"]),
            ("http://127.0.0.1@evil.example/__/auth/handler?state=S", ["http://127.0.0.1@evil.example/__/auth/handler"]),
            ("com.example.app:/__/auth/handler?state=S", ["com.example.app:/__/auth/handler"]),
        ])
    func places(text: String, places: [String]) throws {
        #expect(try DeliveredRedirect(parsing: text).places == places)
    }

    private static let scheme = "app-1-1234567890-ios-abcdef://firebaseauth/link"

    @Test(
        "of Firebase's form carries the answer in a link, or in a link in that link",
        arguments: [
            "https%3A%2F%2Fapp.example.com%2F__%2Fauth%2Fhandler%3Fstate%3DS%26code%3DC%2520D",
            "https%3A%2F%2Fapp.example.com%2F__%2Fauth%2Fhandler%23state%3DS%26code%3DC%2520D",
            "https%3A%2F%2Fx.example%2F__%2Fauth%2Fcallback%3FauthType%3DsignInWithRedirect%26eventId%3DE%26link%3D"
                + "https%253A%252F%252Fapp.example.com%252F__%252Fauth%252Fhandler%253Fstate%253DS%2526code%253DC%252520D",
        ])
    func linked(link: String) throws {
        let redirect = try DeliveredRedirect(parsing: "\(Self.scheme)?deep_link_id=\(link)")
        #expect(redirect.callback.parameters.state?.reveal() == "S" && redirect.callback.parameters.code?.reveal() == "C D")
        #expect(redirect.places == [Self.scheme, "https://app.example.com/__/auth/handler"])
    }

    @Test("with a link to this machine does not come by the listener's path")
    func linkedLoopback() throws {
        let link = "http%3A%2F%2F127.0.0.1%3A1%2F__%2Fauth%2Fhandler%3Fstate%3DS"
        #expect(
            try DeliveredRedirect(parsing: "\(Self.scheme)?deep_link_id=\(link)").places == [Self.scheme, "http://127.0.0.1:1/__/auth/handler"])
    }

    @Test("that says a state itself is the answer itself, whatever link stands beside it")
    func ownState() throws {
        let redirect = try DeliveredRedirect(parsing: "\(Self.scheme)?state=S&deep_link_id=https%3A%2F%2Fx.example%2F%3Fstate%3DT")
        #expect(redirect.callback.parameters.state?.reveal() == "S")
        #expect(redirect.places == [Self.scheme])
    }

    @Test(
        "with a link that is none is refused",
        arguments: [
            "javascript%3Aalert(1)%3Fstate%3DS", "com.example.app%3A%2Fx%3Fstate%3DS", "https%3A%2F%2Fx.example%2F", "x",
            "https%3A%2F%2Fx.example%2F%3Fstate%3DS%20T",
        ])
    func badLink(link: String) {
        #expect(throws: CallbackParseError.self) { try DeliveredRedirect(parsing: "\(Self.scheme)?deep_link_id=\(link)") }
    }

    @Test("is refused where it is longer than any answer")
    func tooLong() {
        let text = "http://127.0.0.1/h?state=" + String(repeating: "a", count: DeliveredRedirect.maximumBytes)
        #expect(throws: CallbackParseError.tooLong(limit: 16384)) { try DeliveredRedirect(parsing: text) }
    }
}

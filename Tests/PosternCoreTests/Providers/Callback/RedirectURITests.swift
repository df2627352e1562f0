import PosternCore
import Testing

@Suite("A redirect URI that is configured")
struct RedirectURITests {
    @Test(
        "is a page elsewhere, or has an application's own scheme, and is kept byte for byte",
        arguments: [
            ("https://app.example.com/__/auth/handler", RedirectURI.relay("https://app.example.com/__/auth/handler")),
            ("https://App.Example.com:8443/x", .relay("https://App.Example.com:8443/x")),
            ("com.example.app:/callback", .privateScheme("com.example.app:/callback")),
            ("com.example.app:callback", .privateScheme("com.example.app:callback")),
            ("app-1-1234567890-ios-abcdef://firebaseauth/link", .privateScheme("app-1-1234567890-ios-abcdef://firebaseauth/link")),
            (
                "com.googleusercontent.apps.1234567890-abc:/oauth2redirect",
                .privateScheme("com.googleusercontent.apps.1234567890-abc:/oauth2redirect")
            ),
        ])
    func good(text: String, expected: RedirectURI) throws {
        #expect(try RedirectURI(parsing: text) == expected)
        #expect(expected.text == text)
    }

    @Test(
        "is refused where no answer could come back by it, or somebody else's",
        arguments: [
            ("http://app.example.com/x", RedirectURIError.endpoint(.plainHTTP(host: "app.example.com"))),
            ("https://127.0.0.1/x", .loopback), ("http://localhost:7678/__/auth/handler", .loopback), ("https://[::1]:1/x", .loopback),
            ("https://app.example.com", .noPath), ("https://app.example.com/x?y=z", .query),
            ("https://app.example.com/x#y", .endpoint(.fragment)),
            ("https://ada@app.example.com/x", .endpoint(.userInformation)), ("https:/x", .endpoint(.notAbsolute)),
            ("javascript:alert(1)", .commonScheme("javascript")), ("mailto:/x", .commonScheme("mailto")),
            ("myapp:/x", .commonScheme("myapp")),
            ("file:///etc/passwd", .commonScheme("file")), ("chrome-extension://abc/x", .commonScheme("chrome-extension")),
            ("view-source:/x", .commonScheme("view-source")), ("web+com.example:/x", .commonScheme("web+com.example")),
            ("Com.Example.App:/callback", .invalidScheme), ("1com.example:/x", .invalidScheme), ("com.example", .invalidScheme),
            ("", .invalidScheme),
            ("com example.app:/x", .invalidScheme), ("com.example.app:", .noPath), ("com.example.app:/x?y", .query),
            ("com.example.app:/x#y", .query),
            ("com.example.app:/x\"y", .invalidPath), ("com.example.app:/x y", .invalidPath), ("com.example.app:/x'y", .invalidPath),
        ])
    func bad(text: String, expected: RedirectURIError) {
        #expect(throws: expected) { try RedirectURI(parsing: text) }
        #expect(!expected.description.isEmpty)
    }
}

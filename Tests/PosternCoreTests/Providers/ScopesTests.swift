import Testing

@testable import PosternCore

@Suite struct ScopesTests {
    @Test("A program's scopes go before the configured ones")
    func chosen() throws {
        #expect(try Provider.oauth2().scopesToRequest(nil) == ["profile"])
        #expect(try Provider.oauth2().scopesToRequest(["repo", "gist", "repo"]) == ["repo", "gist"])
        #expect(try Provider.oauth2().scopesToRequest([]) == [])
    }

    @Test("An OpenID provider is always asked for openid")
    func openID() throws {
        #expect(try Provider.openID().scopesToRequest(["email"]) == ["openid", "email"])
        #expect(try Provider.openID().scopesToRequest(["email", "openid"]) == ["email", "openid"])
    }

    @Test(
        "A scope is printable ASCII without spaces, quotation marks and backslashes",
        arguments: [
            ("repo", true), ("read:user", true), ("https://www.googleapis.com/auth/userinfo.email", true), ("!#[]^~", true),
            ("", false), ("a b", false), ("a\"b", false), ("a\\b", false), ("a\n", false), ("é", false), ("\u{7F}", false),
            (String(repeating: "a", count: 256), false),
        ])
    func validity(scope: String, isValid: Bool) {
        #expect(Scopes.isValid(scope) == isValid)
        #expect((try? Provider.oauth2().scopesToRequest([scope])) == (isValid ? [scope] : nil))
    }

    @Test("The error names the scope, cleaned")
    func message() {
        let error = #expect(throws: InvalidScope.self) { try Provider.oauth2().scopesToRequest(["a\u{1B}[0m b"]) }
        #expect(error?.description.hasPrefix("a[0m b is not a valid scope") == true)
        #expect(InvalidScope(scope: nil).description == "a scope is empty; leave it out")
    }
}

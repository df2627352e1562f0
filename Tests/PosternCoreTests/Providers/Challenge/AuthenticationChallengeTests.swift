import PosternCore
import Testing

@Suite("The challenges of an answer")
struct AuthenticationChallengeTests {
    /// Each is one field; the result is each challenge as its scheme and its parameters in the order of their names.
    @Test(
        "are read as RFC 9110 writes them",
        arguments: [
            ("Bearer", ["bearer"]),
            ("bearer realm=\"x\"", ["bearer realm=x"]),
            ("Bearer realm=x", ["bearer realm=x"]),
            ("Bearer Realm = \"x\" , ERROR=\"invalid_token\"", ["bearer error=invalid_token realm=x"]),
            ("Bearer scope=\"a b\", error=\"insufficient_scope\"", ["bearer error=insufficient_scope scope=a b"]),
            ("Bearer realm=\"say \\\"a, b\\\" \\\\ c\"", ["bearer realm=say \"a, b\" \\ c"]),
            ("Bearer realm=\"\"", ["bearer realm="]),
            ("Bearer realm=\"é\"", ["bearer realm=é"]),
            ("Basic realm=\"a\", Bearer error=\"invalid_token\"", ["basic realm=a", "bearer error=invalid_token"]),
            ("DPoP algs=\"ES256\", error=\"use_dpop_nonce\", Bearer", ["dpop algs=ES256 error=use_dpop_nonce", "bearer"]),
            ("Negotiate, Basic realm=a,, ,Bearer", ["negotiate", "basic realm=a", "bearer"]),
            ("Negotiate YII+/a~b==, Bearer realm=x", ["negotiate", "bearer realm=x"]),
            ("Negotiate oYG=", ["negotiate"]), ("Bearer realm", ["bearer"]),
            (" , Bearer realm=x ,", ["bearer realm=x"]),
            (
                "Newauth realm=\"apps\", type=1,\ttitle=\"Login to \\\"apps\\\"\", Basic realm=\"simple\"",
                ["newauth realm=apps title=Login to \"apps\" type=1", "basic realm=simple"]
            ),
            (
                "Bearer resource_metadata=\"https://e.example/.well-known/oauth-protected-resource\"",
                ["bearer resource_metadata=https://e.example/.well-known/oauth-protected-resource"]
            ),
            ("", []), (" ", []), (",", []),
        ] as [(String, [String])])
    func wellFormed(field: String, challenges: [String]) { #expect(Self.read([field]) == challenges) }

    @Test(
        "that can be read in two ways are not read",
        arguments: [
            "Bearer realm=\"x\", realm=\"y\"", "Bearer error=a, ERROR=b", "Bearer realm=\"x", "Bearer realm=\"x\\", "Bearer realm=\"x\\\"",
            "Bearer realm=\"x\"y", "Bearer realm=x y", "Bearer realm=x error=y", "Bearer realm=x, =y", "=x", "Bearer =x",
            "Bearer realm==x", "Bearer realm=\u{1}", "Bearer realm=\"a\u{0}b\"", "Bearer realm=\"a\r\nSet-Cookie: b\"", "Bearer realm=\"\\\u{7}\"",
            "Bearer realm=\"a\u{7F}\"", "Bearer/realm=x", "Bearer: realm=x", "OAuth \"Facebook Platform\" \"invalid_token\" \"Error validating\"",
            "Bearer realm='x y'", "Bearer error=\"invalid_token\"; scope=\"a\"", "é", "\"Bearer\"", "Bearer a b", "Bearer abc=d=",
            String(repeating: "a", count: 8193), String(repeating: "A,", count: 33), "B " + (0..<33).map { "p\($0)=x" }.joined(separator: ","),
            "Bearer \u{301}realm=x",
        ])
    func malformed(field: String) {
        #expect(Self.read([field]) == [])
        #expect(Self.read([field, "Bearer error=invalid_token"]) == ["bearer error=invalid_token"])
    }

    @Test("are bounded in their number, and those that are beyond it do not take the place of the others")
    func bounds() {
        let many = Array(repeating: "A, B, C", count: 20)
        #expect(Self.read(many).count == 30)
        #expect(Self.read(Array(repeating: "A", count: 20)).count == 16)
        #expect(Self.read([String(repeating: "A,", count: 32)]).count == 32)
    }

    private static func read(_ fields: [String]) -> [String] {
        AuthenticationChallenge.all(in: fields).map { challenge in
            ([challenge.scheme] + challenge.parameters.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }).joined(separator: " ")
        }
    }
}

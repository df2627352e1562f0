import Testing

@testable import PosternConfiguration

@Suite("What a change of a file shows")
struct ChangeLinesTests {
    private func lines(_ before: String, _ after: String) -> [String] {
        ConfigurationText.Change(file: "/x.toml", before: Array(before.utf8), after: Array(after.utf8), isNew: false).lines
    }

    @Test("Keys that go, then keys that come; what stays is not shown")
    func keys() {
        let before = "# mine\n[sign-in]\ntimeout = \"10m\"\n[provider.\"github.com\"]\nclient-id = \"a\"\nscopes = [\"repo\"]\n"
        let after = "[sign-in]\ntimeout = \"5m\"\n[provider]\n\"github.com\" = { client-id = \"a\", \"scopes\" = [ \"repo\" ] }\n[callback]\nport = 1\n"
        #expect(lines(before, after) == ["- sign-in.timeout = \"10m\"", "+ sign-in.timeout = \"5m\"", "+ callback.port = 1"])
        #expect(lines("", "[provider.\"token.example\"]\nkind = \"oidc\"\n") == ["+ provider.\"token.example\".kind = \"oidc\""])
        #expect(lines(before, before).isEmpty)
    }

    @Test("Where a secret is kept is shown")
    func places() {
        let place = "provider.a.client-secret = { file = \"~/a.secret\" }"
        #expect(lines("", place) == ["+ " + place])
        #expect(lines("", "store.key = \"secret-service\"") == ["+ store.key = \"secret-service\""])
        #expect(lines("", "provider.a.client-secret = { command = [\"pass\", \"a\"] }").first?.contains("pass") == true)
    }

    @Test(
        "No literal secret is shown, however it is spelled",
        arguments: [
            "[provider.a]\nclient-secret = \"HUSH\"", "[provider.a]\n\"client-secret\" = 'HUSH'", "[provider.a]\n\"client\\u002Dsecret\" = 'HUSH'",
            "[provider]\na = { kind = \"oidc\", client-secret = \"HUSH\" }", "provider = { a = { \"client-secret\" = 'HUSH' } }",
            "provider.a = { client-secret = \"\"\"\nHUSH\"\"\", client-id = \"x\" }", "[provider.a]\nclient-secret = \"\"\"\nHUSH\nHUSH\"\"\"",
            "[provider.a]\nclient-secret = '''\nHUSH'''", "[provider.a]\nclient-secret = \"\"\"HU\\\n   SH\"\"\"",
            "[provider.a]\nclient-secret = \"\\u0048USH\"", "provider.a.client-secret=\"HUSH\"", "provider . a . client-secret\t=\t\"HUSH\"",
            "[provider.a] # client-secret = \"HUSH\"\nclient-id = \"x\" # HUSH\n# client-secret = \"HUSH\"", "[provider.a]\napi-secret = \"HUSH\"",
            "[provider.\"apple.com\"]\nsigning-key = \"\"\"\n-----BEGIN PRIVATE KEY-----\nHUSH\n\"\"\"", "[accounts]\napi-key = \"HUSH\"",
            "[provider.\"facebook.com\"]\nclient-token = \"HUSH\"", "second-factor.phone = { gateway-token = \"HUSH\" }",
            // Not taken, but what is there before a change may be wrong.
            "[provider.a]\nclient-secret = [\"HUSH\"]", "[provider.a]\nclient-secret = { literal = \"HUSH\" }", "[provider.a]\nclient-secret = { file = [\"HUSH\"] }",
            "[provider.a]\nclient-secret = { file = \"x\", y = \"HUSH\" }", "[provider.a]\nclient_secret = \"HUSH\"", "[provider.a]\nClient-Secret = \"HUSH\"",
            "[provider]\nclient-secret = \"HUSH\"", "client-secret = \"HUSH\"", "[[provider]]\nclient-secret = \"HUSH\"", "[provider.a.b]\nclient-secret = \"HUSH\"",
            "provider = [{ a = [{ client-secret = \"HUSH\" }] }]", "[provider.a]\nclient-secret.x = { y = \"HUSH\" }", "[provider.a]\npassword = \"HUSH\"",
            "[store]\nkey = \"HUSH\"", "store.key = [\"HUSH\"]", "[provider.a]\nclient-authentication = \"HUSH\"",
        ])
    func secrets(text: String) {
        for lines in [lines(text, ""), lines("", text), lines(text, text.replacingHush), lines(text.replacingHush, text)] {
            #expect(!lines.contains { $0.contains("HUSH") || $0.contains("PSST") || $0.contains("\n") })
        }
        if !text.contains("#") { #expect(!lines(text, "").isEmpty) }
    }

    @Test("That a secret has changed is shown")
    func changed() {
        #expect(lines("provider.a.client-secret = 'HUSH'", "provider.a.client-secret = 'PSST'").count == 2)
    }
}

extension String {
    /// Another secret in the same spelling.
    fileprivate var replacingHush: String { split(separator: "HUSH", omittingEmptySubsequences: false).joined(separator: "PSST") }
}

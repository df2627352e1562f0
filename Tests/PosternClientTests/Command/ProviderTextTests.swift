import PosternInterface
import Testing

@testable import postern

@Suite("A provider's set-up in words")
struct ProviderTextTests {
    private func lines(_ id: String, kind: Provider.Kind = .oauth2, problem: String? = nil) -> [String] {
        ProviderText.lines(
            for: Provider(
                providerID: id, displayName: "Name", kind: kind, flows: [.browser], scopes: ["a"],
                redirectURI: "http://127.0.0.1:7678/__/auth/handler", configured: problem == nil, problem: problem))
    }

    @Test("the callback URL to register is there, and where the ID and the secret go")
    func setUp() {
        let lines = lines("github.com", problem: "client-id is missing")
        #expect(lines.contains("  http://127.0.0.1:7678/__/auth/handler"))
        #expect(lines.contains { $0.contains("~/.config/postern/config.toml") })
        #expect(lines.contains("  client-secret = { file = \"~/.config/postern/github.secret\" }"))
        #expect(lines.contains("  (umask 077; cat > ~/.config/postern/github.secret)"))
        #expect(lines.contains { $0.hasPrefix("ready") && $0.hasSuffix("no: client-id is missing") })
    }

    @Test(
        "the table's name is quoted where TOML wants it",
        arguments: [("github.com", "  [provider.\"github.com\"]"), ("work", "  [provider.work]"), ("a-b_1", "  [provider.a-b_1]")])
    func header(id: String, header: String) {
        #expect(lines(id).contains(header))
    }

    @Test("an OpenID provider's lines are a whole configuration")
    func oidc() {
        let lines = lines("work", kind: .oidc)
        #expect(lines.contains("  kind = \"oidc\""))
        #expect(lines.contains { $0.hasPrefix("  issuer = \"https://…\"") })
        #expect(lines.contains { $0.hasPrefix("  client-secret = { file = \"~/.config/postern/work.secret\" }") })
    }

    @Test("an OAuth 1.0a provider has other keys")
    func oauth1() {
        #expect(lines("twitter.com", kind: .oauth1).contains { $0.contains("api-key") })
    }
}

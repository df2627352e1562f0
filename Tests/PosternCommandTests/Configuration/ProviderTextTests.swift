import PosternClient
import Testing

@testable import TestDaemon
@testable import postern

@Suite("A provider's set-up in words")
struct ProviderTextTests {
    private func lines(
        _ id: String, kind: Provider.Kind = .oauth2, problem: String? = "client-id is missing",
        redirectURI: String? = "http://127.0.0.1:7678/__/auth/handler"
    ) -> [String] {
        ProviderText.lines(
            for: Provider(
                providerID: id, displayName: "Name", kind: kind, flows: [.browser], scopes: ["a"], redirectURI: redirectURI,
                configured: problem == nil, problem: problem))
    }

    @Test("where no callback URL of this machine is taken, the way round is told, with the provider's own keys")
    func elsewhere() {
        let lines = lines("apple.com", kind: .oidc, redirectURI: nil)
        #expect(lines.contains("Name does not redirect to an address of this machine: it accepts only https pages with a domain name."))
        #expect(lines.contains { $0.hasSuffix("redirect-uri.") })
        #expect(lines.contains { $0.hasPrefix("  team-id = ") } && lines.contains { $0.contains("AuthKey_*.p8") })
        #expect(!lines.contains { $0.contains("register this") || $0.contains("client-secret") })
    }

    @Test("a live Facebook app is told what it takes, until it has it")
    func liveApp() {
        #expect(lines("facebook.com", redirectURI: "http://localhost:7678/__/auth/handler").contains { $0.contains("A live app") })
        #expect(!lines("facebook.com", redirectURI: "https://app.example.com/__/auth/handler").contains { $0.contains("A live app") })
        #expect(!lines("github.com").contains { $0.contains("A live app") })
    }

    @Test(
        "a built-in provider's lines name its own keys, and nothing that is known already",
        arguments: [("google.com", "hd = "), ("microsoft.com", "tenant = "), ("gitlab.com", "host = "), ("github.com", "host = ")])
    func builtIn(id: String, key: String) {
        let lines = lines(id, kind: .oidc)
        #expect(lines.contains { $0.contains(key) })
        #expect(!lines.contains { $0.contains("issuer") || $0.contains("kind = ") })
        #expect(lines.contains { $0.contains("register this") } == (id != "google.com"))
        #expect(lines.contains { $0.contains("client-secret") } == (id != "microsoft.com"))
    }

    @Test(
        "what has to be ticked at the provider is there with the scopes",
        arguments: [("gitlab.com", "Tick these"), ("google.com", "Data Access"), ("microsoft.com", "API permissions"), ("github.com", nil)])
    func boxes(id: String, heading: String?) {
        let lines = lines(id, kind: .oidc)
        #expect(lines.firstIndex(of: "  a").map { lines[$0 - 1].contains(heading ?? "?") } == heading.map { _ in true })
    }

    @Test("the callback URL to register is there, and where the ID and the secret go")
    func setUp() {
        let lines = lines("github.com")
        #expect(lines.contains("  http://127.0.0.1:7678/__/auth/handler"))
        #expect(lines.contains { $0.contains("~/.config/postern/config.toml") })
        #expect(lines.contains("  client-secret = { file = \"~/.config/postern/github.secret\" }"))
        #expect(lines.contains("  (umask 077; mkdir -p ~/.config/postern && cat > ~/.config/postern/github.secret)"))
        #expect(lines.contains { $0.hasPrefix("ready") && $0.hasSuffix("no: client-id is missing") })
    }

    @Test(
        "the table's name is quoted where TOML wants it",
        arguments: [("github.com", "  [provider.\"github.com\"]"), ("work", "  [provider.work]"), ("a-b_1", "  [provider.a-b_1]")])
    func header(id: String, header: String) {
        #expect(lines(id).contains(header))
    }

    @Test("an OpenID provider of one's own is asked for what is missing, not for what its section has")
    func oidc() {
        let lines = lines("work", kind: .oidc)
        #expect(lines.contains("  [provider.work]") && lines.contains("  client-id = \"…\""))
        #expect(lines.contains { $0.hasPrefix("  client-secret = { file = \"~/.config/postern/work.secret\" }") })
        #expect(!lines.contains { $0.contains("issuer") || $0.contains("kind = ") })
    }

    @Test("where all is configured there is nothing to fill in, and the callback URL is told anyway")
    func configured() {
        let lines = lines("work", kind: .oidc, problem: nil)
        #expect(lines.contains("  http://127.0.0.1:7678/__/auth/handler"))
        #expect(lines.last == "Its configuration is complete. Try it with: postern provider check work")
        #expect(!lines.contains { $0.contains("…") || $0.contains("umask") })
    }

    @Test(
        "files are named where the configuration is",
        arguments: [
            (["HOME": "/home/ada"], "~/.config/postern"), (["HOME": "/home/ada", "XDG_CONFIG_HOME": "/home/ada/c"], "~/c/postern"),
            (["HOME": "/home/ada", "XDG_CONFIG_HOME": "/etc/c"], "/etc/c/postern"), (["XDG_CONFIG_HOME": "c"], "~/.config/postern"),
            (["HOME": "/home/ada", "XDG_CONFIG_HOME": "/home/adam"], "/home/adam/postern"),
        ])
    func directory(environment: [String: String], expected: String) {
        #expect(ConfigurationPlace.shown(in: environment) == expected)
        let provider = Provider(
            providerID: "github.com", displayName: "GitHub", kind: .oauth2, flows: [], scopes: [], configured: false)
        let lines = ProviderText.lines(for: provider, directory: expected)
        #expect(lines.contains { $0.hasSuffix(" \(expected)/config.toml:") })
        #expect(lines.contains("  client-secret = { file = \"\(expected)/github.secret\" }"))
    }

    @Test("an OAuth 1.0a provider has other keys")
    func oauth1() {
        let lines = lines("twitter.com", kind: .oauth1)
        #expect(lines.contains("  [provider.\"twitter.com\"]") && lines.contains("  api-key = \"…\""))
        #expect(lines.contains("  api-secret = { file = \"~/.config/postern/twitter.secret\" }"))
    }

    @Test("X is told the whole callback URL, and that its port stays", arguments: ["twitter.com", "x.com"])
    func exactCallback(id: String) {
        let lines = lines(id)
        #expect(lines.contains("  http://127.0.0.1:7678/__/auth/handler"))
        #expect(lines.contains { $0.hasPrefix("X compares it exactly, port and all") })
    }

    @Test("Limited Login has neither a secret nor an issuer to fill in")
    func limited() {
        let lines = lines("facebook.com", kind: .oidc, redirectURI: "http://localhost:7678/__/auth/handler")
        #expect(lines.contains("  [provider.\"facebook.com\"]") && lines.contains("  limited = true"))
        #expect(!lines.contains { $0.contains("issuer") || $0.contains("kind = ") || $0.contains("client-secret") || $0.contains("umask") })
        #expect(lines.contains { $0.contains("A live app") } && lines.last == "To apply it: postern reload")
    }

    @Test("where an answer is posted, a static page is not said to hand it on", arguments: [("apple.com", true), ("facebook.com", false)])
    func relay(id: String, isPosted: Bool) {
        let lines = lines(id, redirectURI: "https://app.example.com/__/auth/handler")
        #expect(lines.contains("  https://app.example.com/__/auth/handler"))
        #expect(lines.contains { $0.contains("status 307") } == isPosted)
        #expect(lines.contains { $0.contains("man postern-relay") } != isPosted)
    }
}

import PosternCore
import Testing

/// Which endpoints are an issuer's own is decided in one place, from the names alone.
@Suite("The endpoints of an issuer")
struct IssuerBindingTests {
    private func server(_ issuer: String, agreed: [String] = []) throws -> Provider {
        var server = MCPServer(url: try EndpointURL("https://mcp.example/mcp"))
        server.endpointHosts = Set(agreed.compactMap(EndpointHost.init(written:)))
        return Provider(id: "linear", of: server).located(at: issuer, for: nil)
    }

    private func known(_ issuer: String, token: String? = nil) -> KnownIssuer {
        var provider = Provider(id: "bank", displayName: "Bank", kind: .oauth2)
        provider.issuer = issuer
        provider.endpoints.token = token
        return KnownIssuer(provider)
    }

    private enum Outcome: Sendable { case own, unknown, another }

    private func outcome(_ endpoint: String, _ binding: IssuerBinding) throws -> Outcome {
        switch binding.objection(to: try EndpointURL(endpoint)) {
        case nil: .own
        case .unknown: .unknown
        case .another: .another
        }
    }

    @Test(
        "are at its host or below it, whatever case, port and path",
        arguments: [
            ("https://as.example", "https://as.example/token", true), ("https://as.example/tenant", "https://AS.example:8443/x?y=z", true),
            ("https://as.example", "https://login.as.example/token", true),
            ("https://login.as.example", "https://as.example/token", false), ("https://as.example", "https://evil-as.example/token", false),
            ("https://as.example", "https://as.example.evil.example/token", false), ("https://1.2.3.4", "https://1.2.3.4/token", true),
            ("https://2.3.4", "https://1.2.3.4/token", false), ("https://[2001:db8::1]", "https://[2001:DB8::1]/token", true),
            ("http://127.0.0.1:7000", "http://127.0.0.1:7000/token", true), ("http://127.0.0.1:7000", "http://127.0.0.1:7001/token", false),
            ("https://localhost:7000", "https://a.localhost:7000/token", false), ("https://example", "https://a.example/token", true),
        ])
    func ownHost(issuer: String, endpoint: String, isOwn: Bool) throws {
        let binding = IssuerBinding(of: try server(issuer), beside: [])
        #expect(try outcome(endpoint, binding) == (isOwn ? .own : .unknown))
    }

    @Test(
        "are also where the user agreed, but not below that, and never where another known issuer has some",
        arguments: [
            ("https://login.example/token", .own), ("https://LOGIN.example/token", .own), ("https://a.login.example/token", .unknown),
            ("https://127.0.0.1:8080/token", .own), ("https://127.0.0.1:8081/token", .unknown), ("https://bank.example/token", .another),
            ("https://tokens.bank.example/token", .another), ("https://github.com/login/oauth/access_token", .another),
            ("https://oauth2.googleapis.com/token", .another),
        ] as [(String, Outcome)])
    private func agreedHost(endpoint: String, expected: Outcome) throws {
        let provider = try server(
            "https://as.example", agreed: ["Login.Example", "127.0.0.1:8080", "bank.example", "tokens.bank.example", "github.com"])
        let bank = known("https://bank.example", token: "https://tokens.bank.example/token")
        let binding = IssuerBinding(of: provider, beside: [bank] + KnownIssuer.builtIn)
        #expect(try outcome(endpoint, binding) == expected)
    }

    @Test(
        "are where the catalogue or the configuration has them, if the issuer is the same",
        arguments: [
            ("https://accounts.google.com", "https://oauth2.googleapis.com/token", .own),
            ("https://accounts.google.com/", "https://oauth2.googleapis.com/token", .own),
            ("https://accounts.google.com/other", "https://oauth2.googleapis.com/token", .another),
            ("https://github.com/login/oauth", "https://api.github.com/token", .own),
            ("https://bank.example", "https://tokens.bank-cdn.example/token", .own),
            ("https://evil.example", "https://tokens.bank-cdn.example/token", .another),
        ] as [(String, String, Outcome)])
    private func knownIssuer(issuer: String, endpoint: String, expected: Outcome) throws {
        let bank = known("https://bank.example", token: "https://tokens.bank-cdn.example/token")
        let binding = IssuerBinding(of: try server(issuer), beside: [bank] + KnownIssuer.builtIn)
        #expect(try outcome(endpoint, binding) == expected)
    }

    @Test("of another MCP server are not known, since a stranger named them, but an issuer that its section names is")
    func otherServers() throws {
        var other = MCPServer(url: try EndpointURL("https://other.example/mcp"))
        let found = KnownIssuer(Provider(id: "other", of: other).located(at: "https://as.other.example", for: nil))
        other.issuer = "https://chosen.example"
        let chosen = KnownIssuer(Provider(id: "other", of: other))
        let binding = IssuerBinding(of: try server("https://evil.example"), beside: [found, chosen])
        #expect(try outcome("https://as.other.example/token", binding) == .unknown)
        #expect(try outcome("https://chosen.example/token", binding) == .another)
    }

    @Test("of a provider that the configuration names are wherever its metadata say")
    func chosenProvider() throws {
        var provider = Provider(id: "work", displayName: "Work", kind: .oidc)
        provider.issuer = "https://pool.example"
        #expect(try outcome("https://auth.example/token", IssuerBinding(of: provider, beside: KnownIssuer.builtIn)) == .own)
    }

    @Test(
        "take a refresh token where it was issued; metadata can move that only within the issuer's own hosts",
        arguments: [
            ("tokens.example", "https://tokens.example/other", true), ("tokens.example", "https://elsewhere.example/token", false),
            ("tokens.example", "https://pool.example/token", false), ("pool.example", "https://tokens.example/token", false),
            ("pool.example", "https://new.pool.example/token", true), ("old.pool.example", "https://pool.example/token", true),
            (nil, "https://tokens.example/token", true),
        ])
    func renewal(issuedAt: String?, endpoint: String, isSent: Bool) throws {
        var provider = Provider(id: "work", displayName: "Work", kind: .oidc)
        provider.issuer = "https://pool.example"
        let grant = Grant(
            accessToken: Secret("at"), tokenType: "Bearer", refreshToken: Secret("rt"), scopes: [], obtainedAt: Timestamp(milliseconds: 0),
            tokenHost: issuedAt.flatMap(EndpointHost.init(written:)))
        func isTaken(by provider: Provider) throws -> Bool {
            let url = try EndpointURL(endpoint)
            do throws(EndpointRefusal) { try IssuerBinding(of: provider, beside: []).check(renewalOf: grant, at: url) } catch {
                #expect("\(error)".contains(issuedAt ?? "") && "\(error)".contains(url.host) && !"\(error)".contains("rt,"))
                return false
            }
            return true
        }
        #expect(try isTaken(by: provider) == isSent)
        // What a person writes down is moved by that person.
        provider.endpoints.token = endpoint
        #expect(try isTaken(by: provider))
    }

    @Test("are refused in a sentence with the command that agrees to them, if that is possible")
    func sentence() throws {
        let metadata = try ProviderMetadata(
            parsing: Array(
                #"{"issuer":"https://evil.example","authorization_endpoint":"https://evil.example/a","token_endpoint":"https://b.example/t","registration_endpoint":"https://c.example/r"}"#
                    .utf8), expectedIssuer: "https://evil.example")
        func refusal(_ binding: IssuerBinding) -> String {
            do throws(EndpointRefusal) {
                try binding.check(metadata)
                return ""
            } catch { return "\(error)" }
        }
        var provider = try server("https://evil.example")
        provider.server?.url = try EndpointURL("https://mcp.example/mcp?a=1&b='2'")
        let unknown = refusal(IssuerBinding(of: provider, beside: []))
        for words in [
            "token_endpoint at b.example; registration_endpoint at c.example",
            "postern mcp add 'https://mcp.example/mcp?a=1&b=%272%27' --as linear --endpoint-host b.example --endpoint-host c.example",
        ] { #expect(unknown.contains(words), "\(unknown)") }
        let another = refusal(IssuerBinding(of: provider, beside: [known("https://c.example")]))
        #expect(another.contains("registration_endpoint at c.example") && another.contains("https://c.example"), "\(another)")
        #expect(!another.contains("--endpoint-host"), "\(another)")
    }

    @Test(
        "are at hosts that can be written down and read again",
        arguments: [
            ("https://Login.Example.com:8443/a", "login.example.com"), ("https://[2001:db8::1]/", "[2001:db8::1]"),
            ("http://127.0.0.1:81/", "127.0.0.1:81"), ("http://[::1]:81/", "[::1]:81"), ("https://localhost/", "localhost:443"),
        ])
    func written(url: String, text: String) throws {
        let host = EndpointHost(try EndpointURL(url))
        #expect(host.description == text && EndpointHost(written: text) == host)
    }

    @Test("are not at what is no host", arguments: ["", "https://a.example", "a.example/x", "a.example?x", "user@a.example", "a b", "a.example:x"])
    func noHost(text: String) { #expect(EndpointHost(written: text) == nil) }
}

import PosternConfiguration
import PosternCore
import Testing

@Suite("MCP servers in the configuration")
struct MCPTests {
    private static let url = "url = \"https://mcp.example/mcp\"\n"

    @Test("Each is a provider with its URL, and registers its client unless one is named")
    func keys() throws {
        let configuration = try Reading.read(
            """
            [registration]
            client-document = "https://me.example/client.json"
            [mcp.linear]
            url = "https://mcp.example/mcp"
            login = "ada@example.com"
            scopes = ["read"]
            issuer = "https://as.example"
            endpoint-hosts = ["Login.example", "127.0.0.1:8080"]
            resource = false
            registration = "dynamic"
            keep-fresh = true
            [mcp.work]
            url = "https://mcp.example/mcp"
            client-id = "mine"
            issuer = "https://as.example"
            client-secret = { env = "SECRET" }
            """)
        let linear = try #require(configuration.provider("linear")?.provider)
        #expect(linear.kind == .oauth2 && linear.serves.map(\.text) == ["https://mcp.example/mcp"] && linear.problem == nil)
        #expect(linear.extensions.registersClient && linear.scopes == ["read"] && linear.hasChosenScopes)
        let server = try #require(linear.server)
        #expect(server.login == "ada@example.com" && server.issuer == "https://as.example" && server.keepsFresh)
        #expect(!server.sendsResource && server.prefersRegistration)
        #expect(Set(server.endpointHosts.map(\.description)) == ["login.example", "127.0.0.1:8080"])
        let work = try #require(configuration.provider("work"))
        #expect(work.provider.clientID == "mine" && !work.provider.extensions.registersClient && work.secret != nil)
        #expect(configuration.registration.clientDocument == "https://me.example/client.json")
    }

    @Test(
        "What cannot be meant is refused by its key",
        arguments: [
            ("[mcp.x]\n", "needs url"), ("[mcp.x]\nurl = \"ftp://x\"", "url in [mcp.x]"), ("[mcp.x]\nurl = \"http://x.example/\"", "url in [mcp.x]"),
            ("[mcp.x]\nurl = \"https://x.example/#b\"", "url in [mcp.x]"), ("[mcp.x]\n\(url)registration = \"document\"", "\"dynamic\""),
            ("[mcp.x]\n\(url)client-id = \"a\"", "needs issuer"), ("[mcp.x]\n\(url)client-secret = \"s\"", "needs client-id"),
            ("[mcp.x]\n\(url)serves = [\"https://a.example\"]", "unknown key serves"),
            ("[mcp.x]\n\(url)client-id = \"a\"\nregistration = \"dynamic\"", "must be left out"),
            ("[mcp.x]\n\(url)endpoint-hosts = [\"https://a.example\"]", "must be host names"),
            ("[mcp.x]\n\(url)endpoint-hosts = \"a.example\"", "endpoint-hosts"),
            ("[mcp.x]\n\(url)scopes = [\"a b\"]", "scopes"), ("[mcp.\"github.com\"]\n\(url)", "is the name of a provider"),
            ("[mcp.firebase]\n\(url)", "reserved"), ("[mcp]\nx = 1", "must be a table"),
            ("[mcp.x]\n\(url)[account.y]\nprovider = \"x\"", "another [mcp.NAME]"),
            ("[mcp.x]\n\(url)[account.x]\nprovider = \"github.com\"", "is the name of a provider"),
            ("[registration]\nclient-document = \"http://127.0.0.1/c.json\"", "client-document"),
            ("[registration]\nclient-document = \"https://me.example/\"", "client-document"),
        ])
    func refused(_ toml: String, _ words: String) {
        let refusal = Reading.refusal(toml)
        #expect(refusal?.message.contains(words) == true, "\(refusal?.message ?? "taken")")
    }
}

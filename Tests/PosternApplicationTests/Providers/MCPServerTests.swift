import PosternApplication
import PosternCore
import StrictJSON
import Testing

/// `[mcp.NAME]`: the issuer is found, and the account is the name.
@Suite("An MCP server", .serialized)
struct MCPServerTests {
    private let server = ScriptedMCPServer()

    private func change(_ body: @DaemonActor (ScriptedMCPServer) -> Void) { QueueExecutor.shared.isolated { body(server) } }

    private func query(_ reply: RecordedReply) -> String { reply.event?["authorizationURL"]?.stringValue ?? "" }

    @Test("is signed in to where its documents say, with its resource and its scopes in every request")
    func first() throws {
        let daemon = try TestApplication(mcp: server)
        let reply = daemon.signIn()
        #expect(reply.error == nil && reply.isFinished, "\(reply.message)")
        #expect(reply.event?["account"]?.objectValue?["uid"] == "linear")
        let token = daemon.call("GetAccessToken", ["providerID": "linear"])
        #expect(token["accessToken"] == "at-1" && token["uid"] == "linear")
        let renewed = daemon.call("GetAccessToken", ["providerID": "linear", "forceRefresh": true])
        #expect(renewed["accessToken"] == "at-2", "\(renewed.message)")
        let forms = daemon.requests(to: "https://as.example/token").map(\.form)
        #expect(forms.count == 2 && forms.allSatisfy { $0["resource"] == "https%3A%2F%2Fmcp.example%2Fmcp" }, "\(forms)")
        #expect(forms[1]["refresh_token"] == "rt-1" && forms[1]["client_id"] == "client-1")
        // Whatever is asked of a stranger's URL is asked at public addresses only.
        daemon.executor.isolated {
            #expect(daemon.provider.sent.allSatisfy { $0.addresses == .publicUnless(host: "mcp.example") })
        }
    }

    @Test("is asked for the scopes of its challenge before those of its document, and for offline_access where the issuer lists it")
    func scopes() throws {
        for (challenge, expected) in [
            ("Bearer scope=\"tools\", resource_metadata=\"https://mcp.example/meta\"", ["tools", "offline_access"]),
            ("Bearer resource_metadata=\"https://mcp.example/meta\"", ["read", "offline_access"]),
        ] {
            change { $0.challenge = challenge }
            let daemon = try TestApplication(mcp: server)
            let page = daemon.call("SignIn", ["providerID": "linear", "intent": "keep", "presentation": "client"], more: true)
            let asked = try #require(query(page).query("scope"), "\(page.message)")
            #expect(Set(asked.replacing("%20", with: " ").split { " +".contains($0) }.map(String.init)) == Set(expected), "\(asked)")
            #expect(query(page).contains("resource=https%3A%2F%2Fmcp.example%2Fmcp"), "\(query(page))")
        }
    }

    @Test("has its token for its URL and what lies below, and nothing else")
    func urls() throws {
        let daemon = try TestApplication(mcp: server)
        daemon.signIn()
        func error(_ url: String) -> String? {
            daemon.call("AuthorizeRequest", ["method": "POST", "url": .string(url)]).errorName
        }
        #expect(error("https://mcp.example/mcp") == nil && error("https://mcp.example/mcp/x") == nil)
        #expect(error("https://mcp.example/other") == "OriginNotServed")
        #expect(error("https://as.example/") == "OriginNotServed")
    }

    @Test("keeps its registered client and its issuer over a restart, and renews there without asking the server")
    func restart() throws {
        let daemon = try TestApplication(mcp: server)
        daemon.signIn()
        change { $0.documents["https://mcp.example/meta"] = nil }
        let next = try daemon.restarted(mcp: server)
        let renewed = next.call("GetAccessToken", ["providerID": "linear", "forceRefresh": true])
        #expect(renewed["accessToken"] == "at-2", "\(renewed.message)")
        #expect(next.requests(to: "https://mcp.example/mcp").isEmpty)
    }

    @Test("that names another issuer gets no token from it before a new sign-in, and the old one stays with the old issuer")
    func movedIssuer() throws {
        let daemon = try TestApplication(mcp: server)
        daemon.signIn()
        change { $0.moveIssuer(to: "evil.example") }
        _ = daemon.call("GetAccessToken", ["providerID": "linear", "forceRefresh": true])
        #expect(daemon.hosts(sent: "rt-1") == ["as.example"])
        let check = daemon.call("ResolveResource", ["url": "https://mcp.example/mcp"])
        let finding = check["findings"]?.arrayValue?.compactMap(\.objectValue).first { $0["title"] == "signed in" }
        #expect(finding?["level"] == "fail" && finding?["detail"]?.stringValue?.contains("https://as.example") == true, "\(String(describing: finding))")
        // It may have been taken over: nothing begins there before the person lets the old issuer go.
        let refused = daemon.signIn()
        #expect(refused.message.contains("https://as.example") && refused.message.contains("postern revoke linear"), "\(refused.message)")
        #expect(daemon.hosts(sent: "code=abc") == ["as.example"])
        daemon.call("RevokeCredential", ["providerID": "linear", "keepGrant": true])
        daemon.signIn()
        #expect(daemon.hosts(sent: "code=abc") == ["as.example", "evil.example"])
        _ = daemon.call("GetAccessToken", ["providerID": "linear", "forceRefresh": true])
        #expect(daemon.hosts(sent: "rt-3") == ["evil.example"])
    }

    @Test("whose URL was changed in the configuration gets no token of the old one")
    func changedURL() throws {
        let daemon = try TestApplication(mcp: server)
        daemon.signIn()
        try daemon.reload("[mcp.linear]\nurl = \"https://other.example/mcp\"")
        let reply = daemon.call("AuthorizeRequest", ["method": "POST", "url": "https://other.example/mcp"])
        #expect(reply.error != nil)
        #expect(daemon.call("GetAccessToken", ["providerID": "linear"]).error != nil)
    }

    @Test("is refused before a page opens, where its documents are not to be trusted")
    func refused() throws {
        let table: [(String, @DaemonActor (ScriptedMCPServer) -> Void, String)] = [
            ("another's resource", { $0[resource: "resource"] = "https://bank.example/mcp" }, "https://bank.example/mcp"),
            ("another issuer", { $0[issuer: "issuer"] = "https://evil.example" }, "https://evil.example"),
            ("no PKCE", { $0[issuer: "code_challenge_methods_supported"] = nil }, "code_challenge_methods_supported"),
            ("plain http", { $0[issuer: "token_endpoint"] = "http://as.example/token" }, "token_endpoint"),
            ("this machine", { $0[issuer: "token_endpoint"] = "https://localhost/token" }, "token_endpoint"),
            ("a fragment", { $0[issuer: "authorization_endpoint"] = "https://as.example/a#b" }, "authorization_endpoint"),
            ("no registration", { $0[issuer: "registration_endpoint"] = nil }, "client-id"),
        ]
        for (name, spoil, word) in table {
            let server = ScriptedMCPServer()
            QueueExecutor.shared.isolated { spoil(server) }
            let daemon = try TestApplication(mcp: server)
            let reply = daemon.signIn()
            #expect(reply.error != nil && reply.message.contains(word), "\(name): \(reply.message)")
            #expect(query(reply).isEmpty, "\(name)")
        }
    }

    @Test("that names no resource takes tokens of its own origin, as with MCP 2025-03-26")
    func oldServer() throws {
        change {
            $0.challenge = nil
            $0.documents = [:]
        }
        let daemon = try TestApplication(mcp: server)
        let reply = daemon.signIn()
        #expect(reply.error == nil && reply.isFinished, "\(reply.message)")
        let forms = daemon.requests(to: "https://mcp.example/token").map(\.form)
        #expect(forms.count == 1 && forms[0]["resource"] == nil)
        let renewed = daemon.call("GetAccessToken", ["providerID": "linear", "forceRefresh": true])
        #expect(renewed["accessToken"] == "at-2", "\(renewed.message)")
    }

    @Test("whose issuer refuses `resource` is sent none, if the configuration says so, and its token is still for it alone")
    func withoutResource() throws {
        let daemon = try TestApplication(mcp: server, ScriptedMCPServer.configuration + "\nresource = false")
        daemon.signIn()
        _ = daemon.call("GetAccessToken", ["providerID": "linear", "forceRefresh": true])
        #expect(daemon.requests(to: "https://as.example/token").map(\.form).allSatisfy { $0["resource"] == nil })
        try daemon.reload("[mcp.linear]\nurl = \"https://other.example/mcp\"\nresource = false")
        #expect(daemon.call("GetAccessToken", ["providerID": "linear"]).error != nil)
    }

    // MARK: The client

    private static let document = ScriptedMCPServer.clientDocument

    private func publish(_ change: @Sendable (inout JSONObject) -> Void = { _ in }) throws {
        try QueueExecutor.shared.isolated { try server.publishClientDocument(change) }
    }

    @Test("that takes client documents gets the configured one, which nobody registers, and renews with it after a restart")
    func clientDocument() throws {
        try publish()
        let configuration = ScriptedMCPServer.configuration + "\n[registration]\nclient-document = \"\(Self.document)\""
        let daemon = try TestApplication(mcp: server, configuration)
        let reply = daemon.signIn()
        #expect(reply.error == nil && reply.isFinished, "\(reply.message)")
        #expect(daemon.requests(to: "https://as.example/register").isEmpty)
        let next = try daemon.restarted(mcp: server, ScriptedMCPServer.configuration)
        let renewed = next.call("GetAccessToken", ["providerID": "linear", "forceRefresh": true])
        #expect(renewed["accessToken"] == "at-2", "\(renewed.message)")
        #expect(next.requests(to: "https://as.example/token").last?.form["client_id"] == "https%3A%2F%2Fme.example%2Fclient.json")
    }

    @Test("gets a registered client instead of a document that it would refuse, and is refused with the reason where it registers none")
    func flawedDocument() throws {
        try publish { $0["redirect_uris"] = ["http://127.0.0.1:9999/__/auth/handler"] }
        let configuration = ScriptedMCPServer.configuration + "\n[registration]\nclient-document = \"\(Self.document)\""
        #expect(try TestApplication(mcp: server, configuration).signIn().error == nil)
        #expect(QueueExecutor.shared.isolated { server.registrations } == 1)
        change { $0[issuer: "registration_endpoint"] = nil }
        let refused = try TestApplication(mcp: server, configuration).signIn()
        #expect(refused.message.contains("redirect_uris lack http://127.0.0.1:7678/__/auth/handler"), "\(refused.message)")
    }

    @Test("with a configured client gets no other")
    func configuredClient() throws {
        let daemon = try TestApplication(mcp: server, ScriptedMCPServer.configuration + "\nclient-id = \"mine\"\nissuer = \"https://as.example\"")
        #expect(daemon.signIn().error == nil)
        #expect(daemon.requests(to: "https://as.example/register").isEmpty)
        #expect(daemon.requests(to: "https://as.example/token").last?.form["client_id"] == "mine")
    }

    // MARK: Accounts

    @Test("under two names has two accounts, and one is not renewed with the other's token")
    func twoNames() throws {
        let daemon = try TestApplication(
            mcp: server, ScriptedMCPServer.configuration + "\n[mcp.work]\nurl = \"https://mcp.example/mcp\"")
        daemon.signIn()
        daemon.signIn(mcp: "work")
        #expect(daemon.call("GetAccessToken", ["providerID": "linear"])["accessToken"] == "at-1")
        #expect(daemon.call("GetAccessToken", ["providerID": "work"])["accessToken"] == "at-2")
        #expect(daemon.call("AuthorizeRequest", ["method": "GET", "url": "https://mcp.example/mcp"]).errorName == "AmbiguousAccount")
    }

    @Test("has the account that signed in last, and no app has a user by it")
    func oneAccount() throws {
        let daemon = try TestApplication(mcp: server)
        daemon.signIn()
        daemon.signIn()
        #expect(daemon.counts == [0, 1])
        #expect(daemon.call("GetAccessToken", ["providerID": "linear"])["accessToken"] == "at-2")
        for intent in ["signIn", "link"] {
            let reply = daemon.signIn(["intent": .string(intent)])
            #expect(reply.error != nil, "\(intent)")
        }
        #expect(daemon.counts == [0, 1])
    }

    @Test("is told about as a whole, and nothing is stored")
    func resolved() throws {
        let daemon = try TestApplication(mcp: server, "")
        let reply = daemon.call("ResolveResource", ["url": "https://mcp.example/mcp"])
        #expect(reply["issuer"] == "https://as.example" && reply["resource"] == "https://mcp.example/mcp", "\(reply.message)")
        #expect(reply["registration"] == "dynamic" && reply["signedIn"] == false)
        #expect(QueueExecutor.shared.isolated { server.registrations } == 0)
        let levels = reply["findings"]?.arrayValue?.compactMap { $0.objectValue?["level"]?.stringValue } ?? []
        #expect(!levels.isEmpty && !levels.contains("fail"))
    }
}

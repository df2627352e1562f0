import PosternApplication
import PosternCore
import StrictJSON
import Testing

/// An issuer that an MCP server names has its endpoints at its own host, or where the person agreed.
@Suite("An issuer that a server names", .serialized)
struct IssuerEndpointTests {
    private static let agreeing = ScriptedMCPServer.configuration + "\nendpoint-hosts = [\"as.example\"]"
    private static let working = "\n[provider.work]\nkind = \"oauth2\"\nissuer = \"https://as.example\"\nclient-id = \"mine\""

    private let server = ScriptedMCPServer()

    private func change(_ body: @DaemonActor (ScriptedMCPServer) -> Void) { QueueExecutor.shared.isolated { body(server) } }

    /// Whoever was sent anything but a request for metadata, which has nothing of a user's in it.
    private func hosts(_ daemon: TestApplication) -> Set<String> {
        let sent = daemon.executor.isolated { daemon.provider.sent.map(\.url) }
        return Set(sent.filter { !$0.contains("/.well-known/") }.compactMap { try? EndpointURL($0).host })
    }

    private func begin(_ daemon: TestApplication, flow: String) -> RecordedReply {
        daemon.call(
            "SignIn", ["providerID": "linear", "intent": "keep", "presentation": "client", "flow": .string(flow)], more: true)
    }

    @Test("and whose endpoints are another's gets no page, no code and no token of that one", arguments: ["browser", "device"])
    func borrowed(flow: String) throws {
        change { $0.borrowEndpoints(as: "evil.example") }
        let daemon = try TestApplication(mcp: server)
        let reply = begin(daemon, flow: flow)
        #expect(reply.errorName == "ProviderNotConfigured" && reply.pageState == nil, "\(reply.message)")
        for words in ["https://evil.example", "as.example", "postern mcp add https://mcp.example/mcp --as linear --endpoint-host as.example"] {
            #expect(reply.message.contains(words), "\(reply.message)")
        }
        #expect(!hosts(daemon).contains("as.example"), "\(hosts(daemon))")
    }

    @Test("and whose endpoints are another's is refused whoever agreed, if that one is known")
    func known() throws {
        change { $0.borrowEndpoints(as: "evil.example") }
        let daemon = try TestApplication(mcp: server, Self.agreeing + Self.working)
        for flow in ["browser", "device"] {
            let reply = begin(daemon, flow: flow)
            #expect(reply.errorName == "ProviderNotConfigured" && !reply.message.contains("--endpoint-host"), "\(reply.message)")
            #expect(reply.message.contains("https://as.example"), "\(reply.message)")
        }
        #expect(!hosts(daemon).contains("as.example"), "\(hosts(daemon))")
    }

    @Test(
        "and whose endpoints are at a host that names another issuer itself is refused whoever agreed",
        arguments: [
            ("oauth-authorization-server", "https://as.example", false), ("openid-configuration", "https://as.example", false),
            ("openid-configuration", "https://evil.example", true), ("openid-configuration", "", true),
        ])
    func ownMetadata(place: String, issuer: String, isTaken: Bool) throws {
        change { server in
            server.borrowEndpoints(as: "evil.example", documents: [place: ["issuer": issuer.isEmpty ? 1 : .string(issuer)]])
        }
        let daemon = try TestApplication(mcp: server, Self.agreeing)
        let reply = daemon.signIn()
        #expect((reply.error == nil) == isTaken, "\(reply.message)")
        if !isTaken { #expect(reply.message.contains("a host of https://as.example"), "\(reply.message)") }
        let shown = daemon.call("ResolveResource", ["url": "https://mcp.example/mcp"])
        #expect(shown["endpointHosts"]?.arrayValue == (isTaken ? ["as.example"] : nil))
    }

    @Test("has endpoints where the person agreed, and what came from there goes nowhere else, not even to the issuer itself")
    func agreed() throws {
        change { $0.borrowEndpoints(as: "evil.example") }
        let daemon = try TestApplication(mcp: server, Self.agreeing)
        #expect(daemon.signIn().error == nil)
        #expect(daemon.renew()["accessToken"] == "at-2")
        change { server in
            for member in ["token_endpoint", "revocation_endpoint"] { server[of: "evil.example", member] = .string("https://evil.example/token") }
        }
        let next = try daemon.restarted(mcp: server, Self.agreeing)
        let reply = next.renew()
        #expect(reply.message.contains("as.example") && reply.message.contains("evil.example"), "\(reply.message)")
        #expect(next.hosts(sent: "rt-2").isEmpty)
        // Agreed to no more.
        try next.reload(ScriptedMCPServer.configuration)
        #expect(next.renew().error != nil && next.hosts(sent: "rt-2").isEmpty)
    }

    @Test(
        "may have them below its host, and a built-in one where it is known to have them",
        arguments: [
            ("as.example", "login.as.example", true), ("as.example", "as.example.evil.example", false), ("login.as.example", "as.example", false),
            ("accounts.google.com", "oauth2.googleapis.com", true), ("as.example", "oauth2.googleapis.com", false),
        ])
    func ownHosts(issuer: String, host: String, isOwn: Bool) throws {
        change { server in
            server.moveIssuer(to: issuer)
            server[of: issuer, "token_endpoint"] = .string("https://\(host)/token")
        }
        let daemon = try TestApplication(mcp: server)
        let reply = daemon.signIn()
        #expect((reply.error == nil) == isOwn, "\(reply.message)")
        #expect(daemon.hosts(sent: "code=abc") == (isOwn ? [host] : []))
    }

    @Test("and a person, too, gets a refresh token where it was issued, and not where its metadata lead later")
    func provider() throws {
        let configuration = Self.working
        change { $0[issuer: "token_endpoint"] = "https://tokens.example/token" }
        let daemon = try TestApplication(mcp: server, configuration + "\nuserinfo-endpoint = \"https://as.example/me\"")
        change { $0.documents["https://as.example/me"] = ["id": "1"] }
        daemon.signIn(mcp: "work")
        #expect(daemon.renew(mcp: "work")["accessToken"] == "at-2")
        change { $0[issuer: "token_endpoint"] = "https://elsewhere.example/token" }
        let next = try daemon.restarted(mcp: server, configuration + "\nuserinfo-endpoint = \"https://as.example/me\"")
        let reply = next.renew(mcp: "work")
        #expect(reply.message.contains("tokens.example") && reply.message.contains("elsewhere.example"), "\(reply.message)")
        #expect(next.hosts(sent: "rt-2").isEmpty)
        change { $0[issuer: "token_endpoint"] = "https://tokens.example/token" }
        #expect(try next.restarted(mcp: server, configuration).renew(mcp: "work")["accessToken"] == "at-3")
    }

    @Test("shows no code's page but one at a host of its own")
    func codePage() throws {
        change { server in
            server[issuer: "device_authorization_endpoint"] = "https://as.example/device"
            server.documents["https://as.example/device"] = [
                "device_code": "d", "user_code": "ABCD", "verification_uri": "https://bank.example/device", "expires_in": 600,
            ]
        }
        let reply = begin(try TestApplication(mcp: server), flow: "device")
        #expect(reply.errorName == "ProviderNotConfigured" && reply.message.contains("bank.example"), "\(reply.message)")
        #expect(!reply.message.contains("ABCD"))
    }

    @Test(
        "and only names the token endpoint of the issuer that gave an imported token gets none of it",
        arguments: [
            ["tokenEndpoint": "https://as.example/token"], ["issuer": "https://evil.example"], [:],
        ] as [JSONObject])
    func imported(origin: JSONObject) throws {
        change { $0.borrowEndpoints(as: "evil.example") }
        let daemon = try TestApplication(mcp: server)
        for token in ["refreshToken", "accessToken"] {
            var parameters: JSONObject = ["providerID": "linear", "clientID": "theirs", token: "live"]
            for member in origin.members { parameters[member.key] = member.value }
            let reply = daemon.call("ImportCredential", parameters)
            #expect(reply.error != nil && reply.message.contains("as.example"), "\(reply.message)")
        }
        #expect(daemon.counts == [0, 0] && !hosts(daemon).contains("as.example"), "\(hosts(daemon))")
    }

    @Test("is shown with the hosts to agree to, without a refusal of anything else", arguments: [false, true])
    func shown(isKnown: Bool) throws {
        change { $0.borrowEndpoints(as: "evil.example") }
        let reply = try TestApplication(mcp: server, isKnown ? Self.working : "").call("ResolveResource", ["url": "https://mcp.example/mcp"])
        let failed = (reply["findings"]?.arrayValue ?? []).compactMap(\.objectValue).filter { $0["level"] == "fail" }
        #expect(failed.count == 1 && failed[0]["title"] == "endpoints", "\(failed)")
        #expect(failed.first?["detail"]?.stringValue?.contains("as.example") == true)
        #expect(reply["endpointHosts"]?.arrayValue == (isKnown ? nil : ["as.example"]))
        #expect(reply["issuer"] == "https://evil.example" && (isKnown || reply["registration"] == "dynamic"), "\(reply.message)")
    }
}

/// What is examined is the URL that was given.
@Suite("A URL that is examined", .serialized)
struct ExaminedURLTests {
    @Test(
        "is that of a configured server only if it is the same, however it is written",
        arguments: [
            ("https://mcp.example/mcp", true), ("https://mcp.example/mcp/", true), ("HTTPS://MCP.example:443/mcp", true),
            ("https://mcp.example/%6Dcp", true), ("https://mcp.example/mcp?tenant=2", false), ("https://mcp.example/mcp/other", false),
            ("https://mcp.example/mcp%2Fother", false),
        ])
    func identity(url: String, isSame: Bool) throws {
        let server = ScriptedMCPServer()
        QueueExecutor.shared.isolated {
            server.documents["https://mcp.example/.well-known/oauth-protected-resource/mcp/other"] = [
                "resource": "https://mcp.example/mcp/other", "authorization_servers": ["https://other.example"],
            ]
        }
        let daemon = try TestApplication(
            mcp: server, ScriptedMCPServer.configuration + "\nscopes = [\"chosen\"]\nclient-id = \"mine\"\nissuer = \"https://as.example\"")
        let reply = daemon.call("ResolveResource", ["url": .string(url)])
        #expect((reply["name"] == "linear") == isSame, "\(reply.message)")
        // Nothing of a section's is true of the URL: a server that is added gets a section of its own.
        #expect(reply["registration"] != "configured" && reply["scopes"] != ["chosen"], "\(reply.message)")
        if url.hasSuffix("mcp/other") {
            let findings = (reply["findings"]?.arrayValue ?? []).compactMap { $0.objectValue?["detail"]?.stringValue }
            #expect(findings.contains { $0.contains("https://other.example") } && !findings.contains { $0.contains("as.example") }, "\(findings)")
        }
        let named = daemon.call("ResolveResource", ["url": "https://mcp.example/mcp", "name": "linear"])
        #expect(named["registration"] == "configured" && named["scopes"] == ["chosen"], "\(named.message)")
    }
}

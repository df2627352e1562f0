import PosternApplication
import PosternCore
import StrictJSON
import Testing

@Suite("Tokens of MCP clients", .serialized)
struct ImportedServerTests {
    private static let configuration = "[mcp.work]\nurl = \"https://mcp.example/mcp\""

    private let server = ScriptedMCPServer()
    private let daemon: TestApplication

    init() throws {
        daemon = try TestApplication(mcp: server, Self.configuration)
        let server = server
        daemon.executor.isolated {
            server.holdsTokens = true
            server[issuer: "token_endpoint_auth_methods_supported"] = ["none", "client_secret_post"]
        }
    }

    @discardableResult
    private func take(_ refreshToken: String, _ further: JSONObject = [:]) -> RecordedReply {
        var parameters: JSONObject = ["providerID": "work", "refreshToken": .string(refreshToken), "clientID": "theirs"]
        for member in further.members { parameters[member.key] = member.value }
        return daemon.call("ImportCredential", parameters)
    }

    private func answer(_ accessToken: String, refreshToken: String) {
        daemon.answerToken(accessToken, refreshToken: refreshToken)
    }

    private func lastForm(of daemon: TestApplication) -> [String: String] {
        daemon.executor.isolated { daemon.provider.sent.last { $0.form["grant_type"] != nil }?.form ?? [:] }
    }

    @Test("One is renewed with the client that it was issued to and for the server's resource, after a restart too")
    func taken() throws {
        let reply = take("rt-old", ["tokenEndpoint": "https://as.example/token", "resource": "https://mcp.example/"])
        #expect(lastForm(of: daemon)["client_id"] == "theirs" && lastForm(of: daemon)["resource"] == "https%3A%2F%2Fmcp.example%2Fmcp")
        answer("at-1", refreshToken: "rt-1")
        #expect(reply.error == nil, "\(reply.message)")
        daemon.renew("at-2")
        #expect(lastForm(of: daemon)["refresh_token"] == "rt-1" && lastForm(of: daemon)["client_id"] == "theirs")
        let restarted = try daemon.restarted(mcp: server, Self.configuration)
        restarted.renew("at-3")
        #expect(lastForm(of: restarted)["client_id"] == "theirs")
    }

    @Test(
        "One that another issuer gave, or that is for something else, is sent nowhere, and both are shown",
        arguments: [
            (["tokenEndpoint": "https://evil.example/token"], "InvalidCredential", "https://evil.example/token"),
            (["issuer": "https://evil.example"], "InvalidCredential", "https://evil.example"),
            (["resource": "https://evil.example/mcp"], "InvalidCredential", "https://evil.example/mcp"),
            (["resource": "https://mcp.example/mcp/narrower"], "InvalidCredential", "https://mcp.example/mcp/narrower"),
            (["resource": "https://mcp.example/mc"], "InvalidCredential", "https://mcp.example/mc"),
            (["resource": "not a URL"], "InvalidParameter", nil), (["issuer": "a\u{1B}b"], "InvalidParameter", nil),
            (["clientID": "a\nb"], "InvalidParameter", nil), (["clientSecret": "a\nb"], "InvalidParameter", nil),
        ] as [(JSONObject, String, String?)])
    func disagreeing(further: JSONObject, error: String, shown: String?) {
        let reply = take("rt-old", further)
        #expect(reply.errorName == error, "\(reply.errorName ?? "nothing") \(reply.message)")
        if let shown { #expect(reply.message.contains(shown) && reply.message.contains("it was not sent"), "\(reply.message)") }
        #expect(daemon.tokenRequests.isEmpty && daemon.counts == [0, 0])
    }

    @Test("Without its client one cannot be imported")
    func noClient() {
        let reply = daemon.call("ImportCredential", ["providerID": "work", "refreshToken": "rt-old"])
        #expect(reply.errorName == "UnsupportedFlow" && reply.message.contains("clientID"), "\(reply.message)")
        #expect(daemon.tokenRequests.isEmpty)
    }

    @Test("A provider that is no MCP server takes no other client, resource or issuer")
    func noServer() throws {
        let plain = try TestApplication()
        for member: JSONObject in [
            ["clientID": "theirs"], ["clientSecret": "s"], ["resource": "https://a.example/"], ["issuer": "https://a.example"],
            ["tokenEndpoint": "https://work.example/token"],
        ] {
            var parameters: JSONObject = ["providerID": "work", "refreshToken": "rt"]
            for further in member.members { parameters[further.key] = further.value }
            let reply = plain.call("ImportCredential", parameters)
            #expect(reply.errorName == "UnsupportedFlow" && reply.message.contains("only the token of an MCP server"), "\(reply.message)")
        }
        #expect(plain.tokenRequests.isEmpty)
    }

    @Test("What the server has already is only replaced on demand, before anything is sent")
    func vacant() {
        take("rt-a")
        answer("at-1", refreshToken: "rt-1")
        let again = take("rt-b", ["clientID": "another"])
        #expect(again.errorName == "CredentialExists" && daemon.tokenRequests == ["rt-a"], "\(again.message)")
        let replacing = take("rt-b", ["clientID": "another", "replace": true])
        answer("at-2", refreshToken: "rt-2")
        #expect(replacing.error == nil, "\(replacing.message)")
        daemon.renew("at-3")
        #expect(lastForm(of: daemon)["client_id"] == "another" && lastForm(of: daemon)["refresh_token"] == "rt-2")
    }

    @Test("A client that a credential is renewed with is not given another secret")
    func otherSecret() {
        take("rt-a")
        answer("at-1", refreshToken: "rt-1")
        let reply = take("rt-b", ["clientSecret": "guessed", "replace": true])
        #expect(reply.errorName == "UnsupportedFlow" && reply.message.contains("with another secret"), "\(reply.message)")
        #expect(daemon.tokenRequests == ["rt-a"])
        daemon.renew("at-2")
    }

    @Test("A refused one leaves neither a credential nor its client behind")
    func refused() {
        let reply = take("rt-old", ["clientSecret": "s1"])
        daemon.answer(status: 400, json: #"{"error":"invalid_grant"}"#)
        #expect(reply.errorName == "InvalidCredential" && daemon.counts == [0, 0], "\(reply.message)")
        // The same client with another secret is unknown.
        let other = take("rt-other", ["clientSecret": "s2"])
        answer("at-1", refreshToken: "rt-1")
        #expect(other.error == nil, "\(other.message)")
    }
}

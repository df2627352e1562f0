import PosternApplication
import PosternCore
import StrictJSON
import Testing

/// What becomes of an MCP server's token after the sign-in.
@Suite("An MCP server's token", .serialized)
struct MCPRenewalTests {
    private static let day: Int64 = 86_400
    private static let lost = "the answer to the previous renewal never arrived"

    private let server = ScriptedMCPServer()

    private func change(_ body: @DaemonActor (ScriptedMCPServer) -> Void) { QueueExecutor.shared.isolated { body(server) } }

    private func signedIn(_ further: String = "") throws -> TestApplication {
        let daemon = try TestApplication(mcp: server, ScriptedMCPServer.configuration + further)
        let reply = daemon.signIn()
        #expect(reply.isCompleted, "\(reply.message)")
        return daemon
    }

    private func token(_ daemon: TestApplication, valid seconds: Int64 = 0) -> RecordedReply {
        daemon.call("GetAccessToken", ["providerID": "linear", "minimumValiditySeconds": .integer(seconds)])
    }

    private func refuse(_ daemon: TestApplication) -> RecordedReply {
        daemon.call(
            "AuthorizeRequest",
            ["method": "POST", "url": "https://mcp.example/mcp", "challenge": ["Bearer error=\"invalid_token\""]])
    }

    // MARK: Renewal

    @Test("is renewed with the same refresh token after the issuer was down, and nothing was deleted")
    func down() throws {
        let daemon = try signedIn()
        change { $0.tokenError = (503, [:]) }
        let failed = daemon.renew()
        #expect(failed.errorName == "ProviderUnreachable", "\(failed.message)")
        #expect(daemon.counts == [0, 1] && token(daemon)["accessToken"] == "at-1")
        change { $0.tokenError = nil }
        daemon.pass(seconds: 60)
        let renewed = daemon.renew()
        #expect(renewed["accessToken"] == "at-2", "\(renewed.message)")
        #expect(daemon.tokenRequests == ["rt-1", "rt-1"])
    }

    @Test("needs a sign-in after its refresh token was refused, which has the same client and the same account")
    func refused() throws {
        let daemon = try signedIn()
        change { $0.tokenError = (400, ["error": "invalid_grant"]) }
        let refused = daemon.renew()
        #expect(refused.errorName == "SignInRequired" && refused.message.contains("`postern sign-in linear`"), "\(refused.message)")
        #expect(!refused.message.contains(Self.lost))
        #expect(daemon.renew().errorName == "SignInRequired" && daemon.tokenRequests == ["rt-1"])
        #expect(daemon.counts == [0, 1])
        change { $0.tokenError = nil }
        #expect(daemon.signIn().isCompleted && daemon.counts == [0, 1])
        #expect(QueueExecutor.shared.isolated { server.registrations } == 1)
        #expect(token(daemon)["accessToken"] == "at-2")
    }

    @Test("is used until it expires, if there is no refresh token")
    func withoutRefreshToken() throws {
        change { $0.givesRefreshTokens = false }
        let daemon = try signedIn()
        daemon.pass(seconds: 299)
        #expect(token(daemon)["accessToken"] == "at-1")
        daemon.pass(seconds: 1)
        let ended = token(daemon)
        #expect(ended.errorName == "SignInRequired" && daemon.tokenRequests.isEmpty, "\(ended.message)")
    }

    @Test("is used until it is refused, if nothing says when it expires", arguments: [true, false])
    func withoutEnd(isRenewable: Bool) throws {
        change {
            $0.grant["expires_in"] = nil
            $0.givesRefreshTokens = isRenewable
        }
        let daemon = try signedIn()
        daemon.pass(seconds: 30 * Self.day)
        #expect(token(daemon)["accessToken"] == "at-1" && daemon.tokenRequests.isEmpty)
        let refused = refuse(daemon)
        if isRenewable {
            #expect(refused["headers"]?.objectValue?["Authorization"] == "Bearer at-2", "\(refused.message)")
        } else {
            #expect(refused.errorName == "SignInRequired" && daemon.tokenRequests.isEmpty, "\(refused.message)")
        }
    }

    // MARK: For one resource

    @Test(
        "is for its server alone, and its refresh token is used for no other service, whether or not the issuer is sent a resource",
        arguments: ["", "\nresource = false"])
    func otherResource(further: String) throws {
        let daemon = try signedIn(further)
        for resource in ["https://other.example/mcp", "https://mcp.example/", "https://mcp.example/mcp?x=1"] {
            let parameters: JSONObject = ["providerID": "linear", "resource": .string(resource)]
            let reply = daemon.call("GetAccessToken", parameters)
            #expect(reply.errorName == "UnsupportedFlow", "\(reply.message)")
            #expect(reply.message.contains(resource) && reply.message.contains("https://mcp.example/mcp alone"), "\(reply.message)")
        }
        #expect(daemon.tokenRequests.isEmpty)
        for resource in ["https://mcp.example/mcp", "https://mcp.example/mcp/"] {
            let reply = daemon.call("GetAccessToken", ["providerID": "linear", "resource": .string(resource)])
            #expect(reply["accessToken"] == "at-1", "\(reply.message)")
        }
        #expect(daemon.tokenRequests.isEmpty)
    }

    // MARK: keep-fresh

    @Test("is renewed by itself every few days if it is kept fresh, also after a lock")
    func keptFresh() throws {
        let daemon = try signedIn("\nkeep-fresh = true")
        daemon.pass(seconds: 3 * Self.day)
        #expect(daemon.tokenRequests == ["rt-1"])
        daemon.call("Lock")
        daemon.pass(seconds: 6 * Self.day)
        #expect(daemon.tokenRequests == ["rt-1"])
        daemon.call("Unlock")
        daemon.pass(seconds: 10)
        #expect(daemon.tokenRequests == ["rt-1", "rt-2"])
        daemon.pass(seconds: 3 * Self.day)
        #expect(daemon.tokenRequests == ["rt-1", "rt-2", "rt-3"])
        #expect(daemon.hosts(sent: "rt-") == ["as.example"])
    }

    @Test("is left alone otherwise")
    func notKeptFresh() throws {
        let daemon = try signedIn()
        daemon.pass(seconds: 30 * Self.day)
        #expect(daemon.tokenRequests.isEmpty)
    }

    // MARK: The notice

    private func press(_ daemon: TestApplication) -> String? {
        daemon.executor.isolated { daemon.notices.happens(.buttonPressed(activationToken: nil)) }
        daemon.settle()
        return daemon.executor.isolated { daemon.pages.opened }.last
    }

    @Test("whose renewal is refused has a notice, whose button signs in at the issuer that the server names")
    func button() throws {
        let daemon = try signedIn()
        change { $0.tokenError = (400, ["error": "invalid_grant"]) }
        _ = daemon.renew()
        change { $0.tokenError = nil }
        let notice = try #require(daemon.notices.shown.first)
        #expect(notice.button == "Sign in" && notice.body.hasSuffix("postern sign-in linear"), "\(notice.body)")
        let page = try #require(press(daemon))
        #expect(page.hasPrefix("https://as.example/authorize?") && page.query("resource") == "https%3A%2F%2Fmcp.example%2Fmcp", "\(page)")
        #expect(page.query("client_id") == "client-1")
        daemon.browserReturns("state=\(page.query("state") ?? "")&code=abc")
        #expect(token(daemon)["accessToken"] == "at-2" && daemon.notices.displayed.isEmpty)
    }

    @Test("of a server that names another issuer now has a notice, whose button begins nothing")
    func movedButton() throws {
        let daemon = try signedIn()
        change {
            $0.tokenError = (400, ["error": "invalid_grant"])
            $0.moveIssuer(to: "evil.example")
        }
        _ = daemon.renew()
        #expect(daemon.notices.shown.count == 1)
        #expect(press(daemon) == nil && daemon.sessionStates.allSatisfy { $0 == "completed" })
        #expect(daemon.log.entries.contains { $0.message.hasPrefix("no page was opened: ") && $0.message.contains("https://evil.example") })
        #expect(daemon.requests(to: "https://evil.example/register").isEmpty)
    }

    // MARK: A lost answer

    /// The next run, whose refresh is refused.
    private func refusedAfterKill(_ daemon: TestApplication) throws -> (TestApplication, RecordedReply) {
        let next = try daemon.followed(configuration: ScriptedMCPServer.configuration)
        change { $0.tokenError = (400, ["error": "invalid_grant"]) }
        next.answers(by: server)
        return (next, next.renew())
    }

    @Test("is refused after the daemon was killed during a renewal, and the sentence says why")
    func killed() throws {
        let daemon = try signedIn()
        daemon.providerWaits()
        let asking = daemon.renew()
        #expect(daemon.isAsked && !asking.isFinished)
        daemon.dropStore()
        let (next, refused) = try refusedAfterKill(daemon)
        #expect(next.tokenRequests == ["rt-1"])
        #expect(refused.errorName == "SignInRequired" && refused.message.contains(Self.lost), "\(refused.message)")
    }

    @Test("is not said to have lost an answer that came, with a new refresh token or without", arguments: [true, false])
    func answered(isRotated: Bool) throws {
        let daemon = try signedIn()
        change { $0.givesRefreshTokens = isRotated }
        #expect(daemon.renew()["accessToken"] == "at-2" && daemon.tokenRequests == ["rt-1"])
        daemon.dropStore()
        let (_, refused) = try refusedAfterKill(daemon)
        #expect(refused.errorName == "SignInRequired" && !refused.message.contains(Self.lost), "\(refused.message)")
    }
}

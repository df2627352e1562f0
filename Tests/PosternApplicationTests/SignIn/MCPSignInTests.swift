import PosternApplication
import PosternCore
import StrictJSON
import Testing

/// With which client, at which issuer and for which scopes a sign-in at an MCP server begins.
@Suite("A sign-in at an MCP server", .serialized)
struct MCPSignInTests {
    private let server = ScriptedMCPServer()

    private func change(_ body: @DaemonActor (ScriptedMCPServer) -> Void) { QueueExecutor.shared.isolated { body(server) } }

    private var registrations: Int { QueueExecutor.shared.isolated { server.registrations } }

    private func begin(_ daemon: TestApplication, _ further: JSONObject = [:]) -> RecordedReply {
        var parameters: JSONObject = ["providerID": "linear", "intent": "keep", "presentation": "client"]
        for member in further.members { parameters[member.key] = member.value }
        return daemon.call("SignIn", parameters, more: true)
    }

    private func wanting(_ scope: String) -> JSONObject { ["challenge": [.string("Bearer error=\"insufficient_scope\", scope=\"\(scope)\"")]] }

    private func cancel(_ reply: RecordedReply, _ daemon: TestApplication) {
        daemon.call("CancelSession", ["sessionID": reply.event?["sessionID"] ?? .null])
    }

    // MARK: The client

    @Test("for scopes that its client may not request registers another before the page, and what is stored goes on with the first")
    func scopesOfClient() throws {
        let daemon = try TestApplication(mcp: server)
        daemon.signIn()
        let known = begin(daemon, wanting("admin"))
        #expect(known.page("client_id") == "client-1" && registrations == 1, "\(known.message)")
        cancel(known, daemon)
        let wide = begin(daemon, wanting("billing"))
        #expect(wide.page("client_id") == "client-2" && wide.pageScopes.contains("billing"), "\(wide.message)")
        let request = try #require(daemon.requests(to: "https://as.example/register").last)
        let scope = try JSON(parsing: request.body).objectValue?["scope"]?.stringValue
        #expect(scope?.split(separator: " ").contains("billing") == true, "\(scope ?? "")")
        #expect(daemon.renew()["accessToken"] == "at-2")
        #expect(daemon.requests(to: "https://as.example/token").last?.form["client_id"] == "client-1")
    }

    @Test("for scopes that the issuer refuses its client registers another, once; what is stored goes on with the first")
    func refusedScopes() throws {
        let daemon = try TestApplication(mcp: server)
        daemon.signIn()
        let reply = begin(daemon, wanting("admin"))
        #expect(reply.page("client_id") == "client-1")
        daemon.browserReturns("state=\(reply.pageState ?? "")&error=invalid_scope")
        #expect(!reply.isFinished && reply.page("client_id") == "client-2" && reply.pageScopes.contains("admin"), "\(reply.message)")
        daemon.browserReturns("state=\(reply.pageState ?? "")&error=invalid_scope")
        #expect(reply.isFinished && reply.error != nil && registrations == 2)
        #expect(daemon.renew()["accessToken"] == "at-2")
        #expect(daemon.requests(to: "https://as.example/token").last?.form["client_id"] == "client-1")
    }

    @Test("that is abandoned, however often, takes no stored token its client")
    func abandoned() throws {
        let daemon = try TestApplication(mcp: server)
        daemon.signIn()
        for number in 1...5 { cancel(begin(daemon, wanting("scope-\(number)")), daemon) }
        #expect(registrations == 6)
        let next = try daemon.restarted(mcp: server)
        let renewed = next.renew()
        #expect(renewed["accessToken"] == "at-2", "\(renewed.message)")
        #expect(next.requests(to: "https://as.example/token").last?.form["client_id"] == "client-1")
    }

    // MARK: The client document

    private static let registration = "\n[registration]\nclient-document = \"\(ScriptedMCPServer.clientDocument)\""

    private func publish() throws { try QueueExecutor.shared.isolated { try server.publishClientDocument() } }

    @Test(
        "or at an ordinary provider that registers clients uses the client document, if public clients are taken",
        arguments: [("oauth2", "none", true), ("oauth2", "client_secret_basic", false), ("oidc", "none", true), ("oidc", "client_secret_post", false)])
    func ordinaryProvider(kind: String, method: String, isUsed: Bool) throws {
        try publish()
        change { server in
            server[issuer: "token_endpoint_auth_methods_supported"] = [.string(method)]
            server.registration = ["token_endpoint_auth_method": .string(method), "client_secret": "s", "client_secret_expires_at": 0]
            var openID = server.documents["https://as.example/.well-known/oauth-authorization-server"] ?? [:]
            openID["jwks_uri"] = "https://as.example/keys"
            openID["response_types_supported"] = ["code"]
            openID["subject_types_supported"] = ["public"]
            openID["id_token_signing_alg_values_supported"] = ["ES256"]
            server.documents["https://as.example/.well-known/openid-configuration"] = openID
        }
        let daemon = try TestApplication(
            mcp: server,
            """
            [provider.linear]
            kind = "\(kind)"
            issuer = "https://as.example"
            register = true
            """ + Self.registration)
        let reply = begin(daemon)
        let client = isUsed ? "https%3A%2F%2Fme.example%2Fclient.json" : "client-1"
        #expect(reply.page("client_id") == client, "\(reply.message)")
        #expect(registrations == (isUsed ? 0 : 1))
        guard isUsed else { return }
        daemon.pass(seconds: 3600)
        #expect(reply.errorName == "SignInTimedOut" && reply.message.contains("client-id"), "\(reply.message)")
        #expect(!reply.message.contains("registration = \"dynamic\""), "\(reply.message)")
    }

    @Test("that timed out with a client document says what to try, and with another client does not")
    func timedOut() throws {
        for isPublished in [false, true] {
            if isPublished { try publish() }
            let daemon = try TestApplication(mcp: server, ScriptedMCPServer.configuration + Self.registration)
            let reply = begin(daemon)
            daemon.pass(seconds: 3600)
            #expect(reply.errorName == "SignInTimedOut", "\(reply.message)")
            for word in [ScriptedMCPServer.clientDocument, "client-id", "registration = \"dynamic\""] {
                #expect(reply.message.contains(word) == isPublished, "\(reply.message)")
            }
        }
    }

    // MARK: The redirect URI

    private static let common = "http://127.0.0.1:7678/__/auth/handler"

    private func redirectURI(_ reply: RecordedReply) -> String {
        (reply.page("redirect_uri") ?? "").replacing("%3A", with: ":").replacing("%2F", with: "/")
    }

    @Test("has a redirect URI of its own for each issuer, which is registered; an answer that arrives elsewhere is none")
    func ownRedirectURI() throws {
        let daemon = try TestApplication(
            mcp: server, ScriptedMCPServer.configuration + "\n[mcp.second]\nurl = \"https://mcp.example/mcp\"")
        let first = begin(daemon)
        change { $0.moveIssuer(to: "evil.example") }
        let second = begin(daemon, ["providerID": "second"])
        let uris = [first, second].map(redirectURI)
        #expect(uris[0] != uris[1] && uris.allSatisfy { $0.hasPrefix("\(Self.common)/") }, "\(uris)")
        for (uri, host) in zip(uris, ["as.example", "evil.example"]) {
            let request = try #require(daemon.requests(to: "https://\(host)/register").last)
            #expect(try JSON(parsing: request.body).objectValue?["redirect_uris"] == [.string(uri)])
        }
        // The second issuer passes the user on to the first one's page, with its own state.
        let next = try daemon.restarted(
            mcp: server, ScriptedMCPServer.configuration + "\n[mcp.second]\nurl = \"https://mcp.example/mcp\"")
        for place in [uris[0], Self.common, "\(uris[1])/x"] {
            let reply = next.browserReturns("state=\(second.pageState ?? "")&code=abc", to: place)
            #expect(reply.errorName == "RedirectNotRecognised", "\(place)")
        }
        #expect(next.hosts(sent: "code=abc").isEmpty)
        #expect(next.browserReturns("state=\(second.pageState ?? "")&code=abc", to: uris[1]).error == nil)
        #expect(next.hosts(sent: "code=abc") == ["evil.example"])
        let sent = try #require(next.requests(to: "https://evil.example/token").last)
        #expect(sent.form["redirect_uri"]?.replacing("%3A", with: ":").replacing("%2F", with: "/") == uris[1])
        change { $0[resource: "authorization_servers"] = ["https://as.example"] }
        #expect(redirectURI(begin(next)) == uris[0] && registrations == 2)
    }

    @Test("has the common redirect URI with the client document, which cannot list those of issuers, and with a configured client")
    func commonRedirectURI() throws {
        try publish()
        let daemon = try TestApplication(mcp: server, ScriptedMCPServer.configuration + Self.registration)
        #expect(redirectURI(begin(daemon)) == Self.common && registrations == 0)
        let byHand = "\nclient-id = \"mine\"\nissuer = \"https://as.example\""
        #expect(redirectURI(begin(try TestApplication(mcp: server, ScriptedMCPServer.configuration + byHand))) == Self.common)
    }

    // MARK: Scopes

    @Test("asks for the scopes that it is given and no others; without any, for what the account has as well")
    func scopes() throws {
        let daemon = try TestApplication(mcp: server)
        daemon.signIn()
        for scopes in [["admin", "offline_access"], ["admin"]] {
            let asked = begin(daemon, ["scopes": .array(scopes.map { .string($0) })])
            #expect(Set(asked.pageScopes) == Set(scopes), "\(asked.pageScopes)")
            cancel(asked, daemon)
        }
        daemon.signIn(["scopes": ["admin"]])
        let without = begin(daemon)
        #expect(Set(without.pageScopes) == ["read", "offline_access", "admin"], "\(without.pageScopes)")
    }

    // MARK: Discovery

    @Test("does not read the document that a caller's challenge names: the server is asked itself")
    func foreignChallenge() throws {
        let daemon = try TestApplication(mcp: server)
        daemon.signIn()
        let before = daemon.requests(to: "https://mcp.example/mcp").count
        for error in ["invalid_token", "insufficient_scope"] {
            let challenge = "Bearer error=\"\(error)\", scope=\"admin\", resource_metadata=\"https://evil.example/meta\""
            let reply = begin(daemon, ["challenge": [.string(challenge)]])
            #expect(reply.event?["authorizationURL"]?.stringValue?.hasPrefix("https://as.example/authorize?") == true, "\(reply.message)")
        }
        #expect(daemon.requests(to: "https://mcp.example/mcp").count == before + 2)
        #expect(daemon.executor.isolated { daemon.provider.sent }.allSatisfy { !$0.url.hasPrefix("https://evil.example") })
    }

    @Test("shares the discovery with another that begins at the same time")
    func shared() throws {
        let daemon = try TestApplication(mcp: server)
        daemon.providerWaits()
        let replies = (1...2).map { _ in begin(daemon) }
        daemon.answers(by: server)
        daemon.executor.isolated {
            while let request = daemon.provider.waiting.first?.request, let answer = server.answer(to: request) {
                daemon.provider.answer(answer)
            }
        }
        daemon.settle()
        for reply in replies { #expect(reply.pageState != nil, "\(reply.message)") }
        for url in ["https://mcp.example/mcp", "https://mcp.example/meta", "https://as.example/.well-known/oauth-authorization-server"] {
            #expect(daemon.requests(to: url).count == 1, "\(url)")
        }
        #expect(registrations == 1)
    }

    // MARK: What the person agreed to

    private static let agreed: JSONObject = [
        "issuer": "https://as.example", "resource": "https://mcp.example/mcp", "endpointHosts": [], "scopes": ["offline_access", "read"],
    ]

    private func agreeing(_ change: (inout JSONObject) -> Void = { _ in }) -> JSONObject {
        var agreed = Self.agreed
        change(&agreed)
        return ["agreed": .object(agreed)]
    }

    struct Change: CustomTestStringConvertible, Sendable {
        var testDescription: String
        var words: [String]
        var change: @Sendable @DaemonActor (ScriptedMCPServer) -> Void
    }

    private static let changes = [
        Change(testDescription: "issuer", words: ["issuer is https://new.example now", "was https://as.example"]) { $0.moveIssuer(to: "new.example") },
        Change(testDescription: "resource", words: ["resource is https://mcp.example now", "was https://mcp.example/mcp"]) {
            $0[resource: "resource"] = "https://mcp.example"
        },
        Change(testDescription: "scopes", words: ["scopes are read admin offline_access now"]) { $0[resource: "scopes_supported"] = ["read", "admin"] },
        Change(testDescription: "fewer scopes", words: ["scopes are not named now"]) { $0[resource: "scopes_supported"] = nil },
        Change(testDescription: "endpoint", words: ["endpoints at tokens.example"]) { $0[issuer: "token_endpoint"] = "https://tokens.example/token" },
    ]

    @Test("begins if the server is what the person agreed to, and sends nothing to one that has changed", arguments: changes)
    func changed(_ change: Change) throws {
        let daemon = try TestApplication(mcp: server)
        let reply = begin(daemon, agreeing())
        #expect(reply.pageState != nil, "\(reply.message)")
        cancel(reply, daemon)
        let before = daemon.executor.isolated { daemon.provider.sent.count }
        self.change { change.change($0) }
        let refused = begin(daemon, agreeing())
        #expect(refused.errorName == "ServerChanged" && refused.pageState == nil, "\(refused.message)")
        for words in change.words { #expect(refused.message.contains(words), "\(refused.message)") }
        let sent = daemon.executor.isolated { daemon.provider.sent.dropFirst(before).map(\.url) }
        #expect(sent.allSatisfy { $0.contains("/.well-known/") || $0.hasPrefix("https://mcp.example/") }, "\(sent)")
        // The person is shown it again, and agrees.
        let found = daemon.call("ResolveResource", ["url": "https://mcp.example/mcp", "name": "linear"])
        let again = begin(
            daemon,
            agreeing { agreed in
                for name in ["issuer", "resource", "scopes"] { agreed[name] = found[name] }
                agreed["endpointHosts"] = found["endpointHosts"] ?? []
            })
        // A host is agreed to in the section.
        #expect((again.pageState != nil) == (change.testDescription != "endpoint"), "\(again.message)")
    }

    @Test("takes nothing agreed to that is none, or where nothing is found out")
    func agreedTo() throws {
        let daemon = try TestApplication(mcp: server, ScriptedMCPServer.configuration + "\n" + TestApplication.example)
        let mistakes: [JSONObject] = [
            agreeing { $0["issuer"] = "" }, agreeing { $0["issuer"] = .string(String(repeating: "a", count: 2049)) },
            agreeing { $0["endpointHosts"] = ["a/b"] }, agreeing { $0["endpointHosts"] = .array(Array(repeating: "a.example", count: 17)) },
            agreeing { $0["scopes"] = .array(Array(repeating: "a", count: 257)) },
            ["providerID": "work", "agreed": .object(Self.agreed)],
        ]
        for parameters in mistakes {
            let reply = begin(daemon, parameters)
            #expect(reply.errorName == "InvalidParameter", "\(reply.message)")
        }
        #expect(daemon.executor.isolated { daemon.provider.sent }.isEmpty)
    }

    // MARK: A URL with a query

    @Test("at a URL with a query brings a token for exactly this URL, and another query is another server")
    func query() throws {
        let daemon = try TestApplication(
            mcp: server,
            """
            [mcp.a]
            url = "https://mcp.example/mcp?team=a"
            [mcp.b]
            url = "https://mcp.example/mcp?team=b"
            """)
        daemon.signIn(mcp: "a")
        daemon.signIn(mcp: "b")
        for (url, token) in [
            ("?team=a", "at-1"), ("?team=b", "at-2"), ("", nil), ("?team=c", nil), ("?team=a&x=1", nil), ("/x?team=a", nil), ("?", nil),
        ] {
            let reply = daemon.call("AuthorizeRequest", ["method": "POST", "url": .string("https://mcp.example/mcp\(url)")])
            let header = reply["headers"]?.objectValue?["Authorization"]?.stringValue
            #expect(header == token.map { "Bearer \($0)" }, "\(url): \(reply.message)")
            #expect(reply.errorName == (token == nil ? "OriginNotServed" : nil), "\(url)")
        }
    }
}

import PosternApplication
import PosternCore
import StrictJSON
import Testing

/// A server wants more of the account's token than it has.
@Suite("A step-up, step by step", .serialized)
struct StepUpTests {
    private static let configuration =
        TestApplication.example + """

            scopes = ["read"]
            step-up-scopes = ["admin", "billing"]
            serves = ["https://work.example"]
            """

    private static let admin = #"Bearer error="insufficient_scope", scope="admin""#
    private static let billing = #"Bearer error="insufficient_scope", scope="billing""#
    private static let stronger = #"Bearer error="insufficient_user_authentication", acr_values="phr mfa", max_age="300""#
    private static let invalid = #"Bearer error="invalid_token""#

    /// Somebody has signed in, and got `at-1` for `read`.
    private func signedIn(_ configuration: String = configuration, granting scopes: String = "read") throws -> TestApplication {
        let daemon = try TestApplication(configuration)
        let reply = begin(daemon)
        agree(reply, daemon, granting: scopes)
        #expect(reply.isCompleted, "\(reply.message)")
        return daemon
    }

    private func begin(_ daemon: TestApplication, _ challenge: String..., further: JSONObject = [:]) -> RecordedReply {
        var parameters: JSONObject = ["providerID": "work", "intent": "keep", "presentation": "client"]
        if !challenge.isEmpty { parameters["challenge"] = .array(challenge.map(JSON.string)) }
        for member in further.members { parameters[member.key] = member.value }
        return daemon.call("SignIn", parameters, more: true)
    }

    /// The person agrees, and the provider grants these scopes.
    private func agree(
        _ reply: RecordedReply, _ daemon: TestApplication, granting scopes: String, token: String = "at-1", as subject: String = "42"
    ) {
        daemon.browserReturns("state=\(reply.pageState ?? "")&code=abc")
        daemon.answer(
            json: #"{"access_token":"\#(token)","refresh_token":"r-\#(token)","token_type":"Bearer","expires_in":3600,"scope":"\#(scopes)"}"#)
        daemon.answer(json: #"{"id":"\#(subject)","name":"Ada"}"#)
    }

    private func authorize(_ daemon: TestApplication, _ challenge: String..., further: JSONObject = [:]) -> RecordedReply {
        var parameters: JSONObject = [
            "method": "GET", "url": "https://work.example/x", "challenge": .array(challenge.map(JSON.string)),
        ]
        for member in further.members { parameters[member.key] = member.value }
        return daemon.call("AuthorizeRequest", parameters)
    }

    private func header(_ reply: RecordedReply) -> String? { reply["headers"]?.objectValue?["Authorization"]?.stringValue }

    private func page(_ reply: RecordedReply, _ parameter: String) -> String? {
        let url = reply.replies.compactMap { $0["event"]?.objectValue?["authorizationURL"]?.stringValue }.last ?? ""
        return url.query(parameter)?.replacing("%20", with: " ").replacing("+", with: " ")
    }

    private func token(_ daemon: TestApplication) -> JSON? { daemon.call("GetAccessToken", ["providerID": "work"])["accessToken"] }

    // MARK: What the program is told

    @Test("A program is told what the user must grant, and with which command; no page is opened for it")
    func told() throws {
        let daemon = try signedIn()
        let more = authorize(daemon, Self.admin)
        #expect(more.errorName == "StepUpRequired" && !daemon.isAsked)
        let scopes = more.error?.object["scopes"]
        #expect(scopes == ["read", "admin"])
        #expect(
            more.message == "the server wants the scope admin, which the token of work does not have; run `postern sign-in work --scope admin`")
        let stronger = authorize(daemon, Self.stronger)
        #expect(stronger.errorName == "StepUpRequired")
        #expect(stronger.error?.object["acrValues"] == ["phr", "mfa"] && stronger.error?.object["maxAgeSeconds"] == 300)
        #expect(
            stronger.message == "the server wants a stronger sign-in (acr_values phr mfa, max_age 300), which the token of work does not have; "
                + "run `postern sign-in work --param 'acr_values=phr mfa' --param max_age=300`")
        #expect(daemon.sessionStates == ["completed"])
        #expect(token(daemon) == "at-1")
    }

    @Test("Scopes that nobody listed are never asked for, and the key that lists them is named", arguments: ["AuthorizeRequest", "SignIn"])
    func unlisted(method: String) throws {
        let daemon = try signedIn()
        let challenge = #"Bearer error="insufficient_scope", scope="admin root""#
        let reply = method == "SignIn" ? begin(daemon, challenge) : authorize(daemon, challenge)
        #expect(reply.errorName == "ScopeNotGranted" && reply.error?.object["missing"] == ["root"])
        #expect(reply.message.contains("step-up-scopes of [provider.work] does not list: root"), "\(reply.message)")
    }

    @Test("A page is not opened for what was granted already; a token that is newer than the challenge is simply used")
    func granted() throws {
        let daemon = try signedIn(granting: "read admin")
        #expect(header(authorize(daemon, Self.admin)) == "Bearer at-1")
        daemon.pass(seconds: 60)
        for reply in [authorize(daemon, Self.admin), begin(daemon, Self.admin)] {
            #expect(reply.errorName == "ScopeNotGranted" && reply.error?.object["missing"] == [], "\(reply.message)")
        }
        #expect(daemon.sessionStates == ["completed"])
    }

    @Test("An oversized challenge is refused", arguments: ["AuthorizeRequest", "SignIn"])
    func bounds(method: String) throws {
        let daemon = try signedIn()
        for challenge in [Array(repeating: "Bearer", count: 17), [String(repeating: "a", count: 4097)]] {
            let further: JSONObject = ["challenge": .array(challenge.map(JSON.string))]
            let reply = method == "SignIn" ? begin(daemon, further: further) : authorize(daemon, further: further)
            #expect(reply.errorName == "InvalidParameter")
        }
        let most: JSONObject = ["challenge": .array(Array(repeating: .string(String(repeating: "a", count: 4096)), count: 16))]
        #expect(header(authorize(daemon, further: most)) == "Bearer at-1")
    }

    @Test("Only sign-ins that a person's account, a credential or a proof comes from take a challenge", arguments: ["signIn", "link"])
    func intents(intent: String) throws {
        let daemon = try signedIn()
        #expect(begin(daemon, Self.admin, further: ["intent": .string(intent)]).errorName == "InvalidParameter")
    }

    @Test("The person is shown once what is wanted, with a button that asks for it, and no longer once it is granted")
    func notice() throws {
        let daemon = try signedIn()
        for _ in 0..<3 { _ = authorize(daemon, Self.admin) }
        let notice = try #require(daemon.notices.shown.first)
        #expect(daemon.notices.shown.count == 1 && notice.summary == "work: a server wants more access" && notice.button == "Sign in")
        #expect(notice.body == "Ada: It wants: admin. Or run: postern sign-in work --scope admin")
        // A server that invents something new each time shows one a minute.
        _ = authorize(daemon, Self.billing)
        #expect(daemon.notices.shown.count == 1)
        daemon.pass(seconds: 60)
        _ = authorize(daemon, Self.billing)
        #expect(daemon.notices.shown.count == 2 && daemon.notices.displayed.count == 1)
        let reply = begin(daemon, Self.billing)
        agree(reply, daemon, granting: "read billing", token: "at-2")
        #expect(reply.isCompleted && daemon.notices.displayed.isEmpty, "\(reply.message)")
        // The button.
        _ = authorize(daemon, Self.admin)
        daemon.executor.isolated { daemon.notices.happens(.buttonPressed(activationToken: nil)) }
        daemon.settle()
        let pages = daemon.executor.isolated { daemon.pages.opened }
        #expect(pages.last?.query("scope")?.replacing("%20", with: " ").replacing("+", with: " ") == "read billing admin")
    }

    @Test("Words with a meaning for a shell are quoted in the command, or left out of it")
    func quoting() throws {
        let daemon = try signedIn(
            Self.configuration.replacing("\"admin\"", with: "\"$(id)\", \"it's\", \"https://x.example/a.b:c\""))
        func message(_ scope: String) -> String { authorize(daemon, #"Bearer error="insufficient_scope", scope="\#(scope)""#).message }
        #expect(message("$(id)").hasSuffix("run `postern sign-in work --scope '$(id)'`"))
        #expect(message("it's").hasSuffix("; sign in with the server's challenge"))
        #expect(message("https://x.example/a.b:c").hasSuffix("run `postern sign-in work --scope https://x.example/a.b:c`"))
    }

    // MARK: Renewal

    @Test("A refused token is renewed once a minute, however often a server refuses it")
    func renewed() throws {
        let daemon = try signedIn()
        #expect(header(authorize(daemon, Self.invalid)) == "Bearer at-1" && !daemon.isAsked, "it is new")
        var renewals = 0
        for second in 0..<180 {
            daemon.pass(seconds: 1)
            let reply = authorize(daemon, [Self.invalid, "Bearer", "Basic realm=\"x\"", "Bearer error=\"invalid_token\", error=\"x\""][second % 4])
            if daemon.isAsked {
                renewals += 1
                daemon.answerToken("at-\(renewals + 1)", refreshToken: "r-\(renewals + 1)")
            }
            #expect(header(reply) == "Bearer at-\(renewals + 1)", "second \(second): \(reply.message)")
        }
        #expect(renewals == 3)
    }

    @Test("A refusal that no token can fix changes nothing")
    func nothing() throws {
        let daemon = try signedIn()
        daemon.pass(seconds: 100)
        #expect(header(authorize(daemon, #"Bearer error="invalid_request""#)) == "Bearer at-1" && !daemon.isAsked)
    }

    @Test("A proof has the nonce that the server wants")
    func nonce() throws {
        let daemon = try TestApplication(Self.configuration + "\ndpop = true")
        let signIn = begin(daemon)
        daemon.browserReturns("state=\(signIn.pageState ?? "")&code=abc")
        daemon.answer(json: #"{"access_token":"at-1","token_type":"DPoP","expires_in":3600,"scope":"read"}"#)
        daemon.answer(json: #"{"id":"42","name":"Ada"}"#)
        #expect(signIn.isCompleted, "\(signIn.message)")
        let reply = authorize(daemon, #"DPoP error="use_dpop_nonce", nonce="n-1""#)
        let proof = try #require(reply["headers"]?.objectValue?["DPoP"]?.stringValue, "\(reply.message)")
        let claims = try #require(Base64URL.decode(proof.split(separator: ".")[1]))
        #expect(try JSON(parsing: claims).objectValue?["nonce"] == "n-1")
    }

    // MARK: The sign-in

    @Test("A sign-in asks for the union, shows it, and brings a token that has it")
    func union() throws {
        let daemon = try signedIn()
        let reply = begin(daemon, Self.admin)
        #expect(page(reply, "scope") == "read admin")
        #expect(reply.event?["scopes"] == ["read", "admin"])
        #expect(daemon.call("ListSessions")["sessions"]?.arrayValue?.last?.objectValue?["scopes"] == ["read", "admin"])
        agree(reply, daemon, granting: "read admin", token: "at-2")
        #expect(reply.isCompleted, "\(reply.message)")
        #expect(header(authorize(daemon, Self.admin)) == "Bearer at-2")
        #expect(begin(daemon).event?["scopes"] == nil, "only what a server may have caused is shown")
    }

    @Test("What was once asked for and not granted is asked for again, also after a restart; a sign-in of the person's begins anew")
    func everRequested() throws {
        let first = try signedIn()
        let wide = begin(first, further: ["scopes": ["read", "write"]])
        agree(wide, first, granting: "read")
        #expect(wide.isCompleted)
        let daemon = try first.restarted(configuration: Self.configuration)
        let stepUp = begin(daemon, Self.admin)
        #expect(page(stepUp, "scope") == "read write admin")
        _ = daemon.call("CancelSession", ["sessionID": stepUp.event?["sessionID"] ?? .null])
        let anew = begin(daemon, further: ["scopes": ["read"]])
        agree(anew, daemon, granting: "read", token: "at-2")
        #expect(page(begin(daemon, Self.admin), "scope") == "read admin")
    }

    @Test("A stronger sign-in is asked for with the parameters of OpenID, and without an ID token the server's next answer decides, twice")
    func strongerTwice() throws {
        let daemon = try signedIn()
        for number in 2...3 {
            let reply = begin(daemon, Self.stronger)
            #expect(page(reply, "acr_values") == "phr mfa" && page(reply, "max_age") == "300")
            agree(reply, daemon, granting: "read", token: "at-\(number)")
            #expect(reply.isCompleted, "\(reply.message)")
        }
        for reply in [begin(daemon, Self.stronger), authorize(daemon, Self.stronger)] {
            #expect(reply.errorName == "TooManyAttempts" && reply.error?.object["retryAfterSeconds"] == 600, "\(reply.message)")
        }
        #expect(token(daemon) == "at-3")
        daemon.pass(seconds: 600)
        #expect(authorize(daemon, Self.stronger).errorName == "StepUpRequired")
    }

    @Test("What the person declines is not asked for again within ten minutes, and the account goes on as it was")
    func declined() throws {
        let daemon = try signedIn()
        let reply = begin(daemon, Self.admin)
        daemon.browserReturns("state=\(reply.pageState ?? "")&error=access_denied")
        #expect(reply.errorName == "SignInDenied")
        #expect(token(daemon) == "at-1")
        for refused in [begin(daemon, Self.admin), authorize(daemon, Self.admin)] { #expect(refused.errorName == "TooManyAttempts") }
        #expect(authorize(daemon, Self.billing).errorName == "StepUpRequired", "that is something else")
        daemon.pass(seconds: 600)
        #expect(authorize(daemon, Self.admin).errorName == "StepUpRequired")
    }

    @Test("A provider that is down, or a person who gives up, was no refusal")
    func notDeclined() throws {
        let daemon = try signedIn()
        let down = begin(daemon, Self.admin)
        daemon.browserReturns("state=\(down.pageState ?? "")&error=temporarily_unavailable")
        #expect(down.errorName == "SignInDenied")
        let cancelled = begin(daemon, Self.admin)
        _ = daemon.call("CancelSession", ["sessionID": cancelled.event?["sessionID"] ?? .null])
        #expect(cancelled.errorName == "SignInCancelled")
        #expect(authorize(daemon, Self.admin).errorName == "StepUpRequired")
    }

    @Test("A grant with less than was demanded is not stored, and is not tried again")
    func less() throws {
        let daemon = try signedIn()
        let reply = begin(daemon, Self.admin)
        agree(reply, daemon, granting: "read", token: "at-2")
        #expect(reply.errorName == "ScopeNotGranted" && reply.error?.object["missing"] == ["admin"], "\(reply.message)")
        #expect(token(daemon) == "at-1")
        #expect(authorize(daemon, Self.admin).errorName == "TooManyAttempts")
    }

    @Test("A step-up does not take away what another brought meanwhile, and does not join it")
    func two() throws {
        let daemon = try signedIn()
        let admin = begin(daemon, Self.admin)
        let billing = begin(daemon, Self.billing)
        let joined = begin(daemon, Self.billing)
        #expect(admin.event?["sessionID"] != billing.event?["sessionID"] && joined.event?["sessionID"] == billing.event?["sessionID"])
        #expect(page(admin, "scope") == "read admin" && page(billing, "scope") == "read billing")
        agree(admin, daemon, granting: "read admin", token: "at-2")
        agree(billing, daemon, granting: "read billing", token: "at-3")
        #expect(admin.isCompleted && billing.errorName == "ScopeNotGranted" && billing.error?.object["missing"] == ["admin"])
        #expect(token(daemon) == "at-2")
    }

    @Test("An ordinary sign-in that waits is not joined")
    func notJoined() throws {
        let daemon = try signedIn()
        let usual = begin(daemon)
        #expect(begin(daemon, Self.admin).event?["sessionID"] != usual.event?["sessionID"])
        #expect(begin(daemon, Self.stronger).event?["sessionID"] != usual.event?["sessionID"])
        // What needs no person's consent is an ordinary sign-in.
        #expect(begin(daemon, Self.invalid).event?["sessionID"] == usual.event?["sessionID"])
    }

    @Test("Another account's sign-in is no step-up of this one")
    func otherAccount() throws {
        let daemon = try signedIn()
        let reply = begin(daemon, Self.admin)
        agree(reply, daemon, granting: "read admin", token: "at-2", as: "43")
        #expect(reply.errorName == "UserMismatch", "\(reply.message)")
        #expect(token(daemon) == "at-1")
    }

    @Test("A provider that knows a scope no longer is asked once more, for what the account has and what is demanded")
    func invalidScope() throws {
        let daemon = try signedIn()
        let wide = begin(daemon, further: ["scopes": ["read", "write"]])
        agree(wide, daemon, granting: "read")
        let reply = begin(daemon, Self.admin)
        #expect(page(reply, "scope") == "read write admin")
        daemon.browserReturns("state=\(reply.pageState ?? "")&error=invalid_scope")
        #expect(!reply.isFinished && page(reply, "scope") == "read admin", "\(reply.message)")
        agree(reply, daemon, granting: "read admin", token: "at-2")
        #expect(reply.isCompleted && token(daemon) == "at-2", "\(reply.message)")
    }

    @Test("A proof of an app's user asks for what the app's account has as well, and does not take it away")
    func proof() throws {
        let daemon = try TestApplication(Self.configuration)
        let user: JSONObject = ["intent": "signIn", "app": "mail"]
        agree(begin(daemon, further: user), daemon, granting: "read")
        let proof: JSONObject = ["intent": "reauthenticate", "app": "mail"]
        let first = begin(daemon, Self.admin, further: proof)
        #expect(page(first, "scope") == "read admin", "\(first.message)")
        agree(first, daemon, granting: "read admin", token: "at-2")
        #expect(first.isCompleted, "\(first.message)")
        let second = begin(daemon, Self.billing, further: proof)
        #expect(page(second, "scope") == "read admin billing", "\(second.message)")
        agree(second, daemon, granting: "read billing", token: "at-3")
        #expect(second.errorName == "ScopeNotGranted" && token(daemon) == "at-2", "\(second.message)")
    }

    @Test("It is asked no third time")
    func invalidScopeTwice() throws {
        let daemon = try signedIn()
        let wide = begin(daemon, further: ["scopes": ["read", "write"]])
        agree(wide, daemon, granting: "read")
        let reply = begin(daemon, Self.admin)
        for _ in 0..<2 { daemon.browserReturns("state=\(reply.pageState ?? "")&error=invalid_scope") }
        #expect(reply.isFinished && reply.errorName == "ProviderNotConfigured" && !daemon.isAsked)
        #expect(begin(daemon, Self.admin).errorName == "TooManyAttempts" && token(daemon) == "at-1")
    }

    // MARK: What an ID token says

    struct Claims: CustomTestStringConvertible, Sendable {
        var testDescription: String
        var claims: JSONObject
        var reason: String?
    }

    private static let moment = FakeClock().now.seconds
    private static let claims = [
        Claims(testDescription: "the first", claims: ["acr": "phr", "auth_time": .integer(moment)]),
        Claims(testDescription: "another", claims: ["acr": "mfa", "auth_time": .integer(moment - 299)]),
        Claims(testDescription: "a weaker one", claims: ["acr": "pwd", "auth_time": .integer(moment)], reason: "the user signed in with pwd (acr)"),
        Claims(testDescription: "none", claims: ["auth_time": .integer(moment)], reason: "does not say how the user signed in (acr)"),
        Claims(testDescription: "a number", claims: ["acr": 2, "auth_time": .integer(moment)], reason: "does not say how the user signed in (acr)"),
        Claims(testDescription: "an old one", claims: ["acr": "phr", "auth_time": .integer(moment - 400)], reason: "(max_age)"),
        Claims(testDescription: "one of unknown age", claims: ["acr": "phr"], reason: "(auth_time)"),
    ]

    @Test("An ID token must be of a sign-in that is strong and young enough; a weaker one takes no one's place", arguments: claims)
    func strong(_ row: Claims) throws {
        let provider = try OpenIDProvider()
        let daemon = try TestApplication(OpenIDProvider.configuration + "\nserves = [\"https://work.example\"]")
        provider.answersDocuments(of: daemon)
        func finish(_ reply: RecordedReply, _ token: String, _ further: JSONObject) throws {
            let nonce = page(reply, "nonce")
            daemon.browserReturns("state=\(reply.pageState ?? "")&code=abc")
            daemon.answer(json: try provider.tokens(token, refreshToken: "r-\(token)", subject: "ada", nonce: nonce, further: further))
        }
        let first = begin(daemon)
        try finish(first, "at-1", [:])
        #expect(first.isCompleted, "\(first.message)")
        let stepUp = begin(daemon, Self.stronger)
        try finish(stepUp, "at-2", row.claims)
        if let reason = row.reason {
            #expect(stepUp.errorName == "InvalidIDToken" && stepUp.message.contains(reason), "\(stepUp.message)")
            #expect(token(daemon) == "at-1" && authorize(daemon, Self.stronger).errorName == "TooManyAttempts")
        } else {
            #expect(stepUp.isCompleted && token(daemon) == "at-2", "\(stepUp.message)")
        }
    }

    @Test("What a server demanded once is demanded again for more scopes: they are not bought with a weaker sign-in")
    func stays() throws {
        let provider = try OpenIDProvider()
        let daemon = try TestApplication(
            OpenIDProvider.configuration + "\nserves = [\"https://work.example\"]\nstep-up-scopes = [\"admin\"]")
        provider.answersDocuments(of: daemon)
        func finish(_ reply: RecordedReply, _ token: String, acr: String) throws {
            let nonce = page(reply, "nonce")
            daemon.browserReturns("state=\(reply.pageState ?? "")&code=abc")
            let further: JSONObject = ["acr": .string(acr), "auth_time": .integer(Self.moment)]
            daemon.answer(json: try provider.tokens(token, refreshToken: "r-\(token)", subject: "ada", nonce: nonce, further: further))
        }
        try finish(begin(daemon), "at-1", acr: "pwd")
        let strong = begin(daemon, Self.stronger)
        try finish(strong, "at-2", acr: "phr")
        #expect(strong.isCompleted, "\(strong.message)")
        let wide = begin(daemon, Self.admin)
        #expect(page(wide, "acr_values") == "phr mfa")
        try finish(wide, "at-3", acr: "pwd")
        #expect(wide.errorName == "InvalidIDToken" && token(daemon) == "at-2", "\(wide.message)")
    }

    // MARK: At an MCP server

    private func begin(mcp daemon: TestApplication, _ challenge: String) -> RecordedReply {
        daemon.call(
            "SignIn",
            ["providerID": "linear", "intent": "keep", "presentation": "client", "challenge": [.string(challenge)]], more: true)
    }

    /// A server whose issuer also gives ID tokens; somebody has signed in.
    private func signedIn(mcp server: ScriptedMCPServer, _ provider: OpenIDProvider) throws -> TestApplication {
        QueueExecutor.shared.isolated {
            server[issuer: "jwks_uri"] = "https://as.example/keys"
            server.documents["https://as.example/keys"] = provider.keys
        }
        let daemon = try TestApplication(mcp: server)
        #expect(daemon.signIn().isCompleted)
        return daemon
    }

    private func finish(
        _ reply: RecordedReply, _ daemon: TestApplication, _ server: ScriptedMCPServer, _ provider: OpenIDProvider, _ claims: JSONObject?
    ) throws {
        var further: JSONObject = ["iss": "https://as.example", "aud": "client-1"]
        for member in claims?.members ?? [] { further[member.key] = member.value }
        let idToken = try claims.map { _ in try provider.idToken(subject: "ada", further: further) }
        QueueExecutor.shared.isolated { server.grant["id_token"] = idToken.map(JSON.string) }
        daemon.browserReturns("state=\(reply.pageState ?? "")&code=abc")
    }

    private func token(mcp daemon: TestApplication) -> JSON? { daemon.call("GetAccessToken", ["providerID": "linear"])["accessToken"] }

    private static let foreign = [
        Claims(testDescription: "of another issuer", claims: ["iss": "https://evil.example", "acr": "phr", "auth_time": .integer(moment)], reason: "iss"),
        Claims(testDescription: "of another client", claims: ["aud": "other", "acr": "phr", "auth_time": .integer(moment)], reason: "aud"),
    ]

    @Test("An MCP server's issuer that gives an ID token is held to it, and the token is kept by nobody", arguments: claims + foreign)
    func strong(mcp row: Claims) throws {
        let (server, provider) = (ScriptedMCPServer(), try OpenIDProvider())
        let daemon = try signedIn(mcp: server, provider)
        let stepUp = begin(mcp: daemon, Self.stronger)
        try finish(stepUp, daemon, server, provider, row.claims)
        if let reason = row.reason {
            #expect(stepUp.errorName == "InvalidIDToken" && stepUp.message.contains(reason), "\(stepUp.message)")
            #expect(token(mcp: daemon) == "at-1" && begin(mcp: daemon, Self.stronger).errorName == "TooManyAttempts")
        } else {
            #expect(stepUp.isCompleted && token(mcp: daemon) == "at-2", "\(stepUp.message)")
        }
        #expect(daemon.call("GetIDToken", ["providerID": "linear"]).errorName == "UnsupportedFlow")
        #expect(daemon.call("ListCredentials")["credentials"]?.arrayValue?.map { $0.objectValue?["uid"] } == ["linear"])
    }

    @Test("An ID token that cannot be verified is no evidence, and a page without a demand needs none")
    func unverified() throws {
        let (server, provider, other) = (ScriptedMCPServer(), try OpenIDProvider(), try OpenIDProvider())
        let daemon = try signedIn(mcp: server, provider)
        let claims: JSONObject = ["acr": "phr", "auth_time": .integer(Self.moment)]
        let stepUp = begin(mcp: daemon, Self.stronger)
        try finish(stepUp, daemon, server, other, claims)
        #expect(stepUp.errorName == "InvalidIDToken" && token(mcp: daemon) == "at-1", "\(stepUp.message)")
        #expect(daemon.signIn().isCompleted && token(mcp: daemon) == "at-3")
    }

    @Test("Without an ID token the server's next answer decides, and no class counts as one that the token has")
    func withoutIDToken() throws {
        let (server, provider) = (ScriptedMCPServer(), try OpenIDProvider())
        let daemon = try signedIn(mcp: server, provider)
        let first = begin(mcp: daemon, Self.stronger)
        try finish(first, daemon, server, provider, nil)
        #expect(first.isCompleted && token(mcp: daemon) == "at-2", "\(first.message)")
        let other = begin(mcp: daemon, Self.stronger.replacing("phr mfa", with: "hwk"))
        #expect(page(other, "acr_values") == "hwk", "\(other.message)")
        try finish(other, daemon, server, provider, ["acr": "hwk", "auth_time": .integer(Self.moment)])
        #expect(other.isCompleted, "\(other.message)")
        daemon.pass(seconds: 700)
        let third = begin(mcp: daemon, Self.stronger)
        #expect(third.errorName == "ScopeNotGranted" && third.message.contains("hwk"), "\(third.message)")
    }

    // MARK: A hostile server

    @Test("A server that always wants more gets two sign-ins of a person at most, and then a sentence")
    func loop() throws {
        let daemon = try signedIn()
        var pages = 0
        for round in 0..<6 {
            let asked = authorize(daemon, Self.stronger)
            guard asked.errorName == "StepUpRequired" else {
                #expect(asked.errorName == "TooManyAttempts", "\(asked.message)")
                continue
            }
            pages += 1
            agree(begin(daemon, Self.stronger), daemon, granting: "read", token: "at-\(round + 2)")
        }
        #expect(pages == 2)
        // Nor does it get another with a new demand.
        #expect(authorize(daemon, Self.admin).errorName == "TooManyAttempts" && token(daemon) == "at-3")
        daemon.pass(seconds: 601)
        #expect(authorize(daemon, Self.admin).errorName == "StepUpRequired")
    }
}

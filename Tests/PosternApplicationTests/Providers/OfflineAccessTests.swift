import PosternApplication
import PosternCore
import StrictJSON
import Testing

@Suite("A sign-in that is to bring a refresh token", .serialized)
struct OfflineAccessTests {
    private static let configuration =
        OpenIDProvider.configuration + """

            scopes = ["openid", "offline_access"]
            [account.club]
            provider = "work"
            """

    private let provider: OpenIDProvider
    private let daemon: TestApplication

    init() throws {
        provider = try OpenIDProvider()
        daemon = try TestApplication(Self.configuration)
        provider.answersDocuments(of: daemon)
    }

    private func page(_ reply: RecordedReply) -> String { reply.replies.first?["event"]?.objectValue?["authorizationURL"]?.stringValue ?? "" }

    /// The `prompt` of a sign-in that nobody finishes.
    private func prompt(_ further: JSONObject = [:], of daemon: TestApplication) throws -> String? {
        let pending = try PendingSignIn(daemon, further)
        defer { _ = pending.call("CancelSession") }
        return page(pending.reply).query("prompt")
    }

    private func signIn(_ subject: String, as name: String = "work", refreshToken: String?) throws {
        let intent: JSON = name == "club" ? "keep" : "signIn"
        let reply = daemon.call("SignIn", ["providerID": .string(name), "intent": intent, "presentation": "client"], more: true)
        let nonce = page(reply).query("nonce")
        daemon.browserReturns("state=\(reply.pageState ?? "")&code=abc")
        daemon.answer(json: try provider.tokens("at", refreshToken: refreshToken, subject: subject, nonce: nonce))
        #expect(reply.isCompleted, "\(reply.message)")
    }

    @Test("asks for the user's consent the first time, and when the refresh token is gone; also after a restart")
    func goneAndBack() throws {
        #expect(try prompt(of: daemon) == "consent")
        try signIn("ada", refreshToken: "rt-1")
        #expect(try prompt(of: daemon) == nil)
        daemon.run { await $0.close() }
        let restarted = try daemon.followed(configuration: Self.configuration)
        provider.answersDocuments(of: restarted)
        #expect(try prompt(of: restarted) == nil)
        #expect(restarted.refused().errorName == "SignInRequired")
        #expect(try prompt(of: restarted) == "consent")
    }

    @Test("asks for the consent of an account that has none, whatever others have")
    func otherAccount() throws {
        try signIn("ada", as: "club", refreshToken: "rt-1")
        #expect(try prompt(["loginHint": "ada"], of: daemon) == nil)
        #expect(try prompt(["providerID": "club"], of: daemon) == nil)
        #expect(try prompt(["loginHint": "bob"], of: daemon) == "consent")
        try signIn("bob", refreshToken: nil)
        #expect(try prompt(of: daemon) == "consent")
    }

    // MARK: Where nobody chose any scopes

    private static let listing: JSONObject = [
        "scopes_supported": ["openid", "email", "offline_access"], "device_authorization_endpoint": "https://work.example/device",
    ]

    /// A daemon whose provider lists the scope in its metadata.
    private func listing(_ more: String = "") throws -> TestApplication {
        let daemon = try TestApplication(OpenIDProvider.configuration + "\n" + more)
        provider.answersDocuments(of: daemon, changes: Self.listing)
        return daemon
    }

    /// The scopes of the page of a sign-in that nobody finishes, and its `prompt`.
    private func asked(_ further: JSONObject, of daemon: TestApplication) throws -> [String?] {
        let pending = try PendingSignIn(daemon, further)
        defer { _ = pending.call("CancelSession") }
        let url = page(pending.reply)
        return [url.query("scope")?.replacing("%20", with: " "), url.query("prompt")]
    }

    @Test("asks for it by itself for the user's own account, and not for an app")
    func intents() throws {
        let daemon = try listing()
        #expect(try asked(["intent": "keep"], of: daemon) == ["openid email profile offline_access", "consent"])
        for intent in ["signIn", "credential"] {
            #expect(try asked(["intent": .string(intent)], of: daemon) == ["openid email profile", nil], "\(intent)")
        }
        #expect(try asked(["intent": "keep", "scopes": ["email"]], of: daemon) == ["openid email", nil])
        #expect(
            try asked(["intent": "keep", "customParameters": ["prompt": "login"]], of: daemon) == ["openid email profile offline_access", "login"])
    }

    @Test("asks for what is written where scopes are configured, for the provider or the account")
    func configured() throws {
        let chosen = try listing(#"scopes = ["openid", "email", "profile"]"#)
        #expect(try asked(["intent": "keep"], of: chosen) == ["openid email profile", nil])
        let accounts = try listing(
            """
            [account.club]
            provider = "work"
            [account.mail]
            provider = "work"
            scopes = ["openid", "email"]
            """)
        #expect(try asked(["intent": "keep", "providerID": "club"], of: accounts) == ["openid email profile offline_access", "consent"])
        #expect(try asked(["intent": "keep", "providerID": "mail"], of: accounts) == ["openid email", nil])
    }

    @Test("asks for it with a code for another device, too, where no page has a prompt")
    func device() throws {
        for (intent, scope) in [("keep", "openid email profile offline_access"), ("signIn", "openid email profile")] {
            let daemon = try listing()
            let reply = daemon.call(
                "SignIn", ["providerID": "work", "intent": .string(intent), "flow": "device", "presentation": "client"], more: true)
            let form = daemon.executor.isolated { daemon.provider.sent.last { $0.url == "https://work.example/device" }?.form }
            let sent = form?["scope"]?.replacing("%20", with: " ").replacing("+", with: " ")
            #expect(sent == scope && form?["prompt"] == nil, "\(reply.message) \(sent ?? "")")
        }
    }

    @Test("says how to leave it out where the provider refuses it")
    func refused() throws {
        let daemon = try listing()
        let pending = try PendingSignIn(daemon, ["intent": "keep"])
        daemon.browserReturns("state=\(pending.state)&error=invalid_scope")
        #expect(pending.reply.errorName == "ProviderNotConfigured")
        #expect(pending.reply.message.contains("perhaps offline_access, which its metadata list"), "\(pending.reply.message)")
        #expect(pending.reply.message.contains(#"postern config set provider.work.scopes '["openid", "email", "profile"]'"#))
    }

    @Test("that an app's grant without it brings nothing more keeps the person's refresh token; more scopes are kept as before")
    func beside() throws {
        let daemon = try listing()
        func signIn(_ further: JSONObject, _ token: String, refreshToken: String?) throws {
            var call: JSONObject = ["providerID": "work", "presentation": "client"]
            for member in further.members { call[member.key] = member.value }
            let reply = daemon.call("SignIn", call, more: true)
            let nonce = page(reply).query("nonce")
            daemon.browserReturns("state=\(reply.pageState ?? "")&code=abc")
            daemon.answer(json: try provider.tokens(token, refreshToken: refreshToken, subject: "ada", nonce: nonce))
            #expect(reply.isCompleted, "\(reply.message)")
        }
        func token() -> String? { daemon.call("GetAccessToken", ["providerID": "work"])["accessToken"]?.stringValue }
        try signIn(["intent": "keep"], "at-1", refreshToken: "rt-1")
        try signIn(["intent": "signIn"], "at-2", refreshToken: "rt-2")
        #expect(token() == "at-1")
        try signIn(["intent": "signIn", "scopes": ["openid", "email", "profile", "calendar"]], "at-3", refreshToken: "rt-3")
        #expect(token() == "at-3")
    }
}

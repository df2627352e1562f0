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
        let reply = daemon.call("SignIn", ["providerID": .string(name), "presentation": "client"], more: true)
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

    @Test("asks for what the program wants, where it says so")
    func asked() throws {
        #expect(try prompt(["customParameters": ["prompt": "login"]], of: daemon) == "login")
        #expect(try prompt(["scopes": ["openid"]], of: daemon) == nil)
    }
}

import PosternApplication
import PosternCore
import StrictJSON
import Testing

/// `GetIDToken`: what is kept is handed out while it is good, and renewed together with the access token.
@Suite("An ID token", .serialized)
struct IDTokenTests {
    private let provider: OpenIDProvider
    private let daemon: TestApplication
    private let idToken: JSONObject = ["providerID": "work"]
    private let fresh: JSONObject = ["providerID": "work", "forceRefresh": true]
    /// That of the sign-in, which is valid for 600 s.
    private let first: JSON?
    /// Of the sign-in, as whoever has its ID token reads it there.
    private let nonce: String

    init() throws {
        provider = try OpenIDProvider()
        daemon = try TestApplication(OpenIDProvider.configuration)
        provider.answersDocuments(of: daemon)
        let reply = daemon.beginSignIn()
        nonce = reply.replies.first?["event"]?.objectValue?["authorizationURL"]?.stringValue?.query("nonce") ?? ""
        daemon.answer(json: try provider.tokens("at-1", refreshToken: "rt-1", subject: "ada", nonce: nonce))
        #expect(reply.isCompleted, "\(reply.message)")
        first = reply.event?["credential"]?.objectValue?["idToken"]
    }

    /// The provider's answer to a refresh.
    private func answer(_ accessToken: String = "at-2", refreshToken: String? = "rt-2", lifetime: Int64 = 600) throws {
        daemon.answer(
            json: try provider.tokens(accessToken, refreshToken: refreshToken, subject: "ada", at: daemon.clock.now, lifetime: lifetime))
    }

    @Test("that is kept is handed out while it is good, after a restart too, and the provider is not asked")
    func kept() throws {
        let reply = daemon.call("GetIDToken", idToken)
        #expect(reply["idToken"] == first && first != nil && reply["uid"] == "ada")
        #expect(reply["expiresAt"] == .string("\(daemon.clock.now.adding(seconds: 600))"))
        #expect(daemon.call("GetIDToken", ["providerID": "work", "uid": "ada", "minimumValiditySeconds": 600])["idToken"] == first)
        #expect(!daemon.isAsked)
        run { await $0.close() }
        let restarted = try TestApplication(OpenIDProvider.configuration, directory: daemon.directory)
        #expect(restarted.call("GetIDToken", idToken)["idToken"] == first)
    }

    @Test("that was handed out is not a proof that the user is there")
    func shownBack() {
        let shown = daemon.call("GetIDToken", idToken)["idToken"]?.stringValue ?? ""
        let credential: JSON = ["providerID": "work", "idToken": .string(shown), "rawNonce": "n"]
        for intent: JSON in ["reauthenticate", "signIn", "link"] {
            let reply = daemon.call("SignInWithCredential", ["credential": credential, "intent": intent])
            #expect(reply.errorName == "InvalidCredential" && !daemon.isAsked, "\(reply.message)")
        }
    }

    private func show(_ token: String, to daemon: TestApplication, intent: JSON) -> RecordedReply {
        let credential: JSON = ["providerID": "work", "idToken": .string(token), "rawNonce": .string(nonce)]
        return daemon.call("SignInWithCredential", ["credential": credential, "intent": intent])
    }

    @Test(
        "that was handed out, or came with a sign-in, is none after a restart either, also where another one has taken its place",
        arguments: [true, false])
    func shownBackLater(isHandedOut: Bool) throws {
        let shown = first?.stringValue ?? ""
        if isHandedOut { #expect(daemon.call("GetIDToken", idToken)["idToken"] == first) }
        let renewed = daemon.call("GetAccessToken", fresh)
        try answer()
        #expect(renewed["accessToken"] == "at-2")
        let next = try daemon.restarted(configuration: OpenIDProvider.configuration)
        provider.answersDocuments(of: next)
        for intent: JSON in ["reauthenticate", "link", "signIn"] {
            let reply = show(shown, to: next, intent: intent)
            #expect(reply.errorName == "InvalidCredential" && reply.message.contains("valid for one sign-in"), "\(reply.message)")
        }
    }

    private func run(_ work: @escaping @Sendable @DaemonActor (Application) async -> Void) { daemon.run(work) }

    @Test("that is too short is renewed once for all, and those who want an access token wait for the same answer")
    func once() throws {
        daemon.pass(seconds: 541)
        let replies = (0..<100).map { _ in daemon.call("GetIDToken", idToken) }
        let access = daemon.call("GetAccessToken", fresh)
        #expect(daemon.call("GetIDToken", ["providerID": "work", "minimumValiditySeconds": 0])["idToken"] == first)
        #expect(daemon.call("GetAccessToken", idToken)["accessToken"] == "at-1")
        try answer()
        let second = replies[0]["idToken"]
        #expect(second != first && second != nil && replies.allSatisfy { $0["idToken"] == second })
        #expect(access["accessToken"] == "at-2" && daemon.tokenRequests == ["rt-1"])
        #expect(daemon.call("GetIDToken", idToken)["idToken"] == second)
    }

    @Test("comes with an access token's renewal, too")
    func joined() throws {
        daemon.pass(seconds: 541)
        let access = daemon.call("GetAccessToken", fresh)
        let reply = daemon.call("GetIDToken", idToken)
        try answer()
        #expect(access["accessToken"] == "at-2" && reply["idToken"] != nil && reply["idToken"] != first)
        #expect(daemon.tokenRequests == ["rt-1"])
    }

    @Test("whose keys cannot be obtained costs no refresh token")
    func withoutKeys() throws {
        let restarted = try daemon.restarted(configuration: OpenIDProvider.configuration)
        let reply = restarted.call("GetAccessToken", fresh)
        restarted.answer(json: JSON.object(OpenIDProvider.metadata).text)
        restarted.answer(json: try provider.tokens("at-2", refreshToken: "rt-2", subject: "ada"))
        restarted.answer(status: 503)
        #expect(reply.errorName == "ProviderUnreachable", "\(reply.message)")
        let next = try restarted.restarted(configuration: OpenIDProvider.configuration)
        provider.answersDocuments(of: next)
        next.call("GetAccessToken", fresh)
        #expect(next.tokenRequests == ["rt-2"])
    }

    @Test("can be obtained fresh every ten seconds")
    func limit() throws {
        for _ in 0..<2 {
            let reply = daemon.call("GetIDToken", fresh)
            try answer()
            let second = reply["idToken"]
            #expect(second != nil && second != first)
            for _ in 0..<10 {
                #expect(daemon.call("GetIDToken", fresh)["idToken"] == second && !daemon.isAsked)
                daemon.pass(seconds: 1)
            }
        }
        #expect(daemon.tokenRequests == ["rt-1", "rt-2"])
    }

    @Test("that is never as long as a program wants is asked for once")
    func tooShort() throws {
        let long: JSONObject = ["providerID": "work", "minimumValiditySeconds": 3600]
        let reply = daemon.call("GetIDToken", long)
        try answer(lifetime: 900)
        #expect(reply["idToken"] != nil && reply["idToken"] != first)
        for _ in 0..<4 {
            #expect(daemon.call("GetIDToken", long)["idToken"] == reply["idToken"] && !daemon.isAsked)
            daemon.pass(seconds: 100)
        }
        daemon.pass(seconds: 100)
        #expect(!daemon.call("GetIDToken", long).isFinished)
    }

    @Test("that the provider does not renew needs the user, as the answer says; nothing opens a page, and the provider is left alone")
    func notRenewed() throws {
        daemon.pass(seconds: 541)
        let (reply, access) = (daemon.call("GetIDToken", idToken), daemon.call("GetAccessToken", fresh))
        daemon.answerToken("at-2", refreshToken: "rt-2")
        #expect(access["accessToken"] == "at-2")
        #expect(reply.errorName == "SignInRequired")
        #expect(reply.error?.object["reason"]?.stringValue?.contains("sends no new one when tokens are refreshed") == true)
        #expect(daemon.call("GetIDToken", ["providerID": "work", "minimumValiditySeconds": 0])["idToken"] == first)
        for _ in 0..<10 {
            #expect(daemon.call("GetIDToken", idToken).errorName == "SignInRequired" && !daemon.isAsked)
            daemon.pass(seconds: 300)
        }
        #expect(daemon.call("GetIDToken", fresh).isFinished == false)
        daemon.answerToken("at-3")
        #expect(daemon.executor.isolated { daemon.pages.opened.isEmpty })
        daemon.pass(seconds: 3600)
        let later = daemon.call("GetIDToken", idToken)
        try answer("at-4")
        #expect(later["idToken"] != nil && later["idToken"] != first)
    }

    @Test("is not available where there is none", arguments: ["GetIDToken"])
    func none(method: String) throws {
        let daemon = try TestApplication()
        daemon.signIn(accessToken: "at-1", refreshToken: "rt-1")
        let reply = daemon.call(method, idToken)
        #expect(reply.errorName == "UnsupportedFlow" && reply.message.contains("only OpenID providers give one"), "\(reply.message)")
        #expect(daemon.call(method, fresh).errorName == "UnsupportedFlow" && !daemon.isAsked)
    }

    @Test("without a refresh token needs the user, in the end")
    func noRefreshToken() throws {
        let reply = daemon.call("GetIDToken", fresh)
        daemon.answer(status: 400, json: #"{"error":"invalid_grant"}"#)
        #expect(reply.errorName == "SignInRequired")
        #expect(daemon.call("GetIDToken", idToken)["idToken"] == first)
        daemon.pass(seconds: 600)
        let late = daemon.call("GetIDToken", idToken)
        #expect(late.errorName == "SignInRequired" && late.message.contains("no refresh token"), "\(late.message)")
    }

    @Test("of another user is not returned")
    func otherIdentity() throws {
        let reply = daemon.call("GetIDToken", fresh)
        daemon.answer(json: try provider.tokens("at-2", refreshToken: "rt-2", subject: "grace", at: daemon.clock.now))
        #expect(reply.errorName == "InvalidIDToken")
        #expect(daemon.call("GetIDToken", idToken)["idToken"] == first)
    }

    @Test("of an account that is revoked, or a store that is locked, meanwhile is not handed out", arguments: ["RevokeCredential", "Lock"])
    func gone(event: String) throws {
        let reply = daemon.call("GetIDToken", fresh)
        let going = daemon.call(event, event == "Lock" ? [:] : idToken)
        if event == "Lock" { daemon.pass(seconds: 36) }
        try answer()
        while daemon.isAsked { daemon.answer(json: "{}") }
        #expect(going.isFinished && reply.errorName == (event == "Lock" ? "StoreLocked" : "SignInRequired"), "\(reply.message)")
        #expect(daemon.call("GetIDToken", idToken).errorName == (event == "Lock" ? "StoreLocked" : "SignInRequired"))
    }

    @Test("of a sign-in meanwhile is the one that those who wait get")
    func signedIn() throws {
        let reply = daemon.call("GetIDToken", fresh)
        let signIn = daemon.beginSignIn()
        let nonce = signIn.replies.first?["event"]?.objectValue?["authorizationURL"]?.stringValue?.query("nonce")
        daemon.answer(json: try provider.tokens("at-9", refreshToken: "rt-9", subject: "ada", nonce: nonce, at: daemon.clock.now), after: 1)
        #expect(signIn.isCompleted, "\(signIn.message)")
        try answer()
        #expect(reply["idToken"] == signIn.event?["credential"]?.objectValue?["idToken"] && reply["idToken"] != nil)
    }

    @Test("is asked for with the account's parameters", arguments: [-1, 31_536_001])
    func parameters(validity: Int64) {
        #expect(daemon.call("GetIDToken", ["providerID": "work", "minimumValiditySeconds": .integer(validity)]).error != nil)
        #expect(daemon.call("GetIDToken", ["providerID": "work", "uid": "grace"]).errorName == "SignInRequired")
    }
}

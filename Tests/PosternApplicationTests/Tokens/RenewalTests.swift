import PosternApplication
import PosternCore
import StrictJSON
import Testing

/// What a program asks for, what the provider is asked for it, and what is left of it on disk.
@Suite("A renewal, step by step", .serialized)
struct RenewalTests {
    private let daemon: TestApplication
    private let token: JSONObject = ["providerID": "work"]
    private let fresh: JSONObject = ["providerID": "work", "forceRefresh": true]

    init() throws {
        daemon = try TestApplication()
        daemon.signIn(accessToken: "at-1", refreshToken: "rt-1")
    }

    // MARK: One renewal for all

    @Test("A hundred programs cause one, which is reported once")
    func once() throws {
        let monitor = daemon.call("Monitor", more: true)
        let replies = (0..<100).map { _ in daemon.call("GetAccessToken", fresh) }
        #expect(replies.allSatisfy { !$0.isFinished })
        #expect(daemon.call("GetAccessToken", token)["accessToken"] == "at-1")
        daemon.answerToken("at-2", refreshToken: "rt-2")
        #expect(replies.allSatisfy { $0["accessToken"] == "at-2" })
        #expect(daemon.tokenRequests == ["rt-1"])
        let told = monitor.replies.filter { $0["kind"] == "tokenRefreshed" }
        #expect(told.count == 1 && told[0]["providerID"] == "work")
        let words = try #require(told.first?["message"]?.stringValue)
        #expect(words == "work renewed the access token")
        #expect(daemon.log.entries.filter { $0.kind == .tokenRefreshed }.map(\.message) == [words])
    }

    @Test("A provider that fails twice is left alone for as long as it says, and asked again then")
    func pause() {
        for _ in 0..<2 {
            let reply = daemon.call("GetAccessToken", fresh)
            daemon.answer(status: 503, headers: [("Retry-After", "120")])
            #expect(reply.errorName == "ProviderUnreachable")
        }
        let reply = daemon.call("GetAccessToken", fresh)
        #expect(reply.isFinished && reply.message.contains("work will not be asked again for 120 s"))
        #expect(daemon.call("GetAccessToken", token)["accessToken"] == "at-1" && daemon.pages.opened.isEmpty)
        daemon.pass(seconds: 119)
        #expect(daemon.call("GetAccessToken", fresh).message.contains("not be asked again for 1 s"))
        daemon.pass(seconds: 1)
        daemon.renew("at-2")
        #expect(daemon.tokenRequests.count == 3)
    }

    @Test(
        "A token endpoint that gives nothing is named once, to the program and in the log",
        arguments: [(401, "refused: invalid_client"), (503, "cannot answer now (status 503")])
    func named(status: Int, words: String) {
        let signIn = daemon.beginSignIn()
        daemon.answer(status: status, json: #"{"error":"invalid_client"}"#)
        let renewal = daemon.call("GetAccessToken", fresh)
        daemon.answer(status: status, json: #"{"error":"invalid_client"}"#)
        let logged = daemon.log.entries.filter { [.signInFailed, .refreshFailed].contains($0.kind) }.map(\.message)
        #expect(logged.count == 2)
        for line in [signIn.message, renewal.message] + logged {
            #expect(line.contains("the token endpoint of work \(words)") && line.ranges(of: "of work ").count == 1, "\(line)")
            #expect(!line.hasPrefix("work ") && !line.contains("at work"), "\(line)")
        }
    }

    @Test("Another configuration cuts the pause short")
    func configuration() throws {
        for _ in 0..<5 {
            daemon.call("GetAccessToken", fresh)
            daemon.answer(status: 401, json: #"{"error":"invalid_client"}"#)
            daemon.pass(seconds: 60)
        }
        daemon.call("GetAccessToken", fresh)
        daemon.answer(status: 401, json: #"{"error":"invalid_client"}"#)
        #expect(daemon.call("GetAccessToken", fresh).isFinished)
        daemon.pass(seconds: 2)
        #expect(daemon.call("GetAccessToken", fresh).isFinished)
        try daemon.reload(TestApplication.example)
        daemon.renew("at-2")
    }

    // MARK: Answers that are kept

    @Test("An answer that is kept is the one that was given first, and goes with its token")
    func kept() {
        func answers() -> [JSONObject?] { (0..<2).map { _ in daemon.call("GetAccessToken", token).replies.last } }
        let first = answers()
        #expect(first[0]?["accessToken"] == "at-1" && first[0]?["uid"] == "42" && first[0]?["expiresAt"] != nil)
        #expect(first[1] == first[0])

        daemon.pass(seconds: 60)
        let renewed = daemon.call("GetAccessToken", fresh)
        #expect(answers() == first)
        daemon.answerToken("at-2")
        #expect(renewed["accessToken"] == "at-2" && renewed["expiresAt"] != first[0]?["expiresAt"])
        #expect(answers() == [renewed.replies.last, renewed.replies.last])

        daemon.signIn(accessToken: "at-3", refreshToken: "rt-3")
        #expect(answers().map { $0?["accessToken"] } == ["at-3", "at-3"])
        #expect(daemon.call("GetAccessToken", ["providerID": "work", "minimumValiditySeconds": 3600])["accessToken"] == "at-3")
        daemon.pass(seconds: 3541)
        let late = daemon.call("GetAccessToken", token)
        #expect(!late.isFinished, "a token that is about to expire is not given, kept answer or not")
        daemon.answerToken("at-4")
        #expect(answers().map { $0?["accessToken"] } == ["at-4", "at-4"])

        daemon.providerAnswers()
        #expect(daemon.call("RevokeCredential", token).error == nil)
        #expect(daemon.call("GetAccessToken", token).errorName == "SignInRequired")
    }

    // MARK: Answers that are odd, or never come

    @Test(
        "A rotated refresh token is on disk whatever else is in the answer",
        arguments: [
            #"{"refresh_token":"rt-2"}"#, #"{"access_token":"at-2","token_type":"Bearer","expires_in":"soon","refresh_token":"rt-2"}"#,
            #"{"access_token":"at-2","token_type":"Bearer","scope":7,"refresh_token":"rt-2"}"#,
            #"{"access_token":"at-2","token_type":"mac","refresh_token":"rt-2"}"#, #"{"error":"invalid_grant","refresh_token":"rt-2"}"#,
        ])
    func odd(answer: String) throws {
        let reply = daemon.call("GetAccessToken", fresh)
        daemon.answer(json: answer)
        #expect(reply.error != nil)
        let restarted = try daemon.restarted()
        restarted.renew("at-3")
        #expect(restarted.tokenRequests == ["rt-2"])
    }

    @Test("A type that the answer leaves out is the one before")
    func tokenType() {
        let reply = daemon.call("GetAccessToken", fresh)
        daemon.answer(json: #"{"access_token":"at-2"}"#)
        #expect(reply["accessToken"] == "at-2" && reply["tokenType"] == "Bearer")
    }

    @Test("A lost answer is reported if the provider may have received the request", arguments: [true, false])
    func lost(mayHaveReachedServer: Bool) {
        daemon.call("GetAccessToken", fresh)
        daemon.fail(mayHaveReachedServer: mayHaveReachedServer)
        #expect(daemon.refused().message.contains("never arrived") == mayHaveReachedServer)
    }

    @Test("A sign-in, a lock and a revocation forget that an answer was lost", arguments: ["sign-in", "lock", "revocation"])
    func forgotten(event: String) {
        daemon.call("GetAccessToken", fresh)
        daemon.fail(mayHaveReachedServer: true)
        switch event {
        case "lock":
            daemon.call("Lock")
            daemon.call("Unlock")
        case "revocation":
            daemon.call("RevokeCredential", token)
            while daemon.isAsked { daemon.answer(json: "{}") }
            fallthrough
        default: daemon.signIn(accessToken: "at-2", refreshToken: "rt-2")
        }
        let reply = daemon.refused()
        #expect(reply.errorName == "SignInRequired" && !reply.message.contains("never arrived"))
    }

    // MARK: What happens meanwhile

    @Test("Locking and unlocking has the provider asked no more often")
    func lockedInALoop() throws {
        let daemon = try TestApplication()
        daemon.signIn(accessToken: "at-1", refreshToken: "rt-1")
        daemon.pass(seconds: 20)
        daemon.renew("at-2")
        for _ in 0..<5 {
            daemon.call("Lock")
            #expect(daemon.call("Unlock").error == nil)
            #expect(daemon.call("GetAccessToken", ["providerID": "work", "forceRefresh": true])["accessToken"] == "at-2")
        }
        // After a failure as well.
        daemon.pass(seconds: 20)
        for _ in 0..<2 {
            let reply = daemon.call("GetAccessToken", ["providerID": "work", "forceRefresh": true])
            daemon.answer(status: 503)
            #expect(reply.errorName == "ProviderUnreachable")
        }
        let asked = daemon.executor.isolated { daemon.provider.sent.count }
        daemon.call("Lock")
        daemon.call("Unlock")
        #expect(daemon.call("GetAccessToken", ["providerID": "work", "forceRefresh": true]).errorName == "ProviderUnreachable")
        #expect(daemon.executor.isolated { daemon.provider.sent.count } == asked)
    }

    @Test("A lock waits for the answer, and keeps it")
    func lock() throws {
        let reply = daemon.call("GetAccessToken", fresh)
        let lock = daemon.call("Lock")
        #expect(!lock.isFinished && daemon.call("GetAccessToken", token).errorName == "StoreLocked")
        daemon.answerToken("at-2", refreshToken: "rt-2")
        #expect(lock.isFinished && reply["accessToken"] == "at-2")
        daemon.call("Unlock")
        #expect(daemon.call("GetAccessToken", token)["accessToken"] == "at-2")
        daemon.pass(seconds: 10)
        daemon.renew("at-3")
        #expect(daemon.tokenRequests == ["rt-1", "rt-2"])
    }

    @Test("An answer that comes after the lock leaves nothing in memory, and nothing is revoked while the store is closed")
    func lateForLock() {
        let reply = daemon.call("GetAccessToken", fresh)
        let lock = daemon.call("Lock")
        daemon.pass(seconds: 36)
        #expect(lock.isFinished)
        daemon.answerToken("at-2", refreshToken: "rt-2")
        #expect(reply.errorName == "StoreLocked")
        #expect(!daemon.isAsked)
        daemon.call("Unlock")
        #expect(daemon.call("GetAccessToken", token)["accessToken"] == "at-1")
        daemon.pass(seconds: 60)
        #expect(daemon.call("GetAccessToken", token)["accessToken"] == "at-1")
    }

    @Test("A grant that comes for a credential that was revoked is revoked too")
    func revoked() {
        let reply = daemon.call("GetAccessToken", fresh)
        let revoking = daemon.call("RevokeCredential", token)
        daemon.answerToken("at-2", refreshToken: "rt-2")
        #expect(reply.errorName == "SignInRequired")
        while daemon.isAsked { daemon.answer(json: "{}") }
        #expect(revoking["revokedAtProvider"] == true)
        #expect(daemon.revoked.sorted() == ["at-1", "at-2", "rt-1", "rt-2"])
        #expect(daemon.call("ListCredentials")["credentials"] == [])
    }

    @Test("A sign-in meanwhile is not undone, and waiting callers get its token")
    func signedIn() {
        let reply = daemon.call("GetAccessToken", fresh)
        daemon.signIn(accessToken: "at-9", refreshToken: "rt-9", after: 1)
        daemon.answerToken("at-2", refreshToken: "rt-2")
        #expect(reply["accessToken"] == "at-9")
        #expect(daemon.call("GetAccessToken", token)["accessToken"] == "at-9")
    }

    @Test("A provider that leaves the configuration meanwhile loses no refresh token")
    func reload() throws {
        daemon.call("GetAccessToken", fresh)
        try daemon.reload("")
        daemon.answerToken("at-2", refreshToken: "rt-2")
        try daemon.reload(TestApplication.example)
        #expect(daemon.call("GetAccessToken", token)["accessToken"] == "at-2")
        daemon.pass(seconds: 10)
        daemon.renew("at-3")
        #expect(daemon.tokenRequests == ["rt-1", "rt-2"])
    }

    @Test(
        "A credential of a provider that left the configuration, or is another, is used no more, and forgotten without a request",
        arguments: ["", TestApplication.example.replacing("work.example", with: "other.example"), TestApplication.example.replacing("\"client\"", with: "\"another\"")])
    func otherProvider(toml: String) throws {
        try daemon.reload(toml)
        for parameters in [token, fresh] {
            let reply = daemon.call("GetAccessToken", parameters)
            #expect(reply.errorName == (toml.isEmpty ? "ProviderNotFound" : "SignInRequired"))
            #expect(reply.error?.object["reason"] == (toml.isEmpty ? nil : "the provider's configuration changed"))
        }
        #expect(daemon.call("RevokeCredential", token)["revokedAtProvider"] == false && !daemon.isAsked)
        #expect(daemon.call("ListCredentials")["credentials"] == [])
        #expect(daemon.call("RevokeCredential", token).errorName == (toml.isEmpty ? "ProviderNotFound" : "SignInRequired"))
        #expect(daemon.executor.isolated { daemon.provider.sent.allSatisfy { $0.host == "work.example" } })
    }

    @Test("The daemon is busy until the answer is on disk")
    func busy() {
        #expect(daemon.executor.isolated { !daemon.application.isBusy })
        daemon.call("GetAccessToken", fresh)
        #expect(daemon.executor.isolated { daemon.application.isBusy })
        daemon.answerToken("at-2")
        #expect(daemon.executor.isolated { !daemon.application.isBusy })
    }
}

@Suite("A token that renews itself", .serialized)
struct SelfRenewalTests {
    @Test("is handed out in the second half of its life, and renewed once for the next")
    func halfLife() throws {
        let daemon = try TestApplication("[provider.\"facebook.com\"]\nclient-id = \"138\"\nclient-secret = \"shh\"\n")
        let signIn = daemon.call("SignIn", ["providerID": "facebook.com", "presentation": "client"], more: true)
        daemon.browserReturns("state=\(signIn.pageState ?? "")&code=abc")
        let life: Int64 = 60 * 86_400
        for token in ["short", "long-1"] { daemon.answer(json: #"{"access_token":"\#(token)","token_type":"bearer","expires_in":\#(life)}"#) }
        daemon.answer(json: #"{"id":"42","name":"Ada"}"#)
        #expect(signIn.isCompleted, "\(signIn.message)")
        func token() -> JSON? { daemon.call("GetAccessToken", ["providerID": "facebook.com"])["accessToken"] }
        daemon.pass(seconds: life / 2)
        #expect(token() == "long-1" && !daemon.isAsked)
        daemon.pass(seconds: 1)
        #expect(token() == "long-1" && daemon.isAsked && token() == "long-1")
        daemon.answer(json: #"{"access_token":"long-2","token_type":"bearer","expires_in":\#(life)}"#)
        #expect(token() == "long-2" && !daemon.isAsked)
    }
}

/// Grants that are refused once the provider has given them.
@Suite("A grant that is not stored", .serialized)
struct UnwantedGrantTests {
    private let daemon: TestApplication

    init() throws { daemon = try TestApplication() }

    private let grant = #"{"access_token":"at-2","token_type":"Bearer","refresh_token":"rt-2"}"#

    /// A sign-in up to its grant, and the answer in place of a profile.
    private func refuse(_ grant: String, profile status: Int?) throws -> RecordedReply {
        let reply = daemon.beginSignIn()
        daemon.answer(json: grant)
        if let status { daemon.answer(status: status, json: "{}") }
        return reply
    }

    @Test("is revoked where its profile cannot be obtained, while the program has its answer")
    func profile() throws {
        #expect(try refuse(grant, profile: 503).errorName == "ProviderUnreachable")
        #expect(daemon.isAsked)
        while daemon.isAsked { daemon.answer(json: "{}") }
        #expect(daemon.revoked == ["rt-2", "at-2"])
    }

    @Test("is revoked where it makes no sense")
    func senseless() throws {
        #expect(try refuse(#"{"access_token":"at-2","refresh_token":"rt-2"}"#, profile: nil).errorName == "ExchangeFailed")
        while daemon.isAsked { daemon.answer(json: "{}") }
        #expect(daemon.revoked == ["rt-2", "at-2"])
    }

    @Test("is left alone where it may be of an account whose credential is kept, and the log says so")
    func kept() throws {
        daemon.signIn(accessToken: "at-1", refreshToken: "rt-1")
        #expect(try refuse(grant, profile: 503).errorName == "ProviderUnreachable")
        #expect(!daemon.isAsked && daemon.revoked.isEmpty)
        #expect(daemon.log.entries.last { $0.kind == .providerProblem }?.message.contains("will expire") == true)
    }

    @Test("of the device flow is revoked too, whether its profile cannot be obtained or it makes no sense", arguments: [true, false])
    func device(makesSense: Bool) throws {
        let reply = daemon.call("SignIn", ["providerID": "work", "flow": "device"], more: true)
        daemon.answer(json: #"{"device_code":"dc","user_code":"AB-CD","verification_uri":"https://work.example/go","expires_in":900,"interval":5}"#)
        daemon.pass(seconds: 5)
        daemon.answer(json: makesSense ? grant : grant.replacing("Bearer", with: "mac"))
        if makesSense { daemon.answer(status: 503) }
        #expect(reply.errorName == (makesSense ? "ProviderUnreachable" : "ExchangeFailed"))
        while daemon.isAsked { daemon.answer(json: "{}") }
        #expect(daemon.revoked == ["rt-2", "at-2"])
    }

    @Test("of a sign-in that was cancelled meanwhile is revoked, though its profile cannot be obtained either")
    func cancelled() throws {
        let reply = daemon.beginSignIn()
        let session = try #require(reply.replies.first?["event"]?.objectValue?["sessionID"])
        daemon.call("CancelSession", ["sessionID": session])
        daemon.answer(json: grant)
        daemon.answer(status: 503)
        while daemon.isAsked { daemon.answer(json: "{}") }
        #expect(reply.errorName == "SignInCancelled" && daemon.revoked == ["rt-2", "at-2"])
    }

    @Test("is not revoked once the store is closed")
    func locked() throws {
        let reply = daemon.beginSignIn()
        let lock = daemon.call("Lock")
        daemon.pass(seconds: 36)
        #expect(lock.isFinished)
        daemon.answer(json: grant)
        daemon.answer(status: 503)
        #expect(reply.isFinished && !daemon.isAsked)
    }

    @Test("A revocation goes on to the access token where the refresh token's request had no answer", arguments: [true, false])
    func revocation(mayHaveReachedServer: Bool) {
        daemon.signIn(accessToken: "at-1", refreshToken: "rt-1")
        let reply = daemon.call("RevokeCredential", ["providerID": "work"])
        daemon.fail(mayHaveReachedServer: mayHaveReachedServer)
        daemon.answer(json: "{}")
        #expect(daemon.revoked == ["rt-1", "at-1"] && reply["revokedAtProvider"] == false)
        #expect(daemon.call("ListCredentials")["credentials"] == [])
    }
}

/// A refresh that is answered with another person's ID token, signed by the provider itself.
@Suite("A renewal that returns another person", .serialized)
struct OtherIdentityTests {
    private let provider: OpenIDProvider
    private let daemon: TestApplication
    private let fresh: JSONObject = ["providerID": "work", "forceRefresh": true]

    init() throws {
        provider = try OpenIDProvider()
        daemon = try TestApplication(OpenIDProvider.configuration)
        provider.answersDocuments(of: daemon)
        let reply = daemon.beginSignIn()
        let nonce = reply.replies.first?["event"]?.objectValue?["authorizationURL"]?.stringValue?.query("nonce")
        daemon.answer(json: try provider.tokens("at-1", refreshToken: "rt-1", subject: "ada", nonce: nonce))
        #expect(reply.isCompleted, "\(reply.message)")
    }

    @Test("ends the refresh token, and its tokens are left to run out, for they may be of the account that is kept", arguments: ["rt-2", nil])
    func kept(refreshToken: String?) throws {
        let reply = daemon.call("GetAccessToken", fresh)
        daemon.answer(json: try provider.tokens("at-2", refreshToken: refreshToken, subject: "grace"))
        #expect(reply.errorName == "InvalidIDToken")
        #expect(!daemon.isAsked && daemon.revoked.isEmpty)
        #expect(daemon.log.entries.last { $0.kind == .providerProblem }?.message.contains("will expire") == true)
        #expect(daemon.call("GetAccessToken", ["providerID": "work"])["accessToken"] == "at-1")
        #expect(daemon.call("GetAccessToken", fresh).errorName == "SignInRequired")
    }

    @Test("is revoked where no credential of the provider is kept any more", arguments: ["rt-2", nil])
    func gone(refreshToken: String?) throws {
        let reply = daemon.call("GetAccessToken", fresh)
        daemon.call("RevokeCredential", ["providerID": "work"])
        daemon.answer(json: try provider.tokens("at-2", refreshToken: refreshToken, subject: "grace"))
        while daemon.isAsked { daemon.answer(json: "{}") }
        #expect(reply.error != nil)
        #expect(daemon.revoked.sorted() == ["at-1", "at-2", "rt-1"] + (refreshToken.map { [$0] } ?? []))
    }
}

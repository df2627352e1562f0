import PosternApplication
import PosternCore
import StrictJSON
import Testing

/// What programs learn of a credential's state, and when.
@Suite("The state of a credential, step by step", .serialized)
struct CredentialStateTests {
    private let daemon: TestApplication
    private let monitor: RecordedReply

    init() throws {
        daemon = try TestApplication()
        daemon.signIn(accessToken: "at-1", refreshToken: "rt-1")
        monitor = daemon.call("Monitor", more: true)
    }

    private func credential(of daemon: TestApplication? = nil) -> JSONObject? {
        (daemon ?? self.daemon).call("ListCredentials")["credentials"]?.arrayValue?.first?.objectValue
    }

    private func state(of daemon: TestApplication? = nil) -> String? { credential(of: daemon)?["state"]?.stringValue }

    private var told: [String] {
        monitor.replies.filter { $0["kind"] == "credentialStateChanged" }.compactMap { $0["message"]?.stringValue }
    }

    private func askWhileItFails(_ failure: () -> Void) {
        let reply = daemon.call("GetAccessToken", ["providerID": "work", "forceRefresh": true])
        failure()
        #expect(reply.isFinished)
    }

    @Test("A refusal is reported once, with what to do, and a sign-in ends it")
    func refusal() throws {
        #expect(state() == "good" && credential()?["reason"] == nil)
        #expect(daemon.refused().errorName == "SignInRequired")
        #expect(state() == "signInNeeded")
        #expect(credential()?["reason"] == "the provider no longer renews it: invalid_grant")
        #expect(credential()?["refreshable"] == false)
        #expect(daemon.call("GetAccessToken", ["providerID": "work", "forceRefresh": true]).errorName == "SignInRequired" && !daemon.isAsked)
        #expect(daemon.call("GetAccessToken", ["providerID": "work"])["accessToken"] == "at-1")
        let words = "the credential of Ada at work can no longer be used: the provider no longer renews it: invalid_grant; run `postern sign-in work`"
        #expect(told == [words])
        let event = try #require(monitor.replies.last { $0["kind"] == "credentialStateChanged" })
        #expect(event["providerID"] == "work" && event["uid"] == "42")
        daemon.signIn(accessToken: "at-2", refreshToken: "rt-2")
        #expect(state() == "good")
        #expect(told == [words, "the credential of Ada at work is good again"])
    }

    @Test("Temporary failures need no sign-in: no network, 5xx, 429, a rejected client")
    func passing() {
        askWhileItFails { daemon.fail(mayHaveReachedServer: false) }
        daemon.pass(seconds: 120)
        askWhileItFails { daemon.fail(mayHaveReachedServer: true) }
        daemon.pass(seconds: 120)
        askWhileItFails { daemon.answer(status: 503) }
        daemon.pass(seconds: 120)
        askWhileItFails { daemon.answer(status: 429, headers: [("Retry-After", "60")]) }
        daemon.pass(seconds: 120)
        askWhileItFails { daemon.answer(status: 401, json: #"{"error":"invalid_client"}"#) }
        // Long asleep, too: the access token is over, and the refresh token is as good as it was.
        daemon.pass(seconds: 90_000)
        #expect(state() == "good")
        #expect(told == [])
    }

    @Test("A refusal without a word keeps the refresh token, and the user is needed until a renewal goes well")
    func withoutReason() {
        askWhileItFails { daemon.answer(status: 400) }
        #expect(state() == "signInNeeded")
        daemon.pass(seconds: 120)
        daemon.renew("at-2")
        #expect(state() == "good" && told.count == 2)
    }

    @Test("A refusal is remembered by the restarted daemon, which tells nothing twice")
    func restart() throws {
        _ = daemon.refused()
        let next = try daemon.restarted()
        #expect(state(of: next) == "signInNeeded")
        #expect(credential(of: next)?["reason"] == "the provider no longer renews it: invalid_grant")
        #expect(!next.log.entries.contains { $0.kind == .credentialStateChanged })
    }

    @Test("Locked, nothing is known; unlocked, it is what it was")
    func locking() {
        _ = daemon.refused()
        daemon.call("Lock")
        daemon.call("Unlock")
        #expect(state() == "signInNeeded" && told.count == 1)
    }

    @Test("Scopes that a renewal does not bring are missed until a sign-in")
    func scopes() throws {
        let daemon = try TestApplication(TestApplication.example + "\nscopes = [\"read\", \"write\", \"openid\"]\n")
        daemon.signIn(accessToken: "at-1", refreshToken: "rt-1")
        let reply = daemon.call("GetAccessToken", ["providerID": "work", "forceRefresh": true])
        daemon.answer(json: #"{"access_token":"at-2","token_type":"Bearer","expires_in":3600,"scope":"read"}"#)
        #expect(reply["accessToken"] == "at-2")
        #expect(state(of: daemon) == "signInNeeded")
        #expect(credential(of: daemon)?["reason"] == "the scopes write are not, or no longer, granted")
        #expect(state(of: try daemon.restarted()) == "signInNeeded")
    }

    @Test("The end of a refresh token is told as long before as is configured, and so is that it came")
    func ending() throws {
        let day: Int64 = 86_400
        let daemon = try TestApplication(TestApplication.example + "\n[attention]\nwarn-before = \"2d\"\n")
        let monitor = daemon.call("Monitor", more: true)
        let reply = daemon.beginSignIn()
        daemon.answer(
            json: #"{"access_token":"at-1","token_type":"Bearer","expires_in":60,"refresh_token":"rt-1","refresh_expires_in":864000}"#)
        daemon.answer(json: #"{"id":"42","name":"Ada"}"#)
        #expect(reply.isFinished && state(of: daemon) == "good")
        let end = Timestamp(milliseconds: daemon.clock.now.milliseconds).adding(seconds: 10 * day)
        #expect(credential(of: daemon)?["endsAt"] == .string("\(end)"))
        daemon.pass(seconds: 8 * day - 1)
        #expect(state(of: daemon) == "good")
        daemon.pass(seconds: 1)
        #expect(state(of: daemon) == "endsSoon")
        daemon.pass(seconds: 2 * day)
        #expect(credential(of: daemon)?["reason"] == .string("the refresh token has expired at \(end)"))
        let kinds = monitor.replies.filter { $0["kind"] == "credentialStateChanged" }.compactMap { $0["message"]?.stringValue }
        #expect(kinds.count == 2 && kinds[0].contains("expires at \(end)") && kinds[1].contains("can no longer be used"))
    }

    @Test("A credential that was revoked here is removed without a notice")
    func revoked() {
        _ = daemon.refused()
        let reply = daemon.call("RevokeCredential", ["providerID": "work"])
        daemon.answer(json: "{}")
        #expect(reply.isFinished && credential() == nil && told.count == 1)
    }
}

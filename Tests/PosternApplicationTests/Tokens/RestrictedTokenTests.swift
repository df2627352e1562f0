import PosternApplication
import PosternCore
import StrictJSON
import Testing

/// Tokens for one service (RFC 8707), or of fewer scopes, beside the one that is kept.
@Suite("A token for less than was granted", .serialized)
struct RestrictedTokenTests {
    private let daemon: TestApplication
    private let token: JSONObject = ["providerID": "work"]
    private let fresh: JSONObject = ["providerID": "work", "forceRefresh": true]
    private let mail: JSONObject = ["providerID": "work", "resource": "https://mail.example/"]
    private let files: JSONObject = ["providerID": "work", "resource": "https://files.example/"]

    private static let configuration = TestApplication.example + "\nscopes = [\"a\", \"b\"]\nnarrow-scopes = true\n"

    init() throws {
        daemon = try TestApplication(Self.configuration)
        daemon.signIn(accessToken: "at-1", refreshToken: "rt-1")
    }

    /// What was asked for with each refresh, beside the refresh token.
    private func asked(of daemon: TestApplication) -> [String] {
        daemon.executor.isolated {
            daemon.provider.sent.map { String(decoding: $0.body, as: UTF8.self) }.filter { $0.contains("grant_type=refresh_token") }.map {
                body in
                body.split(separator: "&").filter { $0.hasPrefix("resource=") || $0.hasPrefix("scope=") }.joined(separator: " ")
            }
        }
    }

    private var waiting: Int { daemon.executor.isolated { daemon.provider.waiting.count } }

    private func get(_ parameters: JSONObject, _ accessToken: String, refreshToken: String? = nil) {
        let reply = daemon.call("GetAccessToken", parameters)
        #expect(!reply.isFinished, "\(reply.message)")
        daemon.answerToken(accessToken, refreshToken: refreshToken)
        #expect(reply["accessToken"] == .string(accessToken), "\(reply.message)")
    }

    // MARK: Which token

    @Test("is one for each service and set of scopes, and is in memory")
    func each() throws {
        var both = mail
        both["scopes"] = ["b"]
        let all: [(JSONObject, String)] = [
            (mail, "resource=https%3A%2F%2Fmail.example%2F"), (files, "resource=https%3A%2F%2Ffiles.example%2F"),
            (["providerID": "work", "scopes": ["a"]], "scope=a"), (both, "resource=https%3A%2F%2Fmail.example%2F scope=b"),
        ]
        for (number, (parameters, _)) in all.enumerated() { get(parameters, "less-\(number)") }
        for (number, (parameters, _)) in all.enumerated() {
            #expect(daemon.call("GetAccessToken", parameters)["accessToken"] == .string("less-\(number)"))
        }
        #expect(daemon.call("GetAccessToken", token)["accessToken"] == "at-1" && !daemon.isAsked)
        #expect(daemon.call("GetAccessToken", ["providerID": "work", "scopes": ["b", "a"]])["accessToken"] == "at-1")
        #expect(asked(of: daemon) == all.map(\.1))
        #expect(Set(daemon.tokenRequests) == ["rt-1"])
        daemon.run { await $0.close() }
        let restarted = try TestApplication(Self.configuration, directory: daemon.directory)
        #expect(restarted.call("GetAccessToken", token)["accessToken"] == "at-1")
        #expect(!restarted.call("GetAccessToken", mail).isFinished)
    }

    @Test("has the scopes that the provider says, and none that was not granted")
    func scopes() {
        let reply = daemon.call("GetAccessToken", ["providerID": "work", "scopes": ["a"]])
        daemon.answer(json: #"{"access_token":"less","token_type":"Bearer","expires_in":3600,"scope":"a c"}"#)
        #expect(reply["scopes"] == ["a"])
        #expect(daemon.call("GetAccessToken", ["providerID": "work", "scopes": ["a", "c"]]).errorName == "ScopeNotGranted")
        #expect(daemon.call("GetAccessToken", ["providerID": "work", "scopes": ["a", "b"]])["scopes"] == ["a", "b"])
    }

    @Test("is the one that is kept, where the provider is not known to keep the other scopes")
    func notNarrowed() throws {
        let daemon = try TestApplication(TestApplication.example + "\nscopes = [\"a\", \"b\"]\n")
        daemon.signIn(accessToken: "at-1", refreshToken: "rt-1")
        #expect(daemon.call("GetAccessToken", ["providerID": "work", "scopes": ["a"]])["accessToken"] == "at-1")
    }

    @Test("is the one that is kept, where the configuration names that service alone")
    func configured() throws {
        let daemon = try TestApplication(TestApplication.example + "\nresource = \"https://mail.example/\"\n")
        daemon.signIn(accessToken: "at-1", refreshToken: "rt-1")
        #expect(daemon.call("GetAccessToken", mail)["accessToken"] == "at-1")
        let reply = daemon.call("GetAccessToken", files)
        #expect(!reply.isFinished)
        #expect(asked(of: daemon) == ["resource=https%3A%2F%2Ffiles.example%2F"])
    }

    @Test("is not the one that was asked for before the configuration named that service", arguments: ["", "resource = \"https://files.example/\"\n"])
    func configuredLater(before: String) throws {
        let daemon = try TestApplication(TestApplication.example + "\n" + before)
        daemon.signIn(accessToken: "at-1", refreshToken: "rt-1")
        try daemon.reload(TestApplication.example + "\nresource = \"https://mail.example/\"\n")
        let reply = daemon.call("GetAccessToken", mail)
        #expect(!reply.isFinished && asked(of: daemon) == ["resource=https%3A%2F%2Fmail.example%2F"])
        daemon.answerToken("for-mail")
        #expect(reply["accessToken"] == "for-mail" && daemon.call("GetAccessToken", token)["accessToken"] == "at-1")
        // Until the one that is kept is renewed, for that service.
        let fresh = daemon.call("GetAccessToken", fresh)
        daemon.answerToken("at-2")
        #expect(fresh["accessToken"] == "at-2" && daemon.call("GetAccessToken", mail)["accessToken"] == "at-2")
    }

    @Test(
        "is for a service that is named by an absolute URI without a fragment",
        arguments: ["", "mail", "https://a/#b", "https://a/ b", "https://a/\n"])
    func resource(text: String) {
        let reply = daemon.call("GetAccessToken", ["providerID": "work", "resource": .string(text)])
        #expect(reply.errorName == "InvalidParameter" && !daemon.isAsked)
    }

    @Test("is not available without a refresh token")
    func noRefreshToken() throws {
        let daemon = try TestApplication()
        let reply = daemon.beginSignIn()
        daemon.answer(json: #"{"access_token":"at-1","token_type":"Bearer"}"#)
        daemon.answer(json: #"{"id":"42","name":"Ada"}"#)
        #expect(reply.isCompleted)
        let refused = daemon.call("GetAccessToken", mail)
        #expect(refused.errorName == "SignInRequired" && refused.message.contains("without a refresh token there is no token for a single service"))
        #expect(daemon.call("GetAccessToken", token)["accessToken"] == "at-1")
    }

    @Test("is dropped after the 32nd other one")
    func bounded() {
        for number in 0...32 { get(["providerID": "work", "resource": .string("urn:\(number)")], "less-\(number)") }
        daemon.pass(seconds: 10)
        #expect(daemon.call("GetAccessToken", ["providerID": "work", "resource": "urn:1"])["accessToken"] == "less-1")
        #expect(!daemon.call("GetAccessToken", ["providerID": "work", "resource": "urn:0"]).isFinished)
    }

    // MARK: One request at a time

    @Test("is requested once for a hundred programs, and every ten seconds for forced renewals")
    func once() {
        let replies = (0..<100).map { _ in daemon.call("GetAccessToken", mail) }
        daemon.answerToken("less-1")
        #expect(replies.allSatisfy { $0["accessToken"] == "less-1" } && daemon.tokenRequests == ["rt-1"])
        var insisting = mail
        insisting["forceRefresh"] = true
        for _ in 0..<10 {
            #expect(daemon.call("GetAccessToken", insisting)["accessToken"] == "less-1")
            daemon.pass(seconds: 1)
        }
        get(insisting, "less-2")
        daemon.pass(seconds: 3541)
        get(mail, "less-3")
    }

    @Test("waits for its turn: of one refresh token there is never more than one use under way, and each turn has the last one")
    func queued() throws {
        let replies = [mail, fresh, files, mail, fresh].map { daemon.call("GetAccessToken", $0) }
        #expect(daemon.call("GetAccessToken", token)["accessToken"] == "at-1")
        for number in 2...4 {
            #expect(waiting == 1)
            daemon.answerToken("new-\(number)", refreshToken: "rt-\(number)")
        }
        #expect(waiting == 0 && daemon.tokenRequests == ["rt-1", "rt-2", "rt-3"])
        #expect(replies.map { $0["accessToken"] } == ["new-2", "new-3", "new-4", "new-2", "new-3"])
        #expect(daemon.call("GetAccessToken", token)["accessToken"] == "new-3")
        daemon.run { await $0.close() }
        let restarted = try TestApplication(Self.configuration, directory: daemon.directory)
        restarted.call("GetAccessToken", fresh)
        #expect(restarted.tokenRequests == ["rt-4"])
    }

    @Test(
        "brings a refresh token that is on disk whatever else is in the answer",
        arguments: [
            #"{"refresh_token":"rt-2"}"#, #"{"error":"invalid_target","refresh_token":"rt-2"}"#,
            #"{"access_token":"less","token_type":"mac","refresh_token":"rt-2"}"#,
        ])
    func rotated(answer: String) throws {
        let reply = daemon.call("GetAccessToken", mail)
        daemon.answer(json: answer)
        #expect(reply.error != nil)
        daemon.run { await $0.close() }
        let restarted = try TestApplication(Self.configuration, directory: daemon.directory)
        restarted.call("GetAccessToken", fresh)
        #expect(restarted.tokenRequests == ["rt-2"])
    }

    @Test("whose refresh token finds no room on the disk is not handed out until there is")
    func fullDisk() throws {
        daemon.disk(isFull: true)
        let reply = daemon.call("GetAccessToken", mail)
        daemon.answerToken("less-1", refreshToken: "rt-" + String(repeating: "x", count: 15_000))
        #expect(reply.errorName == "StoreDamaged")
        daemon.disk(isFull: false)
        #expect(!daemon.call("GetAccessToken", mail).isFinished)
        #expect(daemon.tokenRequests.last?.count == 15_003)
    }

    @Test("is asked for at one pace with all others, however many services a program names")
    func pace() {
        for number in 1...40 {
            let reply = daemon.call("GetAccessToken", ["providerID": "work", "resource": .string("urn:\(number)")])
            if daemon.isAsked { daemon.answerToken("less-\(number)") }
            #expect(reply.isFinished)
        }
        #expect(daemon.tokenRequests.count == 33)
        let refused = daemon.call("GetAccessToken", ["providerID": "work", "resource": "urn:another"])
        #expect(refused.errorName == "TooManyAttempts" && refused.error?.object["retryAfterSeconds"] == 10, "\(refused.message)")
        #expect(refused.message.contains("try again in 10 s"))
        #expect(daemon.call("GetAccessToken", token)["accessToken"] == "at-1")
        // Nor does another sign-in, or the same account's next credential, begin a new count.
        daemon.signIn(accessToken: "at-2", refreshToken: "rt-2")
        #expect(daemon.call("GetAccessToken", mail).errorName == "TooManyAttempts")
        daemon.call("RevokeCredential", token)
        while daemon.isAsked { daemon.answer(json: "{}") }
        daemon.signIn(accessToken: "at-3", refreshToken: "rt-3")
        #expect(daemon.call("GetAccessToken", mail).errorName == "TooManyAttempts")
        daemon.pass(seconds: 10)
        #expect(!daemon.call("GetAccessToken", mail).isFinished)
    }

    @Test("is revoked with its credential, also when it is no longer handed out")
    func allRevoked() {
        for number in 0..<60 {
            get(["providerID": "work", "resource": .string("urn:\(number)")], "less-\(number)")
            daemon.pass(seconds: 10)
        }
        daemon.call("RevokeCredential", token)
        while daemon.isAsked { daemon.answer(json: "{}") }
        #expect(Set(daemon.revoked) == Set((0..<60).map { "less-\($0)" } + ["at-1", "rt-1"]))
    }

    // MARK: Refusals

    @Test("that the provider does not give leaves the rest as it was, and is not asked for over and over")
    func refused() {
        for _ in 0..<2 {
            let reply = daemon.call("GetAccessToken", mail)
            daemon.answer(status: 400, json: #"{"error":"invalid_target","error_description":"no such service"}"#)
            #expect(reply.errorName == "ExchangeFailed" && reply.error?.object["error"] == "invalid_target", "\(reply.message)")
        }
        let paused = daemon.call("GetAccessToken", mail)
        #expect(paused.isFinished && paused.message.contains("not be asked again"))
        get(files, "less-1")
        daemon.renew("at-2")
        #expect(daemon.call("ListCredentials")["credentials"]?.arrayValue?.first?.objectValue?["state"] == "good")
    }

    @Test("that needs the user's consent ends no refresh token", arguments: ["consent_required", "interaction_required"])
    func consent(error: String) {
        let reply = daemon.call("GetAccessToken", mail)
        daemon.answer(status: 400, json: #"{"error":"\#(error)"}"#)
        #expect(reply.errorName == "SignInRequired")
        #expect(daemon.call("ListCredentials")["credentials"]?.arrayValue?.first?.objectValue?["state"] == "good")
        daemon.renew("at-2")
    }

    @Test("shows that the refresh token is dead")
    func dead() {
        let replies = [daemon.call("GetAccessToken", mail), daemon.call("GetAccessToken", files)]
        daemon.answer(status: 400, json: #"{"error":"invalid_grant"}"#)
        #expect(replies.allSatisfy { $0.errorName == "SignInRequired" } && !daemon.isAsked)
        #expect(daemon.call("GetAccessToken", fresh).errorName == "SignInRequired")
    }

    @Test("is not asked for while the provider is left alone, nor is what waited for its turn")
    func unreachable() {
        for _ in 0..<2 {
            let reply = daemon.call("GetAccessToken", mail)
            daemon.answer(status: 503, headers: [("Retry-After", "120")])
            #expect(reply.errorName == "ProviderUnreachable")
        }
        #expect(daemon.call("GetAccessToken", files).errorName == "ProviderUnreachable")
        #expect(daemon.call("GetAccessToken", fresh).errorName == "ProviderUnreachable" && !daemon.isAsked)
    }

    // MARK: What happens to the credential

    @Test("is forgotten with its sign-in, its credential and the store", arguments: ["sign-in", "RevokeCredential", "Lock"])
    func forgotten(event: String) {
        get(mail, "less-1")
        switch event {
        case "sign-in": break
        case "RevokeCredential":
            daemon.call("RevokeCredential", token)
            while daemon.isAsked { daemon.answer(json: "{}") }
            #expect(daemon.revoked.sorted() == ["at-1", "less-1", "rt-1"])
        default:
            daemon.call("Lock")
            #expect(daemon.call("GetAccessToken", mail).errorName == "StoreLocked")
            daemon.call("Unlock")
        }
        if event != "Lock" { daemon.signIn(accessToken: "at-9", refreshToken: "rt-9") }
        let reply = daemon.call("GetAccessToken", mail)
        #expect(!reply.isFinished && daemon.tokenRequests.last == (event == "Lock" ? "rt-1" : "rt-9"))
    }

    @Test("is not sent to another provider that has the name now")
    func otherProvider() throws {
        get(mail, "less-1")
        try daemon.reload(Self.configuration.replacing("work.example", with: "other.example"))
        #expect(daemon.call("GetAccessToken", mail).errorName == "SignInRequired" && !daemon.isAsked)
        try daemon.reload(Self.configuration)
        #expect(daemon.call("GetAccessToken", mail)["accessToken"] == "less-1")
    }

    @Test("that comes after the lock is not handed out, and nothing of it is left")
    func lateForLock() {
        let reply = daemon.call("GetAccessToken", mail)
        let lock = daemon.call("Lock")
        daemon.pass(seconds: 36)
        #expect(lock.isFinished)
        daemon.answerToken("less-1")
        #expect(reply.errorName == "StoreLocked" && !daemon.isAsked)
        daemon.call("Unlock")
        #expect(!daemon.call("GetAccessToken", mail).isFinished)
    }

    @Test("that waits for the end of another renewal is not asked for once the store is locked, or the daemon ends", arguments: ["Lock", "end"])
    func queuedAtTheEnd(how: String) {
        let first = daemon.call("GetAccessToken", mail)
        let queued = daemon.call("GetAccessToken", files)
        let sent = asked(of: daemon).count
        if how == "Lock" { daemon.call("Lock") } else { daemon.executor.isolated { daemon.application.takeNothingNew() } }
        daemon.answerToken("less-1", refreshToken: "rt-2")
        #expect(first["accessToken"] == "less-1")
        #expect(queued.errorName == (how == "Lock" ? "StoreLocked" : "InternalError") && queued.lastWords == 1)
        #expect(asked(of: daemon).count == sent && !daemon.isAsked)
        guard how == "Lock" else { return }
        daemon.call("Unlock")
        let next = daemon.call("GetAccessToken", files)
        #expect(!next.isFinished && daemon.tokenRequests.last == "rt-2")
    }

    @Test("meets a revocation: it is revoked, or never asked for")
    func revocation() throws {
        try everyInterleaving {
            let daemon = try TestApplication()
            daemon.providerAnswers()
            #expect(daemon.beginSignIn().isCompleted)
            return daemon
        } first: {
            $0.call("GetAccessToken", mail, settling: false)
        } second: {
            $0.call("RevokeCredential", token, settling: false)
        } check: { daemon, reply, revoking, moment in
            #expect(revoking["revokedAtProvider"] == true && reply.lastWords == 1, moment)
            #expect(reply["accessToken"] == "at-2" || reply.errorName == "SignInRequired", moment)
            if !daemon.tokenRequests.isEmpty { #expect(Set(daemon.revoked).isSuperset(of: ["at-2", "rt-2"]), moment) }
            #expect(daemon.counts == [1, 0], moment)
            return ""
        }
    }

    @Test("races with a sign-in: waiting callers get a token of one or the other, and the sign-in's refresh token is kept")
    func signIn() throws {
        try everyInterleaving {
            let daemon = try TestApplication()
            daemon.providerAnswers()
            #expect(daemon.beginSignIn().isCompleted)
            return try PendingSignIn(daemon)
        } first: {
            $0.daemon.call("GetAccessToken", mail, settling: false)
        } second: {
            $0.browserReturns()
        } check: { scene, reply, _, moment in
            let daemon = scene.daemon
            #expect(scene.reply.isCompleted && reply.error == nil && reply.lastWords == 1, "\(reply.message) \(moment)")
            let last = daemon.executor.isolated { daemon.provider.sent.count { $0.url.hasSuffix("/token") } }
            let restarted = try daemon.restarted()
            restarted.call("GetAccessToken", fresh)
            #expect(daemon.revoked.isEmpty && restarted.tokenRequests.count == 1, moment)
            return "\(last) token requests, then \(restarted.tokenRequests)"
        }
    }
}

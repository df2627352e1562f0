import PosternApplication
import PosternCore
import StrictJSON
import Testing

@Suite("A sign-in, step by step")
struct SignInTests {
    @Test("goes from the question to the reply")
    func whole() throws {
        let daemon = try TestApplication()
        let reply = daemon.call("SignIn", ["providerID": "work"], more: true)
        let state = try #require(daemon.pages.opened.first?.query("state"))
        #expect(reply.isFinished == false)
        daemon.browserReturns("state=\(state)&code=abc")
        daemon.executor.isolated {
            daemon.provider.answer(json: #"{"access_token":"at","token_type":"Bearer","refresh_token":"rt","expires_in":3600}"#)
        }
        daemon.settle()
        daemon.executor.isolated { daemon.provider.answer(json: #"{"id":"42","name":"Ada","email":"ada@example.com"}"#) }
        daemon.settle()
        #expect(reply.isFinished)
        #expect(reply.error == nil)
        #expect(daemon.call("GetAccessToken", ["providerID": "work"])["accessToken"]?.stringValue == "at")
        #expect(daemon.executor.isolated { daemon.provider.sent.count } == 2)
    }

    @Test(
        "that ends with an error of the provider's page tells its code and description",
        arguments: [
            ("access_denied&error_description=You+said+no", "work did not grant the sign-in: You said no"),
            ("consent_required", "work did not grant the sign-in: consent_required"),
            (
                "temporarily_unavailable&error_description=Upgrading",
                "work answered with an error instead of signing anybody in: temporarily_unavailable: Upgrading; try again later"
            ),
            ("invalid_request", "work answered with an error instead of signing anybody in: invalid_request"),
        ])
    func refused(answer: String, message: String) throws {
        let daemon = try TestApplication()
        let reply = daemon.call("SignIn", ["providerID": "work", "presentation": "client"], more: true)
        daemon.browserReturns("state=\(reply.pageState ?? "")&error=\(answer)")
        #expect(reply.errorName == "SignInDenied" && reply.message == message)
    }

    @Test(
        "that cannot be asked for is refused by name, and leaves nothing",
        arguments: [
            (["providerID": "nobody"], "ProviderNotFound"), (["providerID": "WORK"], "ProviderNotFound"), (["providerID": "half"], "ProviderNotConfigured"),
            (["flow": "carrier pigeon"], "InvalidParameter"), (["intent": "marry"], "InvalidParameter"), (["colour": "red"], "InvalidParameter"),
            (["customParameters": ["State": "x"]], "ReservedParameter"), (["customParameters": ["oauth_callback": "x"]], "ReservedParameter"),
            (["customParameters": ["prompt": "a\nb"]], "InvalidParameter"), (["scopes": ["a b"]], "InvalidParameter"),
            (["app": .string(String(repeating: "x", count: 5000))], "InvalidParameter"), (["app": "mail\u{202e}gpj.exe"], "InvalidParameter"),
            (["app": "a\u{2028}b"], "InvalidParameter"), (["app": "a\u{1b}[2J"], "InvalidParameter"),
            (["timeoutSeconds": 0], "InvalidParameter"), (["timeoutSeconds": -1], "InvalidParameter"), (["timeoutSeconds": 3601], "InvalidParameter"),
            (["timeoutSeconds": .integer(1 << 40)], "InvalidParameter"),
        ] as [(JSONObject, String)])
    func unaskable(further: JSONObject, error: String) throws {
        let daemon = try TestApplication(TestApplication.example + "\n[provider.half]\nkind = \"oidc\"\nissuer = \"https://half.example\"\n")
        var parameters: JSONObject = ["providerID": "work", "presentation": "client"]
        for member in further.members { parameters[member.key] = member.value }
        let reply = daemon.call("SignIn", parameters, more: true)
        #expect(reply.errorName == error && daemon.sessionStates.isEmpty && !daemon.isAsked, "\(reply.message)")
    }

    @Test("that was declined is told as that though the provider's metadata cannot be obtained")
    func declinedWhileDown() throws {
        let daemon = try TestApplication(OpenIDProvider.configuration)
        try OpenIDProvider().answersDocuments(of: daemon)
        let scene = try PendingSignIn(daemon)
        let restarted = try daemon.restarted(configuration: OpenIDProvider.configuration)
        let attached = restarted.call("AttachSession", ["sessionID": .string(scene.id)])
        restarted.browserReturns("state=\(scene.state)&error=access_denied")
        while restarted.isAsked { restarted.answer(status: 503) }
        #expect(attached.errorName == "SignInDenied", "\(attached.message)")
    }

    @Test("whose exchange takes long keeps the browser waiting for three seconds")
    func slowExchange() throws {
        let daemon = try TestApplication()
        let scene = try PendingSignIn(daemon)
        let browser = try scene.browserReturnsByHTTP()
        daemon.settle()
        guard case .taken(let pageID) = browser.value else { throw TestFailure("the callback was not taken") }
        let (application, results) = (daemon.application, Recorded<[SignInResult?]>())
        results.value = []
        func ask() {
            DaemonActor.start {
                let result = await application.callbacks.result(ofPage: pageID)
                results.value?.append(result)
            }
        }
        for _ in 0..<2 { ask() }
        daemon.pass(seconds: 2)
        #expect(results.value?.isEmpty == true)
        daemon.pass(seconds: 1)
        #expect(results.value?.count == 2 && results.value?.allSatisfy { $0 != nil && $0?.outcome == nil } == true)
        ask()
        daemon.answerToken("at-1")
        daemon.answer(json: #"{"id":"42"}"#)
        #expect(scene.reply.isCompleted && results.value?.count == 3 && results.value?.last??.outcome != nil)
    }

    @Test("for a credential gives each program that joined a handle of its own")
    func handles() throws {
        let daemon = try TestApplication()
        daemon.providerAnswers()
        let first = try PendingSignIn(daemon, ["intent": "credential"])
        let others = (0..<4).map { _ in
            daemon.call("SignIn", ["providerID": "work", "intent": "credential", "presentation": "client"], more: true)
        }
        daemon.browserReturns("state=\(first.state)&code=abc")
        let handles = ([first.reply] + others).compactMap { $0.event?["credential"]?.objectValue?["handle"]?.stringValue }
        #expect(Set(handles).count == 5 && daemon.redeemedCodes == ["abc"])
        let results = handles.enumerated().map { number, handle in
            daemon.call("SignInWithCredential", ["credential": ["handle": .string(handle)], "app": .string("app\(number)")])["result"]?.objectValue
        }
        #expect(Set(results.map { $0?["user"]?.objectValue?["uid"]?.stringValue }).count == 1)
        #expect(results.map { $0?["additionalUserInfo"]?.objectValue?["isNewUser"] } == [true, false, false, false, false])
    }

    @Test("that waits for a code asks on in its pace when the clock is set back", arguments: [false, true])
    func clockSetBack(somethingElseHappens: Bool) throws {
        let daemon = try TestApplication()
        daemon.providerAnswers()
        let reply = daemon.call("SignIn", ["providerID": "work", "flow": "device"], more: true)
        daemon.providerWaits()
        daemon.pass(seconds: 5)
        #expect(reply.event?["userCode"] == "AB-CD" && daemon.polls == 1)
        daemon.answer(status: 400, json: #"{"error":"authorization_pending"}"#)
        daemon.clock.set(now: daemon.clock.now.adding(seconds: -28_800))
        if somethingElseHappens { _ = daemon.call("SignIn", ["providerID": "work", "app": "other", "presentation": "client"], more: true) }
        for polls in 2...4 {
            daemon.pass(seconds: 5)
            #expect(daemon.polls == polls)
            daemon.answer(status: 400, json: #"{"error":"authorization_pending"}"#)
        }
        daemon.pass(seconds: 5)
        daemon.providerAnswers()
        daemon.answer(json: #"{"access_token":"at-9","token_type":"Bearer","expires_in":3600}"#)
        #expect(reply.isCompleted, "\(reply.message)")
    }

    @Test("waits for the user as long as it was to, however the clock is set meanwhile", arguments: [28_800, -28_800], [false, true])
    func clockSet(by seconds: Int64, somethingElseHappens: Bool) throws {
        let daemon = try TestApplication()
        let scene = try PendingSignIn(daemon, ["timeoutSeconds": 600])
        daemon.pass(seconds: 200)
        daemon.clock.set(now: daemon.clock.now.adding(seconds: seconds))
        if somethingElseHappens {
            let session = daemon.call("ListSessions")["sessions"]?.arrayValue?.first?.objectValue
            #expect(session?["expiresAt"]?.stringValue == "\(daemon.clock.now.adding(seconds: 400))")
        }
        daemon.pass(seconds: 399)
        #expect(daemon.sessionStates == ["authorizationPending"] && !scene.reply.isFinished)
        daemon.pass(seconds: 2)
        #expect(daemon.sessionStates == ["failed"] && scene.reply.errorName == "SignInTimedOut")
    }

    @Test("is good after a restart for as long as it was, however the clock was set before", arguments: [28_800, -28_800])
    func clockSetBeforeRestart(by seconds: Int64) throws {
        let daemon = try TestApplication()
        _ = try PendingSignIn(daemon, ["timeoutSeconds": 600])
        daemon.pass(seconds: 1)
        daemon.clock.set(now: daemon.clock.now.adding(seconds: seconds))
        daemon.call("ListSessions")
        let restarted = try daemon.restarted(after: seconds + 1)
        #expect(restarted.sessionStates == ["authorizationPending"])
        restarted.pass(seconds: 3601)
        #expect(restarted.sessionStates.isEmpty || restarted.sessionStates == ["failed"])
    }

    @Test("that waits since before a restart is not deleted as expired where the clock is set right after it", arguments: [28_800, -28_800])
    func clockSetBeforeTidying(by seconds: Int64) throws {
        let daemon = try TestApplication()
        let scene = try PendingSignIn(daemon)
        let restarted = try daemon.restarted(after: 1)
        restarted.clock.set(now: restarted.clock.now.adding(seconds: seconds))
        // The store is tidied.
        restarted.pass(seconds: 2)
        restarted.providerAnswers()
        let reply = restarted.call("AttachSession", ["sessionID": .string(scene.id)])
        restarted.browserReturns("state=\(scene.state)&code=abc")
        #expect(reply.isCompleted, "\(reply.message)")
    }

    @Test("whose program has gone is listed as unfetched until its result is, after a restart too")
    func unfetched() throws {
        let daemon = try TestApplication()
        daemon.providerAnswers()
        #expect(daemon.beginSignIn().isCompleted && unfetched(daemon) == [nil])
        let gone = try PendingSignIn(daemon, ["app": "gone"])
        let listed = daemon.call("ListSessions")["sessions"]?.arrayValue?.last?.objectValue
        #expect(listed?.members.map(\.key).sorted() == ["app", "expiresAt", "intent", "providerID", "sessionID", "startedAt", "state"])
        daemon.leave(gone.reply)
        #expect(unfetched(daemon) == [nil, nil])
        daemon.browserReturns("state=\(gone.state)&code=abc")
        #expect(unfetched(daemon) == [nil, true])
        let restarted = try daemon.restarted(after: 1)
        #expect(unfetched(restarted) == [nil, true])
        #expect(restarted.call("AttachSession", ["sessionID": .string(gone.id)]).isCompleted)
        #expect(unfetched(restarted) == [nil, nil])
    }

    /// Of every sign-in that is known, the oldest first.
    private func unfetched(_ daemon: TestApplication) -> [Bool?] {
        (daemon.call("ListSessions")["sessions"]?.arrayValue ?? []).map { $0.objectValue?["unfetched"].map { $0 == true } }
    }

    @Test("whose page cannot be opened leaves the next one to be opened a second later, and those that wait as well")
    func pageNotOpened() throws {
        let daemon = try TestApplication()
        daemon.executor.isolated { daemon.pages.isHeld = true }
        let first = daemon.call("SignIn", ["providerID": "work"])
        _ = daemon.call("SignIn", ["providerID": "work", "app": "second"], more: true)
        _ = daemon.call("SignIn", ["providerID": "work", "app": "third"], more: true)
        #expect(daemon.pages.opened.count == 1)
        daemon.pass(seconds: 2)
        #expect(daemon.pages.opened.count == 1)
        daemon.executor.isolated { daemon.pages.end("it ended with status 3") }
        daemon.settle()
        #expect(first.errorName == "InternalError" && daemon.pages.opened.count == 2)
        daemon.executor.isolated { daemon.pages.end(nil) }
        daemon.pass(seconds: 4)
        #expect(daemon.pages.opened.count == 2)
        daemon.pass(seconds: 1)
        #expect(daemon.pages.opened.count == 3 && Set(daemon.pages.opened).count == 3)
    }

    @Test("whose ID token is signed in a way that no key makes right is refused for that, and no keys are fetched", arguments: ["HS256", "none"])
    func algorithmFirst(algorithm: String) throws {
        let daemon = try TestApplication(OpenIDProvider.configuration)
        try OpenIDProvider().answersDocuments(of: daemon)
        let reply = daemon.beginSignIn()
        let parts = [#"{"alg":"\#(algorithm)"}"#, #"{"iss":"https://work.example","aud":"client","sub":"ada","iat":1800000000,"exp":1800000600}"#]
        let idToken = (parts.map { Base64URL.encode(Array($0.utf8)) } + ["AAAA"]).joined(separator: ".")
        daemon.answer(json: #"{"access_token":"at-1","token_type":"Bearer","id_token":"\#(idToken)"}"#)
        #expect(reply.errorName == "InvalidIDToken" && reply.message.contains("signed with \(algorithm)"), "\(reply.message)")
        #expect(!daemon.executor.isolated { daemon.provider.sent.contains { $0.url.hasSuffix("/keys") } })
    }

    /// Its tokens might arrive when nobody can store or revoke them any more.
    @Test(
        "whose provider takes long to be found sends no code once the store is being locked, or the daemon ends", arguments: ["Lock", "end"],
        [0, 6])
    func codeAtTheEnd(how: String, seconds: Int64) throws {
        let daemon = try TestApplication(OpenIDProvider.configuration)
        try OpenIDProvider().answersDocuments(of: daemon)
        let state = try PendingSignIn(daemon).state
        let restarted = try daemon.restarted(configuration: OpenIDProvider.configuration)
        restarted.browserReturns("state=\(state)&code=abc")
        #expect(restarted.isAsked && restarted.redeemedCodes.isEmpty)
        if how == "Lock" { restarted.call("Lock") } else { restarted.executor.isolated { restarted.application.takeNothingNew() } }
        restarted.pass(seconds: seconds)
        restarted.answer(json: JSON.object(OpenIDProvider.metadata).text)
        guard seconds > 5 else {
            #expect(restarted.redeemedCodes == ["abc"])
            return
        }
        #expect(restarted.redeemedCodes.isEmpty && !restarted.isAsked)
        let reason = how == "Lock" ? "the store is locked" : "the daemon is stopping"
        #expect(restarted.log.entries.contains { $0.message.contains(reason) }, "\(restarted.log.entries.map(\.message))")
    }

    /// The words about what a program goes on with are for the program: the log and Monitor have neither handle nor resolver to hand over.
    @Test("that is refused reports the refusal itself, in the log, to Monitor and to the program")
    func refused() throws {
        let daemon = try TestApplication()
        #expect(daemon.call("CreateUser", ["email": "ada@example.com", "password": "correct horse battery"]).error == nil)
        let monitor = daemon.call("Monitor", more: true)
        let reply = daemon.call("SignIn", ["providerID": "work"], more: true)
        let state = try #require(daemon.pages.opened.first?.query("state"))
        daemon.browserReturns("state=\(state)&code=abc")
        daemon.executor.isolated { daemon.provider.answer(json: #"{"access_token":"at","token_type":"Bearer","expires_in":3600}"#) }
        daemon.settle()
        daemon.executor.isolated { daemon.provider.answer(json: #"{"id":"42","name":"Ada","email":"ada@example.com"}"#) }
        daemon.settle()
        let words = "belongs to a user who signs in with password; sign in that way first, then link the work account"
        #expect(reply.errorName == "AccountExistsWithDifferentCredential" && reply.message == "the address ada@example.com \(words)")
        // The journal has nobody's address.
        let told = "sign-in at work refused: the address \(words)"
        #expect(daemon.log.entries.last { $0.kind == .signInFailed }?.message == told)
        #expect(monitor.replies.contains { $0["message"]?.stringValue == told })
    }

    @Test("Sixty-four that nobody waits for do not block a new one: the oldest is dropped")
    func abandoned() throws {
        let daemon = try TestApplication()
        let scenes = try (0..<64).map { number in
            daemon.pass(seconds: 1)
            return try PendingSignIn(daemon, ["app": .string("app-\(number)"), "timeoutSeconds": 3600])
        }
        // Each has its program, and none gives way.
        let refused = daemon.call("SignIn", ["providerID": "work", "presentation": "client", "app": "one-more"], more: true)
        #expect(refused.errorName == "TooManySessions")
        for scene in scenes { daemon.leave(scene.reply) }
        let next = try PendingSignIn(daemon, ["app": "one-more"])
        #expect(daemon.sessionStates.count { $0 == "authorizationPending" } == 64)
        daemon.providerAnswers()
        // The browser of the one that gave way learns that it is over; its code goes nowhere.
        _ = scenes[0].browserReturnsWhole()
        #expect(daemon.redeemedCodes.isEmpty && scenes[0].call("AttachSession").errorName == "SignInCancelled")
        #expect(scenes[1].browserReturnsWhole().error == nil && daemon.redeemedCodes == ["abc"] && !next.reply.isFinished)
    }
}

extension String {
    /// A member of a URL's query, as it stands there.
    func query(_ name: String) -> String? {
        split(separator: "?").last?.split(separator: "&").first { $0.hasPrefix("\(name)=") }.map { String($0.dropFirst(name.count + 1)) }
    }
}

extension PendingSignIn {
    /// The browser comes back, and everything that can happen happens.
    fileprivate func browserReturnsWhole() -> RecordedReply {
        let reply = browserReturns()
        daemon.settle()
        return reply
    }
}

import PosternApplication
import PosternCore
import StrictJSON
import Testing

/// Two things happen to a sign-in at the same time: each test lets the second one in at every point of the first.
@Suite("A sign-in to which two things happen at once", .serialized)
struct SignInRaceTests {
    /// A sign-in that waits for the user, at a provider that answers at once.
    private func pending(_ parameters: JSONObject = [:], _ toml: String = TestApplication.example) throws -> PendingSignIn {
        let daemon = try TestApplication(toml)
        daemon.providerAnswers()
        return try PendingSignIn(daemon, parameters)
    }

    // MARK: Cancelled

    @Test("CancelSession against the callback: cancelled or completed, and nothing is left of one that was cancelled", arguments: [true, false])
    func cancel(callbackFirst: Bool) throws {
        let endings = try everyInterleaving {
            try pending()
        } first: {
            callbackFirst ? $0.browserReturns() : $0.begin("CancelSession")
        } second: {
            callbackFirst ? $0.begin("CancelSession") : $0.browserReturns()
        } check: { scene, first, second, moment in
            let cancel = callbackFirst ? second : first
            let daemon = scene.daemon
            #expect(first.lastWords == 1 && second.lastWords == 1 && scene.reply.lastWords == 1, moment)
            #expect(daemon.redeemedCodes.count <= 1, moment)
            guard cancel.error == nil else {
                #expect(cancel.errorName == "SessionNotFound" && scene.reply.isCompleted, moment)
                #expect(daemon.redeemedCodes == ["abc"] && daemon.revoked.isEmpty, moment)
                #expect(daemon.call("GetAccessToken", ["providerID": "work"])["accessToken"] == "at-1", moment)
                return "completed"
            }
            #expect(scene.reply.errorName == "SignInCancelled", moment)
            #expect(daemon.revoked == (daemon.redeemedCodes.isEmpty ? [] : ["rt-1", "at-1"]), moment)
            #expect(daemon.counts == [0, 0] && daemon.sessionStates == ["failed"], moment)
            let ending = daemon.redeemedCodes.isEmpty ? "cancelled before the code was sent" : "cancelled after it"
            // Nor does another life know of anything but the end.
            let restarted = try daemon.restarted()
            #expect(restarted.counts == [0, 0] && restarted.sessionStates == ["failed"], moment)
            #expect(restarted.browserReturns("state=\(scene.state)&code=abc").errorName == "RedirectNotRecognised", moment)
            #expect(restarted.call("AttachSession", ["sessionID": .string(scene.id)]).errorName == "SignInCancelled", moment)
            return ending
        }
        let expected: Set = ["completed", "cancelled before the code was sent", "cancelled after it"]
        #expect(Set(endings.keys) == (callbackFirst ? expected : ["cancelled before the code was sent"]))
    }

    @Test("A grant that comes after the cancel is left alone where a credential of the account is kept")
    func cancelBesideKept() throws {
        let endings = try everyInterleaving {
            let daemon = try TestApplication()
            daemon.providerAnswers()
            #expect(daemon.beginSignIn().isCompleted)
            return try PendingSignIn(daemon)
        } first: {
            $0.browserReturns()
        } second: {
            $0.begin("CancelSession")
        } check: { scene, _, cancel, moment in
            let daemon = scene.daemon
            #expect(daemon.revoked.isEmpty && daemon.counts == [1, 1], moment)
            let kept = cancel.error == nil ? "at-1" : "at-2"
            #expect(daemon.call("GetAccessToken", ["providerID": "work"])["accessToken"] == .string(kept), moment)
            return kept
        }
        #expect(Set(endings.keys) == ["at-1", "at-2"])
    }

    @Test("CancelSession while the provider is asked for a page or a code: the caller is told, and nobody else")
    func cancelWhilePreparing() throws {
        let endings = try everyInterleaving {
            let daemon = try TestApplication()
            daemon.providerAnswers()
            return daemon
        } first: {
            $0.call("SignIn", ["providerID": "work", "flow": "device"], more: true, settling: false)
        } second: { daemon -> RecordedReply? in
            let sessions = daemon.call("ListSessions", settling: false)["sessions"]?.arrayValue
            guard let id = sessions?.first?.objectValue?["sessionID"] else { return nil }
            return daemon.call("CancelSession", ["sessionID": id], settling: false)
        } check: { (daemon: TestApplication, reply: RecordedReply, cancel: RecordedReply?, moment) in
            guard let cancel else { return "not begun" }
            #expect(cancel.error == nil && reply.errorName == "SignInCancelled" && reply.lastWords == 1, moment)
            daemon.pass(seconds: 30)
            #expect(daemon.polls == 0 && daemon.counts == [0, 0], moment)
            let left = try daemon.restarted().sessionStates
            #expect(left.allSatisfy { $0 == "failed" }, moment)
            return reply.replies.isEmpty ? "before there was a code" : "after"
        }
        #expect(endings["before there was a code"] != nil && endings["after"] != nil)
    }

    // MARK: Programs come and go

    @Test("The program leaves while its result is on the way: it was received, or can be fetched once", arguments: ["signIn", "credential"])
    func leaving(intent: String) throws {
        let endings = try everyInterleaving {
            try pending(["intent": .string(intent)])
        } first: {
            $0.browserReturns()
        } second: { scene in
            let wasAnswered = scene.reply.isFinished
            scene.daemon.leave(scene.reply)
            return wasAnswered
        } check: { scene, _, wasAnswered, moment in
            let daemon = scene.daemon
            var received = scene.reply
            #expect(scene.reply.isCompleted == wasAnswered, moment)
            if !wasAnswered {
                received = scene.call("AttachSession")
                #expect(received.isCompleted, moment)
            }
            for _ in 0..<2 { #expect(scene.call("AttachSession").errorName == "SessionNotFound", moment) }
            #expect(daemon.redeemedCodes == ["abc"] && daemon.revoked.isEmpty, moment)
            guard intent == "credential" else {
                #expect(daemon.counts == [1, 1], moment)
                return wasAnswered ? "received" : "fetched"
            }
            // One handle, good once.
            let handle = try #require(received.event?["credential"]?.objectValue?["handle"], moment)
            let parameters: JSONObject = ["credential": ["handle": handle]]
            #expect(daemon.call("SignInWithCredential", parameters).error == nil, moment)
            #expect(daemon.call("SignInWithCredential", parameters).errorName == "InvalidCredential", moment)
            return wasAnswered ? "received" : "fetched"
        }
        #expect(Set(endings.keys) == ["received", "fetched"])
    }

    @Test("The result counts as delivered in the step in which the program is answered")
    func deliveredAtOnce() throws {
        let endings = try everyInterleaving {
            try pending()
        } first: {
            $0.browserReturns()
        } second: { scene in
            (scene.reply.isFinished, scene.daemon.log.entries.contains { $0.kind == .resultDelivered })
        } check: { _, _, seen, moment in
            let (isAnswered, isDelivered) = seen
            #expect(isAnswered == isDelivered, moment)
            return isAnswered ? "answered" : "not yet"
        }
        #expect(Set(endings.keys) == ["answered", "not yet"])
    }

    @Test("Of two programs that wait for one sign-in one leaves: the other has the result", arguments: [0, 1])
    func oneOfTwoLeaves(which: Int) throws {
        try everyInterleaving {
            let scene = try pending()
            let joined = scene.daemon.call("SignIn", ["providerID": "work"], more: true)
            #expect(joined.event?["sessionID"] == .string(scene.id))
            return (scene, [scene.reply, joined])
        } first: { scene, _ in
            scene.browserReturns()
        } second: { scene, programs in
            scene.daemon.leave(programs[which])
        } check: { both, _, _, moment in
            let (scene, programs) = both
            #expect(programs[1 - which].isCompleted && programs[1 - which].lastWords == 1, moment)
            #expect(scene.call("AttachSession").errorName == "SessionNotFound", moment)
            #expect(scene.daemon.redeemedCodes == ["abc"] && scene.daemon.counts == [1, 1], moment)
            return ""
        }
    }

    @Test("A program joins while the result is on its way: it gets the same one, or starts again")
    func joining() throws {
        let endings = try everyInterleaving {
            try pending()
        } first: {
            $0.browserReturns()
        } second: {
            $0.daemon.call("SignIn", ["providerID": "work"], more: true, settling: false)
        } check: { scene, _, joined, moment in
            #expect(scene.reply.isCompleted && scene.reply.lastWords == 1, moment)
            #expect(scene.daemon.redeemedCodes == ["abc"], moment)
            guard joined.isFinished else {
                #expect(joined.event?["state"] == "authorizationPending" && joined.event?["sessionID"] != .string(scene.id), moment)
                return "anew"
            }
            #expect(joined.isCompleted && joined.lastWords == 1 && joined.event?["sessionID"] == .string(scene.id), moment)
            return "joined"
        }
        #expect(Set(endings.keys) == ["joined", "anew"])
    }

    @Test("AttachSession against the end: it gets the result too, or learns that it was delivered")
    func attachAgainstEnd() throws {
        let endings = try everyInterleaving {
            try pending()
        } first: {
            $0.browserReturns()
        } second: {
            $0.begin("AttachSession", more: true)
        } check: { scene, _, attached, moment in
            #expect(scene.reply.isCompleted && scene.reply.lastWords == 1 && attached.lastWords == 1, moment)
            #expect(attached.isCompleted || attached.errorName == "SessionNotFound", moment)
            #expect(scene.daemon.redeemedCodes == ["abc"], moment)
            return attached.isCompleted ? "both" : "delivered before"
        }
        #expect(Set(endings.keys) == ["both", "delivered before"])
    }

    @Test("Two programs fetch a result that waits: one gets it")
    func twoAttach() throws {
        try everyInterleaving {
            let scene = try pending()
            scene.daemon.leave(scene.reply)
            scene.daemon.browserReturns("state=\(scene.state)&code=abc")
            return scene
        } first: {
            $0.begin("AttachSession", more: true)
        } second: {
            $0.begin("AttachSession")
        } check: { _, first, second, moment in
            #expect(first.isCompleted && second.errorName == "SessionNotFound", moment)
            return ""
        }
    }

    @Test("AttachSession against CancelSession: whoever attached learns that it was cancelled")
    func attachAgainstCancel() throws {
        for attachFirst in [true, false] {
            try everyInterleaving {
                try pending()
            } first: {
                attachFirst ? $0.begin("AttachSession", more: true) : $0.begin("CancelSession")
            } second: {
                attachFirst ? $0.begin("CancelSession") : $0.begin("AttachSession", more: true)
            } check: { scene, first, second, moment in
                let (attached, cancel) = attachFirst ? (first, second) : (second, first)
                #expect(cancel.error == nil && cancel.lastWords == 1, moment)
                #expect(attached.errorName == "SignInCancelled" && attached.lastWords == 1, moment)
                #expect(scene.reply.errorName == "SignInCancelled" && scene.reply.lastWords == 1, moment)
                return ""
            }
        }
    }

    // MARK: The browser comes twice, or too late

    @Test("The same callback twice: one code is sent, and both browsers learn which sign-in it is")
    func duplicate() throws {
        try everyInterleaving {
            try pending()
        } first: {
            $0.browserReturns()
        } second: {
            $0.browserReturns()
        } check: { scene, first, second, moment in
            for browser in [first, second] { #expect(browser["sessionID"] == .string(scene.id) && browser.lastWords == 1, moment) }
            #expect(scene.daemon.redeemedCodes == ["abc"] && scene.reply.isCompleted && scene.reply.lastWords == 1, moment)
            return ""
        }
    }

    @Test("A second callback with another code changes nothing")
    func otherCode() throws {
        try everyInterleaving {
            try pending()
        } first: {
            $0.browserReturns()
        } second: {
            $0.browserReturns(code: "injected")
        } check: { scene, first, second, moment in
            // Work of the first one begins with its first step; until then the other one may come first.
            let (taken, refused, code) = first.error == nil ? (first, second, "abc") : (second, first, "injected")
            #expect(taken["sessionID"] == .string(scene.id) && refused.errorName == "RedirectNotRecognised", moment)
            #expect(scene.daemon.redeemedCodes == [code] && scene.reply.isCompleted && scene.reply.lastWords == 1, moment)
            return code
        }
    }

    @Test("The callback against the end of its time: told once, and a result that came too late for the program can be fetched")
    func timeout() throws {
        let endings = try everyInterleaving {
            try pending(["timeoutSeconds": 60])
        } first: {
            $0.browserReturns()
        } second: {
            $0.daemon.jump(seconds: 60)
        } check: { scene, callback, _, moment in
            #expect(scene.reply.lastWords == 1 && callback.lastWords == 1, moment)
            #expect(scene.daemon.redeemedCodes == ["abc"] && scene.daemon.counts == [1, 1], moment)
            if scene.reply.isCompleted { return "in time" }
            #expect(scene.reply.errorName == "SignInTimedOut" && scene.call("AttachSession").isCompleted, moment)
            #expect(scene.call("AttachSession").errorName == "SessionNotFound", moment)
            return "in time, but not for the program"
        }
        #expect(Set(endings.keys) == ["in time", "in time, but not for the program"])
    }

    @Test("The end of its time against the callback: what has timed out sends no code")
    func timedOutFirst() throws {
        try everyInterleaving {
            try pending(["timeoutSeconds": 60])
        } first: {
            $0.daemon.jump(seconds: 60)
        } second: {
            $0.browserReturns()
        } check: { scene, _, callback, moment in
            #expect(callback.errorName == "RedirectNotRecognised" && scene.daemon.redeemedCodes.isEmpty, moment)
            #expect(scene.reply.errorName == "SignInTimedOut" && scene.reply.lastWords == 1, moment)
            return ""
        }
    }

    // MARK: Two answers

    /// A sign-in that waits for a page and for a code, at a provider that has been asked whether the code was typed.
    private func pageAndCode() throws -> (scene: PendingSignIn, other: RecordedReply) {
        let scene = try pending()
        let other = scene.call("AttachSession", ["flow": "device"], more: true)
        #expect(other.event?["sessionID"] == .string(scene.id) && other.event?["userCode"] == "AB-CD")
        scene.daemon.providerWaits()
        scene.daemon.pass(seconds: 5)
        #expect(scene.daemon.polls == 1)
        scene.daemon.providerAnswers()
        return (scene, other)
    }

    @Test("The callback and a grant for the code come at once: one of them is taken, both programs have it, and it stays good", arguments: [true, false])
    func callbackAgainstGrant(callbackFirst: Bool) throws {
        let grant = #"{"access_token":"at-9","refresh_token":"rt-9","token_type":"Bearer","expires_in":3600}"#
        let endings = try everyInterleaving {
            try pageAndCode()
        } first: { both in
            if callbackFirst { _ = both.scene.browserReturns() } else { both.scene.daemon.answer(json: grant, settling: false) }
        } second: { both in
            if callbackFirst { both.scene.daemon.answer(json: grant, settling: false) } else { _ = both.scene.browserReturns() }
        } check: { both, _, _, moment in
            let daemon = both.scene.daemon
            for reply in [both.scene.reply, both.other] { #expect(reply.isCompleted && reply.lastWords == 1, moment) }
            let kept = daemon.call("GetAccessToken", ["providerID": "work"])["accessToken"]?.stringValue
            #expect(both.other.event?["credential"]?.objectValue?["accessToken"]?.stringValue == kept, moment)
            #expect(daemon.counts == [1, 1] && (kept == "at-9") == daemon.redeemedCodes.isEmpty, moment)
            // The other one may be of the same account, and is not revoked once that is known.
            #expect(!daemon.revoked.contains(kept ?? ""), moment)
            return daemon.redeemedCodes.isEmpty ? "grant" : "callback"
        }
        #expect(endings[callbackFirst ? "callback" : "grant"] != nil)
    }

    @Test("Two apps sign in with one account at once: both are signed in, and the tokens kept are those of the one that came last")
    func twoApps() throws {
        try everyInterleaving {
            let first = try pending(["app": "a"])
            return (first, try PendingSignIn(first.daemon, ["app": "b"]))
        } first: {
            $0.0.browserReturns()
        } second: {
            $0.1.browserReturns(code: "def")
        } check: { scenes, _, _, moment in
            let daemon = scenes.0.daemon
            #expect(scenes.0.reply.isCompleted && scenes.1.reply.isCompleted, moment)
            #expect(daemon.counts == [1, 1] && daemon.revoked.isEmpty && Set(daemon.redeemedCodes) == ["abc", "def"], moment)
            let kept = daemon.call("GetAccessToken", ["providerID": "work"])["accessToken"]
            #expect(kept != nil, moment)
            let restarted = try daemon.restarted()
            #expect(restarted.call("GetAccessToken", ["providerID": "work"])["accessToken"] == kept, moment)
            return ""
        }
    }

    // MARK: The user goes

    @Test("DeleteUser against a link page: nothing is linked, not even to a later user", arguments: [true, false])
    func deleteUser(callbackFirst: Bool) throws {
        let endings = try everyInterleaving {
            let daemon = try TestApplication()
            daemon.providerAnswers()
            daemon.call("SignInAnonymously")
            return try PendingSignIn(daemon, ["intent": "link"])
        } first: {
            callbackFirst ? $0.browserReturns() : $0.daemon.call("DeleteUser", settling: false)
        } second: {
            callbackFirst ? $0.daemon.call("DeleteUser", settling: false) : $0.browserReturns()
        } check: { scene, first, second, moment in
            let daemon = scene.daemon
            #expect((callbackFirst ? second : first).error == nil, moment)
            #expect(first.lastWords == 1 && second.lastWords == 1 && scene.reply.lastWords == 1, moment)
            #expect(daemon.call("GetCurrentUser")["user"] == nil && daemon.counts == [0, 0], moment)
            // Nor may the page serve whoever signs in later.
            let next = daemon.call("SignInAnonymously")["result"]?.objectValue?["user"]?.objectValue
            #expect(next?["isAnonymous"] == true && next?["providerData"] == [], moment)
            #expect(!scene.call("AttachSession").isCompleted, moment)
            if scene.reply.isCompleted {
                #expect(daemon.revoked == ["rt-1", "at-1"], moment)
                return "linked, and gone with the user"
            }
            #expect(["NoCurrentUser", "SignInCancelled", "SessionNotFound"].contains(scene.reply.errorName), moment)
            return "not linked"
        }
        #expect(endings["not linked"] != nil)
        #expect((endings["linked, and gone with the user"] != nil) == callbackFirst)
    }

    @Test("Another user signs in while a link page waits: the page links nothing to them")
    func otherUser() throws {
        let endings = try everyInterleaving {
            let daemon = try TestApplication()
            daemon.providerAnswers()
            daemon.call("SignInAnonymously")
            return try PendingSignIn(daemon, ["intent": "link"])
        } first: {
            $0.browserReturns()
        } second: { scene in
            (scene.daemon.call("SignOut", settling: false), scene.daemon.call("SignInAnonymously", settling: false))
        } check: { scene, _, next, moment in
            #expect(next.0.error == nil && next.1.error == nil && scene.reply.lastWords == 1, moment)
            let current = scene.daemon.call("GetCurrentUser")["user"]?.objectValue
            #expect(current?["isAnonymous"] == true && current?["providerData"] == [], moment)
            guard scene.reply.isCompleted else {
                #expect(["NoCurrentUser", "UserMismatch"].contains(scene.reply.errorName), moment)
                return "not linked"
            }
            #expect(current?["uid"] != scene.reply.event?["result"]?.objectValue?["user"]?.objectValue?["uid"], moment)
            return "linked before"
        }
        #expect(Set(endings.keys) == ["not linked", "linked before"])
    }

    // MARK: The provider goes

    /// The name is given to another issuer.
    private static let otherIssuer = TestApplication.example.replacing("work.example", with: "other.example")
    private static let otherClient = TestApplication.example.replacing("\"client\"", with: "\"another\"")

    @Test(
        "A reload that takes the provider away, or changes it, against the callback: the code goes to whom it was got from, or nowhere",
        arguments: ["", SignInRaceTests.otherIssuer, SignInRaceTests.otherClient], [true, false])
    func reload(toml: String, callbackFirst: Bool) throws {
        let reload: (PendingSignIn) throws -> RecordedReply = { scene in
            try TestApplication.write(toml, to: "\(scene.daemon.directory)/config.toml")
            return scene.daemon.call("Reload", settling: false)
        }
        let endings = try everyInterleaving {
            try pending()
        } first: {
            try callbackFirst ? $0.browserReturns() : reload($0)
        } second: {
            try callbackFirst ? reload($0) : $0.browserReturns()
        } check: { scene, first, second, moment in
            let daemon = scene.daemon
            #expect((callbackFirst ? second : first).error == nil, moment)
            #expect(first.lastWords == 1 && second.lastWords == 1 && scene.reply.lastWords == 1, moment)
            #expect(daemon.hosts(sent: "code=abc").isSubset(of: ["work.example"]), moment)
            #expect(daemon.redeemedCodes.count <= 1, moment)
            #expect(daemon.hosts(sent: "-1").isSubset(of: ["work.example"]), moment)
            if scene.reply.isCompleted {
                // What came of it belongs to the provider that gave it.
                let token = daemon.call("GetAccessToken", ["providerID": "work"])
                #expect(token.errorName == (toml.isEmpty ? "ProviderNotFound" : "SignInRequired"), moment)
                try daemon.reload(TestApplication.example)
                #expect(daemon.call("GetAccessToken", ["providerID": "work"])["accessToken"] == "at-1", moment)
                return "completed"
            }
            // Whom it brought may be somebody else's name at the provider that has the name now.
            #expect(scene.reply.errorName == "ProviderNotConfigured", moment)
            #expect(daemon.counts == [0, 0], moment)
            return "failed"
        }
        #expect(endings[callbackFirst ? "completed" : "failed"] != nil)
    }

    @Test(
        "A reload while the code is exchanged, with the answer of each request still to come: nobody is signed in by what came before it",
        arguments: ["", SignInRaceTests.otherIssuer], [0, 1])
    func reloadMeanwhile(toml: String, answered: Int) throws {
        let daemon = try TestApplication()
        let reply = daemon.beginSignIn()
        let answers = [#"{"access_token":"at-1","refresh_token":"rt-1","token_type":"Bearer"}"#, #"{"id":"42"}"#]
        for answer in answers.prefix(answered) { daemon.answer(json: answer) }
        try daemon.reload(toml)
        #expect(!reply.isFinished)
        for answer in answers.dropFirst(answered) { daemon.answer(json: answer) }
        #expect(reply.errorName == "ProviderNotConfigured" && reply.lastWords == 1, "\(reply.message)")
        #expect(daemon.executor.isolated { daemon.provider.sent.allSatisfy { $0.host == "work.example" } })
        try daemon.reload(TestApplication.example)
        #expect(daemon.counts == [0, 0])
    }

    @Test("A provider that is another after a restart ends what waits for it", arguments: ["", SignInRaceTests.otherIssuer, SignInRaceTests.otherClient])
    func restart(toml: String) throws {
        let scene = try pending()
        let restarted = try scene.daemon.restarted(configuration: toml)
        #expect(restarted.call("AttachSession", ["sessionID": .string(scene.id)]).errorName == "ProviderNotConfigured")
        #expect(restarted.sessionStates == ["failed"] && restarted.redeemedCodes.isEmpty)
    }

    @Test("A reload that is refused changes nothing for a sign-in")
    func refusedReload() throws {
        try everyInterleaving {
            try pending()
        } first: {
            $0.browserReturns()
        } second: { scene in
            try TestApplication.write("[provider.work]\nkind = 7\n", to: "\(scene.daemon.directory)/config.toml")
            return scene.daemon.call("Reload", settling: false)
        } check: { scene, _, reload, moment in
            #expect(reload.errorName == "ConfigurationInvalid" && scene.reply.isCompleted && scene.reply.lastWords == 1, moment)
            return ""
        }
    }
}

import PosternApplication
import PosternCore
import StrictJSON
import Testing

/// `Lock` comes at every point of something else: what a provider has been asked is kept, what waits for the user comes back with
/// `Unlock`, and nothing is revoked while the store is closed.
@Suite("A lock while something is in progress", .serialized)
struct LockRaceTests {
    private func answering(_ toml: String = TestApplication.example) throws -> TestApplication {
        let daemon = try TestApplication(toml)
        daemon.providerAnswers()
        return daemon
    }

    /// Somebody has signed in, and got `at-1` and `rt-1`.
    private func signedIn() throws -> TestApplication {
        let daemon = try answering()
        #expect(daemon.beginSignIn().isCompleted)
        return daemon
    }

    private func isLocked(_ daemon: TestApplication) -> Bool { daemon.call("GetStatus")["locked"] == true }

    /// What holds of each lock that nobody undoes.
    private func expectLocked(_ daemon: TestApplication, by lock: RecordedReply, _ moment: Comment) {
        #expect(lock.error == nil && lock.lastWords == 1, moment)
        #expect(isLocked(daemon) && daemon.revoked.isEmpty, moment)
        #expect(daemon.call("ListCredentials").errorName == "StoreLocked", moment)
        #expect(!daemon.log.entries.contains { $0.level == .error }, moment)
    }

    // MARK: Sign-ins

    @Test("Against the callback: the code was sent and its result is kept, or the page is good after Unlock", arguments: [true, false])
    func callback(callbackFirst: Bool) throws {
        let endings = try everyInterleaving {
            try PendingSignIn(try answering())
        } first: {
            callbackFirst ? $0.browserReturns() : $0.daemon.call("Lock", settling: false)
        } second: {
            callbackFirst ? $0.daemon.call("Lock", settling: false) : $0.browserReturns()
        } check: { scene, first, second, moment in
            let daemon = scene.daemon
            let (browser, lock) = callbackFirst ? (first, second) : (second, first)
            expectLocked(daemon, by: lock, moment)
            #expect(scene.reply.lastWords == 1 && browser.lastWords == 1, moment)
            let wasTaken = browser.error == nil
            #expect(wasTaken || browser.errorName == "StoreLocked", "\(browser.errorName ?? "") \(moment)")
            #expect(daemon.redeemedCodes == (wasTaken ? ["abc"] : []), moment)
            if !scene.reply.isCompleted {
                #expect(scene.reply.errorName == "StoreLocked" && scene.reply.message.contains("postern attach \(scene.id)"), moment)
            }
            #expect(daemon.call("Unlock").error == nil, moment)
            if !wasTaken {
                // The page that is open in the browser is as good as before.
                #expect(daemon.sessionStates == ["authorizationPending"] && daemon.counts == [0, 0], moment)
                let attached = scene.call("AttachSession", more: true)
                #expect(attached.event?["authorizationURL"] != nil, moment)
                daemon.browserReturns("state=\(scene.state)&code=abc")
                #expect(attached.isCompleted, moment)
            } else if !scene.reply.isCompleted {
                #expect(scene.call("AttachSession").isCompleted, moment)
            }
            #expect(scene.call("AttachSession").errorName == "SessionNotFound", moment)
            #expect(daemon.redeemedCodes == ["abc"] && daemon.revoked.isEmpty && daemon.counts == [1, 1], moment)
            return wasTaken ? "kept" : "waits"
        }
        #expect(Set(endings.keys) == [callbackFirst ? "kept" : "waits"])
    }

    @Test("A browser that returns while the lock begins is told of the lock, and not that its sign-in is unknown")
    func callbackByHTTP() throws {
        try everyInterleaving {
            try PendingSignIn(try answering())
        } first: {
            $0.daemon.call("Lock", settling: false)
        } second: {
            try $0.browserReturnsByHTTP()
        } check: { scene, lock, browser, moment in
            expectLocked(scene.daemon, by: lock, moment)
            guard case .storeLocked = browser.value else {
                Issue.record("\(String(describing: browser.value)) \(moment)")
                return ""
            }
            scene.daemon.call("Unlock")
            #expect(scene.daemon.browserReturns("state=\(scene.state)&code=abc").error == nil, moment)
            #expect(scene.call("AttachSession").isCompleted, moment)
            return ""
        }
    }

    @Test("Against SignIn: the program is told to attach where the sign-in is on disk, and to begin anew where it is not", arguments: ["browser", "device"])
    func beginning(flow: String) throws {
        let endings = try everyInterleaving {
            try answering()
        } first: {
            $0.call("SignIn", ["providerID": "work", "flow": .string(flow)], more: true, settling: false)
        } second: {
            $0.call("Lock", settling: false)
        } check: { daemon, reply, lock, moment in
            expectLocked(daemon, by: lock, moment)
            #expect(reply.errorName == "StoreLocked" && reply.lastWords == 1, moment)
            #expect(daemon.call("Unlock").error == nil, moment)
            guard reply.message.contains("postern attach") else {
                #expect(daemon.sessionStates.isEmpty, moment)
                return "anew"
            }
            #expect(daemon.sessionStates == ["authorizationPending"], moment)
            let id = reply.event?["sessionID"] ?? ""
            let attached = daemon.call("AttachSession", ["sessionID": id], more: true)
            #expect(attached.event?[flow == "browser" ? "authorizationURL" : "userCode"] != nil, moment)
            return "attach"
        }
        #expect(Set(endings.keys) == ["anew", "attach"])
    }

    @Test("Against the question whether a device code was typed: a grant is kept, or the question is asked after Unlock")
    func devicePoll() throws {
        let endings = try everyInterleaving {
            try PendingSignIn(try answering(), ["flow": "device", "presentation": nil])
        } first: {
            $0.daemon.jump(seconds: 5)
        } second: {
            $0.daemon.call("Lock", settling: false)
        } check: { scene, _, lock, moment in
            let daemon = scene.daemon
            expectLocked(daemon, by: lock, moment)
            #expect(scene.reply.lastWords == 1, moment)
            let asked = daemon.polls
            daemon.pass(seconds: 30)
            #expect(daemon.polls == asked, moment)
            #expect(daemon.call("Unlock").error == nil, moment)
            if asked == 0 {
                #expect(scene.reply.errorName == "StoreLocked", moment)
                daemon.pass(seconds: 5)
            }
            if !scene.reply.isCompleted { #expect(scene.call("AttachSession").isCompleted, moment) }
            #expect(daemon.polls == 1 && daemon.revoked.isEmpty && daemon.counts == [1, 1], moment)
            #expect(daemon.call("GetAccessToken", ["providerID": "work"])["accessToken"] == "at-1", moment)
            return asked == 0 ? "asked after Unlock" : "kept"
        }
        #expect(endings["kept"] != nil)
    }

    /// A sign-in whose code for another device was shown; the provider is asked whether it was typed, and takes its time.
    private func asked() throws -> PendingSignIn {
        let daemon = try TestApplication()
        let reply = daemon.call("SignIn", ["providerID": "work", "flow": "device"], more: true)
        daemon.answer(json: #"{"device_code":"dc","user_code":"AB-CD","verification_uri":"https://work.example/go","expires_in":900,"interval":5}"#)
        daemon.pass(seconds: 5)
        #expect(daemon.isAsked && daemon.polls == 1)
        return try PendingSignIn(daemon, joining: reply)
    }

    @Test("A grant for a device code that comes while the lock waits is kept")
    func grantMeanwhile() throws {
        let scene = try asked()
        let lock = scene.daemon.call("Lock")
        #expect(!lock.isFinished)
        scene.daemon.answerToken("at-1", refreshToken: "rt-1")
        #expect(!lock.isFinished && !scene.reply.isFinished)
        scene.daemon.answer(json: #"{"id":"42"}"#)
        expectLocked(scene.daemon, by: lock, "")
        #expect(scene.reply.isCompleted)
        scene.daemon.call("Unlock")
        #expect(scene.daemon.call("GetAccessToken", ["providerID": "work"])["accessToken"] == "at-1")
    }

    @Test("An answer that the code was not typed yet ends the lock's wait, and the code is good after Unlock")
    func notYet() throws {
        let scene = try asked()
        let lock = scene.daemon.call("Lock")
        scene.daemon.answer(status: 400, json: #"{"error":"authorization_pending"}"#)
        expectLocked(scene.daemon, by: lock, "")
        #expect(scene.reply.errorName == "StoreLocked")
        scene.daemon.call("Unlock")
        let attached = scene.call("AttachSession", more: true)
        #expect(attached.event?["userCode"] == "AB-CD")
        scene.daemon.pass(seconds: 5)
        scene.daemon.answerToken("at-1")
        scene.daemon.answer(json: #"{"id":"42"}"#)
        #expect(attached.isCompleted && scene.daemon.polls == 2)
    }

    @Test("A grant for a device code that comes after the lock has given up waiting is left to run out", arguments: [false, true])
    func grantTooLate(beforeUnlock: Bool) throws {
        let scene = try asked()
        let lock = scene.daemon.call("Lock")
        scene.daemon.pass(seconds: 36)
        expectLocked(scene.daemon, by: lock, "")
        if beforeUnlock { scene.daemon.answerToken("at-1", refreshToken: "rt-1") }
        #expect(scene.daemon.revoked.isEmpty && !scene.daemon.isAsked || !beforeUnlock)
        scene.daemon.call("Unlock")
        #expect(scene.daemon.counts == [0, 0] && scene.daemon.revoked.isEmpty)
        #expect(scene.daemon.sessionStates == ["authorizationPending"])
    }

    @Test("Unlock brings back what waits: pages, their states, and their time")
    func unlock() throws {
        let daemon = try answering()
        let monitor = daemon.call("Monitor", more: true)
        let apps = ["a", "b", "c"]
        let scenes = try apps.map { try PendingSignIn(daemon, ["app": .string($0), "timeoutSeconds": $0 == "c" ? 60 : 600]) }
        daemon.call("Lock")
        for scene in scenes { #expect(scene.reply.errorName == "StoreLocked" && scene.reply.lastWords == 1) }
        for method in ["AttachSession", "CancelSession"] { #expect(scenes[0].call(method).errorName == "StoreLocked") }
        #expect(daemon.call("ListSessions").errorName == "StoreLocked")
        #expect(daemon.browserReturns("state=\(scenes[0].state)&code=abc").errorName == "StoreLocked")
        daemon.pass(seconds: 60)
        daemon.call("Unlock")
        // The time of the third ran out meanwhile.
        daemon.pass(seconds: 1)
        #expect(daemon.sessionStates.sorted() == ["authorizationPending", "authorizationPending", "failed"])
        #expect(scenes[2].call("AttachSession").errorName == "SignInTimedOut")
        let attached = scenes[1].call("AttachSession", more: true)
        let url = try #require(attached.event?["authorizationURL"]?.stringValue)
        #expect(url.query("state") != scenes[1].state)
        // Either page of it will do; the states are of one sign-in.
        for (scene, state) in [(scenes[0], scenes[0].state), (scenes[1], url.query("state") ?? "")] {
            #expect(daemon.browserReturns("state=\(state)&code=abc")["sessionID"] == .string(scene.id))
        }
        #expect(attached.isCompleted && scenes[0].call("AttachSession").isCompleted)
        #expect(monitor.replies.compactMap { $0["kind"]?.stringValue }.filter { $0.hasPrefix("store") } == ["storeLocked", "storeUnlocked"])
    }

    // MARK: Credentials

    @Test("Against a renewal: the rotated refresh token is on disk, whichever the program was told")
    func refresh() throws {
        let endings = try everyInterleaving {
            try signedIn()
        } first: {
            $0.call("GetAccessToken", ["providerID": "work", "forceRefresh": true], settling: false)
        } second: {
            $0.call("Lock", settling: false)
        } check: { daemon, reply, lock, moment in
            expectLocked(daemon, by: lock, moment)
            #expect(reply.lastWords == 1 && (reply["accessToken"] == "at-2" || reply.errorName == "StoreLocked"), moment)
            let sent = daemon.tokenRequests
            #expect(daemon.call("Unlock").error == nil, moment)
            daemon.pass(seconds: 10)
            #expect(daemon.call("GetAccessToken", ["providerID": "work", "forceRefresh": true]).error == nil, moment)
            #expect(daemon.tokenRequests == (sent.isEmpty ? ["rt-1"] : ["rt-1", "rt-2"]), moment)
            return reply.error == nil ? "told" : "locked"
        }
        #expect(endings["told"] != nil)
    }

    @Test("Against RevokeCredential: it is gone here and there, or neither")
    func revocation() throws {
        let endings = try everyInterleaving {
            try signedIn()
        } first: {
            $0.call("RevokeCredential", ["providerID": "work"], settling: false)
        } second: {
            $0.call("Lock", settling: false)
        } check: { daemon, reply, lock, moment in
            #expect(lock.error == nil && lock.lastWords == 1 && isLocked(daemon) && reply.lastWords == 1, moment)
            let isRevoked = daemon.revoked == ["rt-1", "at-1"]
            #expect(isRevoked || daemon.revoked.isEmpty, moment)
            #expect(isRevoked ? reply["revokedAtProvider"] == true : reply.errorName == "StoreLocked", moment)
            daemon.call("Unlock")
            #expect(daemon.counts == [1, isRevoked ? 0 : 1], moment)
            #expect(daemon.revoked.count == (isRevoked ? 2 : 0), moment)
            return isRevoked ? "revoked" : "kept"
        }
        #expect(endings["revoked"] != nil)
    }

    // MARK: Unlock

    @Test("A browser that comes back while the store is opened is told of the lock, or taken", arguments: [true, false])
    func callbackWhileUnlocking(byHTTP: Bool) throws {
        let endings = try everyInterleaving {
            let scene = try PendingSignIn(try answering())
            scene.daemon.call("Lock")
            return try PendingSignIn(scene.daemon, joining: scene.reply)
        } first: {
            $0.daemon.call("Unlock", settling: false)
        } second: { scene -> (RecordedReply?, RecordedDisposition?) in
            byHTTP ? (nil, try scene.browserReturnsByHTTP()) : (scene.browserReturns(), nil)
        } check: { scene, unlock, browser, moment in
            #expect(unlock.error == nil && unlock.lastWords == 1, moment)
            let isTaken: Bool
            switch (browser.0, browser.1?.value) {
            case (let reply?, _):
                isTaken = reply.error == nil
                #expect(isTaken || reply.errorName == "StoreLocked", "\(reply.message) \(moment)")
            case (nil, .taken): isTaken = true
            case (nil, .storeLocked): isTaken = false
            default:
                Issue.record("\(String(describing: browser.1?.value)) \(moment)")
                return ""
            }
            if !isTaken { scene.daemon.browserReturns("state=\(scene.state)&code=abc") }
            #expect(scene.call("AttachSession").isCompleted, moment)
            #expect(scene.daemon.redeemedCodes == ["abc"], moment)
            return isTaken ? "taken" : "locked"
        }
        #expect(Set(endings.keys) == ["taken", "locked"])
    }

    @Test("A result that waits is fetched while the store is locked: at once or after Unlock, and once")
    func attach() throws {
        let endings = try everyInterleaving {
            try unfetched()
        } first: {
            $0.begin("AttachSession", more: true)
        } second: {
            $0.daemon.call("Lock", settling: false)
        } check: { scene, attached, lock, moment in
            expectLocked(scene.daemon, by: lock, moment)
            #expect(attached.lastWords == 1 && (attached.isCompleted || attached.errorName == "StoreLocked"), moment)
            scene.daemon.call("Unlock")
            if !attached.isCompleted { #expect(scene.call("AttachSession").isCompleted, moment) }
            #expect(scene.call("AttachSession").errorName == "SessionNotFound", moment)
            return attached.isCompleted ? "at once" : "after Unlock"
        }
        #expect(endings["at once"] != nil)
        let scene = try unfetched()
        scene.daemon.call("Lock")
        scene.daemon.call("Unlock")
        #expect(scene.call("AttachSession").isCompleted)
    }

    /// A sign-in whose program has gone, and whose result waits.
    private func unfetched() throws -> PendingSignIn {
        let scene = try PendingSignIn(try answering())
        scene.daemon.leave(scene.reply)
        scene.daemon.browserReturns("state=\(scene.state)&code=abc")
        return scene
    }

    @Test("A reload that takes the provider away comes while the store is opened, or locked: what waits for it ends", arguments: ["Lock", "Unlock"])
    func reload(method: String) throws {
        try everyInterleaving {
            let scene = try PendingSignIn(try answering())
            if method == "Unlock" { scene.daemon.call("Lock") }
            try TestApplication.write("", to: "\(scene.daemon.directory)/config.toml")
            return try PendingSignIn(scene.daemon, joining: scene.reply)
        } first: {
            $0.daemon.call(method, settling: false)
        } second: {
            $0.daemon.call("Reload", settling: false)
        } check: { scene, first, reload, moment in
            #expect(first.error == nil && reload.error == nil, moment)
            scene.daemon.call("Unlock")
            #expect(scene.daemon.sessionStates == ["failed"], moment)
            #expect(scene.call("AttachSession").errorName == "ProviderNotConfigured", moment)
            #expect(scene.daemon.browserReturns("state=\(scene.state)&code=abc").errorName == "RedirectNotRecognised", moment)
            return ""
        }
    }

    // MARK: Another lock

    @Test("Two locks at once, and Unlock at any time: no call is lost, and what waits comes back once", arguments: ["Lock", "Unlock"])
    func lockAgainst(other: String) throws {
        for lockFirst in [true, false] {
            try everyInterleaving {
                try PendingSignIn(try answering())
            } first: {
                $0.daemon.call(lockFirst ? "Lock" : other, settling: false)
            } second: {
                $0.daemon.call(lockFirst ? other : "Lock", settling: false)
            } check: { scene, first, second, moment in
                #expect(first.error == nil && second.error == nil && first.lastWords == 1 && second.lastWords == 1, moment)
                // One after the other, in the order in which they came.
                #expect(isLocked(scene.daemon) == !(lockFirst && other == "Unlock"), moment)
                #expect(scene.reply.errorName == "StoreLocked" && scene.reply.lastWords == 1, moment)
                scene.daemon.call("Unlock")
                #expect(scene.daemon.sessionStates == ["authorizationPending"], moment)
                return ""
            }
        }
    }
}

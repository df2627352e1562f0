import Testing

@testable import PosternCore

@Suite("Sign-ins: the table")
struct SignInsTests {
    private let world = SignInWorld()

    @Test("the same question joins the sign-in that waits, whatever the order of its scopes")
    func joins() throws {
        _ = try world.waiting()
        #expect(world.signIns.opening(for: SignInWorld.request(scopes: ["email", "openid"]), by: .browser, now: now) == .join(sessionID: "a"))
        var (intent, parameters) = (SignInWorld.request(), SignInWorld.request())
        intent.intent = .credential
        parameters.parameters = ["prompt": "login"]
        for other in [SignInWorld.request("other"), SignInWorld.request(scopes: ["openid"]), SignInWorld.request(hint: "ada"), intent, parameters] {
            #expect(world.signIns.opening(for: other, by: .browser, now: now) == .start)
        }
    }

    @Test("nobody joins a sign-in whose time is over, or that has ended")
    func over() throws {
        _ = try world.waiting()
        #expect(world.signIns.opening(for: SignInWorld.request(), by: .browser, now: now.adding(seconds: 600)) == .start)
        world.cancel()
        #expect(world.signIns.opening(for: SignInWorld.request(), by: .browser, now: now) == .start)
    }

    @Test("the sixty-fifth sign-in is refused, and there is room again when one has ended")
    func limit() throws {
        for index in 0..<64 { world.ask("\(index)", app: "app\(index)") }
        #expect(world.signIns.liveCount == 64)
        #expect(world.signIns.opening(for: SignInWorld.request("one more"), by: .browser, now: now) == .tooManySessions(limit: 64))
        #expect(world.signIns.opening(for: SignInWorld.request("app7"), by: .browser, now: now) == .join(sessionID: "7"))
        world.cancel("7")
        #expect(world.signIns.opening(for: SignInWorld.request("one more"), by: .browser, now: now) == .start)
    }

    @Test("of finished sign-ins 256 are remembered, and a result that nobody has fetched yet goes last")
    func finishedLimit() throws {
        world.leave(world.ask("unfetched", app: "unfetched"))
        try world.wait()
        try world.redeem()
        try world.keep()
        for index in 0..<257 {
            world.time = now.adding(seconds: Int64(index) / 2)
            world.ask("\(index)", app: "\(index)")
            try world.wait(.page(SignInWorld.page(key: Array("\(index)".utf8))))
            world.cancel("\(index)")
            try world.storeEnd()
        }
        #expect(world.deleted == ["0", "1"] && world.signIns.all.count == 256 && world.phase("unfetched") == .completed)
    }

    @Test("only the end of a sign-in makes another one forgotten")
    func forgottenByAnEnd() throws {
        let finished = (0..<257).map { index in
            StoredSignIn(
                session: SignInWorld.session("\(index)"), stateHashes: [], expiresAt: now.adding(seconds: 600),
                status: .ended(.failed(.cancelled), isDelivered: false))
        }
        world.perform(world.signIns.restored(finished, now: now))
        _ = try world.waiting()
        #expect(world.deleted.isEmpty)
        world.cancel()
        try world.storeEnd()
        #expect(world.deleted.count == 2 && world.signIns.all.count == 256)
    }

    @Test("what is reported of each: where it stands, and its page by its ID")
    func status() throws {
        _ = try world.waiting()
        #expect(world.signIns.all.map(\.session.id) == ["a"] && world.signIns[page: "page-a"]?.session.id == "a" && world.signIns[page: "page-b"] == nil)
        #expect(world.signIns["a"]?.phase == .authorizationPending)
        world.cancel()
        try world.storeEnd()
        #expect(world.signIns[page: "page-a"]?.outcome == .failed(.cancelled))
        world.perform(world.signIns.timePassed(now: now.adding(seconds: 601)))
        #expect(world.signIns[page: "page-a"] == nil && world.deleted == ["a"])
    }

    // MARK: Time

    @Test("a sign-in times out in each state that waits for the user, and in no other", arguments: 0..<4)
    func timesOut(steps: Int) throws {
        let waiter = world.ask()
        if steps > 0 { try world.prepare() }
        if steps > 1 { try world.store() }
        if steps > 2 { try world.callback() }
        world.time = now.adding(seconds: 600)
        world.perform(world.signIns.timePassed(now: world.time))
        switch steps {
        case 0, 1: #expect(world.signIns.all.isEmpty)
        case 2:
            try world.storeEnd()
            #expect(world.phase() == .failed)
        default: #expect(world.phase() == .exchanging)
        }
        #expect(world.lastWords[waiter] == [.failed(.timedOut)])
    }

    @Test("the page waits for the most patient of those who joined, and each gives up at its own time")
    func patience() throws {
        let hasty = try world.waiting()
        world.ask(seconds: 1200)
        #expect(world.signIns.nextDeadline == now.adding(seconds: 600))
        world.perform(world.signIns.timePassed(now: now.adding(seconds: 700)))
        #expect(world.lastWords[hasty] == [.failed(.timedOut)] && world.phase() == .authorizationPending)
    }

    @Test("each program is told the end of its own time, and one that attached that of the sign-in")
    func ownTime() throws {
        let patient = try world.waiting()
        let hasty = world.ask(seconds: 60)
        #expect(world.progress[patient]?.last?.expiresAt == now.adding(seconds: 600))
        #expect(world.progress[hasty]?.last?.expiresAt == now.adding(seconds: 60))
        let attached = try #require(world.attach().waiter)
        #expect(world.progress[attached]?.last?.expiresAt == now.adding(seconds: 600))
    }

    @Test("that no browser could be started is shown at once to all who hear every event")
    func pageProblem() throws {
        let first = try world.waiting()
        #expect(world.progress[first]?.last?.pageProblem == nil)
        world.perform(world.signIns.change(id: "a") { $0.pageOpened(problem: "no such program") } ?? [])
        #expect(world.progress[first]?.last?.pageProblem == "no such program" && world.progress[first]?.last?.page != nil)
        world.perform(world.signIns.change(id: "a") { $0.pageOpened(problem: nil) } ?? [])
        let second = world.ask()
        #expect(world.progress[second]?.last?.pageProblem == nil)
    }

    @Test("every program that waits on a page is known by name, once, but for one that left")
    func requesters() throws {
        _ = try world.waiting()
        world.ask(requester: "git")
        world.ask(requester: "kubectl")
        world.ask(requester: "git")
        let gone = world.ask(requester: "editor")
        // That asked first.
        world.ask(requester: "tool")
        world.leave(gone)
        #expect(world.signIns["a"]?.requesters == ["tool", "git", "kubectl"])
        for number in 0..<20 { world.ask(requester: "p\(number)") }
        #expect(world.signIns["a"]?.requesters.count == 9)
    }

    @Test("a program that is gone, or gave up, is named no more where another waits")
    func requestersNow() throws {
        let first = try world.waiting()
        let hasty = world.ask(seconds: 60, requester: "git")
        world.leave(first)
        #expect(world.signIns["a"]?.requesters == ["git"])
        world.ask(requester: "kubectl")
        world.perform(world.signIns.timePassed(now: now.adding(seconds: 60)))
        #expect(world.lastWords[hasty] == [.failed(.timedOut)] && world.signIns["a"]?.requesters == ["kubectl"])
        // It may be the first one that came back.
        world.attach()
        #expect(world.signIns["a"]?.requesters == ["tool", "kubectl"])
    }

    @Test("the first program is named where nobody waits any more, and in the end those who waited for it")
    func requestersAfterwards() throws {
        world.leave(try world.waiting())
        #expect(world.signIns["a"]?.requesters == ["tool"])
        world.ask(requester: "git")
        world.cancel()
        try world.storeEnd()
        #expect(world.present.isEmpty && world.signIns["a"]?.requesters == ["git"])
    }

    @Test("a page that no browser shows is joined while its program waits, and by nobody once that is gone")
    func unshownPage() throws {
        let first = world.ask(shownBy: .daemon)
        try world.wait()
        world.perform(world.signIns.change(id: "a") { $0.pageOpened(problem: "no such program") } ?? [])
        #expect(world.signIns.opening(for: SignInWorld.request(), by: .browser, now: now) == .join(sessionID: "a"))
        world.leave(first)
        #expect(world.signIns.opening(for: SignInWorld.request(), by: .browser, now: now) == .start)
        // Whoever takes it up by its ID shows it, and others join again.
        world.attach("a", .client)
        #expect(world.signIns.opening(for: SignInWorld.request(), by: .browser, now: now) == .join(sessionID: "a"))
    }

    @Test("however many join, a sign-in lives an hour at most, and who attached waits as long as it does")
    func longestLife() throws {
        let first = try world.waiting()
        let attached = try #require(world.attach().waiter)
        #expect(world.signIns["a"]?.expiresAt == now.adding(seconds: 600))
        world.ask(seconds: 3000)
        world.ask(seconds: 5000)
        #expect(world.signIns["a"]?.expiresAt == now.adding(seconds: 3600))
        world.perform(world.signIns.timePassed(now: now.adding(seconds: 3599)))
        #expect(world.lastWords.count == 2 && world.lastWords[first] != nil && world.lastWords[attached] == nil)
        world.perform(world.signIns.timePassed(now: now.adding(seconds: 3600)))
        try world.storeEnd()
        #expect(world.lastWords[attached] == [.failed(.timedOut)])
    }

    @Test("a caller that disconnects ends nothing for the others")
    func oneLeaves() throws {
        let first = world.ask()
        let second = world.ask()
        try world.wait()
        world.leave(first)
        #expect(world.phase() == .authorizationPending && world.present == [second])
        world.leave(second)
        #expect(world.phase() == .authorizationPending)
    }

    // MARK: Secrets

    @Test("a secret is gone from memory when its state is", arguments: 0..<5)
    func secrets(end: Int) throws {
        weak var verifier: Secret?
        weak var nonce: Secret?
        weak var key: Secret?
        do {
            let secrets = FlowSecrets(
                codeVerifier: Secret("verifier"), nonce: Secret("nonce"),
                proofKey: DPoPKey(privateKeyPEM: Secret("pem"), x: Array(repeating: 1, count: 32), y: Array(repeating: 2, count: 32)))
            (verifier, nonce, key) = (secrets.codeVerifier, secrets.nonce, secrets.proofKey?.privateKeyPEM)
            world.ask(secrets: secrets)
        }
        try world.wait()
        try #require(verifier != nil && nonce != nil && key != nil)
        switch end {
        case 0:
            try world.redeem()
        case 1: world.cancel()
        case 2: world.perform(world.signIns.timePassed(now: now.adding(seconds: 600)))
        case 3: world.perform(world.signIns.lockBegan())
        default: world.perform(world.signIns.providersChanged(now: now) { _ in .providerNotConfigured(message: "gone") })
        }
        // What the world around it was given is the world's.
        world.done = []
        world.open = []
        #expect(verifier == nil && nonce == nil && key == nil)
    }

    @Test("a result that was handed out leaves no secret in the table, and its page can still be shown")
    func delivered() throws {
        _ = try world.waiting()
        try world.redeem()
        try world.keep()
        try world.deliver()
        guard case .completed(let kept)? = world.signIns["a"]?.outcome else {
            Issue.record("the outcome is gone")
            return
        }
        #expect(kept.grant.accessToken.isEmpty && kept.grant.refreshToken == nil && kept.grant.tokenSecret == nil)
        #expect(kept.profile.identity.displayName == "Ada")
    }
}

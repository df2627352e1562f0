import Testing

@testable import PosternCore

@Suite("Sign-ins: pages")
struct SignInPageTests {
    private let world = SignInWorld()

    private var opens: Int { world.count { if case .openPage = $0 { true } else { false } } }
    private var ticket: SignInTicket { get throws { try #require(world.signIns.machines["a"]).ticket } }

    // MARK: Who shows it

    @Test("the daemon opens the page once, for however many ask")
    func once() throws {
        world.ask(shownBy: .daemon)
        world.ask(shownBy: .daemon, listens: false)
        try world.wait()
        world.ask(shownBy: .daemon)
        #expect(opens == 1)
        #expect(world.signIns.pageTurnCame(try ticket) == Secret("https://as.example/?state=s"))
        world.perform(world.signIns.change(try ticket) { $0.pageOpened(problem: nil) })
        #expect(world.notes.last == .pageOpened)
    }

    @Test("a client that shows the page leaves the daemon nothing to open, until it goes and somebody waits who cannot see it")
    func client() throws {
        let shown = world.ask(shownBy: .client)
        try world.wait()
        world.ask(shownBy: .daemon, listens: false)
        #expect(opens == 0)
        world.leave(shown)
        #expect(opens == 1)
    }

    @Test("a queued page is not opened after all callers left, unless one comes back")
    func everybodyLeft() throws {
        let waiter = world.ask(shownBy: .daemon)
        try world.wait()
        world.leave(waiter)
        #expect(world.signIns.pageTurnCame(try ticket) == nil)
        world.ask(shownBy: .daemon)
        #expect(opens == 2)
    }

    @Test("a page whose turn comes after the callback, or after the end, is not opened")
    func tooLate() throws {
        world.ask(shownBy: .daemon)
        try world.wait()
        let ticket = try ticket
        try world.callback()
        #expect(world.signIns.pageTurnCame(ticket) == nil)
        world.cancel()
        #expect(world.signIns.pageTurnCame(ticket) == nil)
        world.perform(world.signIns.change(ticket) { $0.pageOpened(problem: nil) })
    }

    @Test("a page that cannot be opened is told to who learns of no address; the others can show it")
    func notOpened() throws {
        let blind = world.ask(shownBy: .daemon, listens: false)
        let listening = world.ask(shownBy: .daemon)
        try world.wait()
        world.perform(world.signIns.change(try ticket) { $0.pageOpened(problem: "no browser") })
        guard case .failed(.provider(let failure))? = world.lastWords[blind]?.first, failure.reason == .internal else {
            Issue.record("it would wait for a page that nobody sees")
            return
        }
        #expect(failure.message.contains("no browser") && world.present == [listening] && world.notes.last == .pageNotOpened("no browser"))
        // It is tried again for who comes next.
        world.ask(shownBy: .daemon)
        #expect(opens == 2)
    }

    // MARK: Further pages

    @Test("who attaches and shows the page by itself gets one with its own state; the first to come back uses up both")
    func renewed() throws {
        let first = try world.waiting()
        let attached = try #require(world.attach("a", .client).waiter)
        try world.makePage(SignInWorld.page("https://as.example/?state=2", key: [2]))
        #expect(world.progress[attached] == nil)
        try world.storePage()
        #expect(world.progress[attached]?.first?.page == Secret("https://as.example/?state=2") && world.progress[first]?.count == 1)
        guard case .taken = try world.callback() else {
            Issue.record("the first page is good")
            return
        }
        #expect(try world.callback(key: [2], digest: [7]) == .notRecognised)
    }

    @Test("however often somebody attaches, there are sixteen states; after that the last page is told")
    func mostStates() throws {
        _ = try world.waiting()
        for number in 2...20 {
            let waiter = try #require(world.attach("a", .client).waiter)
            guard number <= 16 else {
                #expect(world.progress[waiter]?.first?.page == Secret("https://as.example/?state=16"))
                continue
            }
            try world.makePage(SignInWorld.page("https://as.example/?state=\(number)", key: [UInt8(number)]))
            try world.storePage()
        }
    }

    @Test("of those that are made at the same time none is forgotten in the count")
    func renewalsAtOnce() throws {
        _ = try world.waiting()
        for _ in 0..<20 { world.attach("a", .client) }
        #expect(world.open.count { if case .makePage = $0 { true } else { false } } == 15)
    }

    @Test("who waits for a code gets a page beside it when somebody asks for one, and so do all")
    func besideACode() throws {
        let code = try world.waiting(by: .device)
        #expect(world.progress[code]?.first?.page == nil)
        let page = world.ask()
        try world.makePage(SignInWorld.page())
        try world.storePage()
        #expect(world.progress[code]?.last?.page == Secret("https://as.example/?state=s") && world.progress[page]?.last == world.progress[code]?.last)
    }

    @Test("a page that the provider forgets is made again, and only then")
    func forgotten() throws {
        world.ask()
        try world.wait(.page(SignInWorld.page(expiresAt: now.adding(seconds: 60))))
        world.ask()
        #expect(throws: SignInWorld.Missing.self) { try world.makePage(SignInWorld.page(key: [2])) }
        world.time = now.adding(seconds: 60)
        world.ask()
        try world.extend()
        try world.makePage(SignInWorld.page(key: [2]))
        #expect(world.open.contains { if case .write(_, .page) = $0 { true } else { false } })
    }

    @Test("after a restart the page is made again for the caller, and opened unless the daemon had opened it", arguments: [true, false])
    func restored(byClient: Bool) throws {
        let session = SignInSession(
            id: "a", request: SignInWorld.request(), binding: SignInWorld.binding, requester: "tool", isShownByClient: byClient, startedAt: now,
            redirectURI: "http://127.0.0.1:7678\(SignInWorld.path)", pageID: "page-a")
        let stored = StoredSignIn(
            session: session, stateHashes: [[1]], expiresAt: now.adding(seconds: 600), status: .pending(FlowSecrets(codeVerifier: Secret("v")), nil))
        world.perform(world.signIns.restored([stored], now: now))
        world.ask(shownBy: .daemon, listens: false)
        try world.makePage(SignInWorld.page(key: [2]))
        try world.storePage()
        #expect(opens == (byClient ? 1 : 0))
        guard case .taken = try world.callback() else {
            Issue.record("the page from before is good")
            return
        }
    }

    @Test("a page that cannot be made fails who has none; another provider ends the sign-in")
    func notMade() throws {
        world.perform(
            world.signIns.restored(
                [StoredSignIn(session: SignInWorld.session("a"), stateHashes: [], expiresAt: now.adding(seconds: 600), status: .pending(FlowSecrets(codeVerifier: Secret("v")), SignInWorld.device))],
                now: now))
        let code = world.ask(by: .device)
        let page = world.ask(shownBy: .daemon)
        let away = ProviderFailure.unreachable(message: "away")
        func fail(_ failure: ProviderFailure) throws {
            let renewal = try world.take { if case .makePage(let renewal) = $0 { renewal } else { nil } }
            world.perform(world.signIns.change(renewal.ticket) { $0.pageNotMade(renewal, failure, now: now) })
        }
        try fail(away)
        #expect(world.lastWords == [page: [.failed(.provider(away))]] && world.present == [code])
        world.ask(shownBy: .daemon)
        let other = ProviderFailure.providerNotConfigured(message: "another one")
        try fail(other)
        try world.storeEnd()
        #expect(world.lastWords[code] == [.failed(.provider(other))])
    }

    @Test("a page that is made after the end of the sign-in is dropped")
    func madeLate() throws {
        _ = try world.waiting()
        world.attach("a", .client)
        world.attach("a", .client)
        try world.makePage(SignInWorld.page(key: [2]))
        world.cancel()
        try world.makePage(SignInWorld.page(key: [3]))
        try world.storePage()
        #expect(try world.callback(key: [2]) == .notRecognised)
        #expect(try world.callback(key: [3]) == .notRecognised)
    }

    // MARK: Callbacks

    @Test("a state is taken once; the same callback again shows the result, another one does not")
    func onceOnly() throws {
        _ = try world.waiting()
        guard case .taken(let session, _) = try world.callback() else {
            Issue.record("the first callback must be taken")
            return
        }
        for step in 0..<4 {
            #expect(try world.callback() == .repeated(session), "step \(step)")
            #expect(try world.callback(digest: [8]) == .notRecognised, "step \(step)")
            switch step {
            case 0: try world.mark()
            case 1: try world.exchange()
            case 2: try world.keep()
            default: break
            }
        }
    }

    @Test("a cancelled sign-in is not revived by its callback")
    func cancelled() throws {
        _ = try world.waiting()
        world.cancel()
        #expect(try world.callback() == .notRecognised)
        try world.storeEnd()
        #expect(try world.callback() == .notRecognised)
    }

    @Test("an unknown state, another path and a callback after its time change nothing")
    func notRecognised() throws {
        _ = try world.waiting()
        #expect(try world.callback(key: [2]) == .notRecognised)
        #expect(try world.callback(place: SignInWorld.path + "/work") == .notRecognised)
        #expect(try world.callback(place: "http://evil.example" + SignInWorld.path) == .notRecognised)
        world.time = now.adding(seconds: 600)
        #expect(try world.callback() == .notRecognised)
        #expect(world.phase() == .authorizationPending)
    }

    @Test("an answer that a page elsewhere hands on is taken at the listener, or where that page is", arguments: ["/__/auth/handler/work", "https://app.example.com/__/auth/other"])
    func relayed(place: String) {
        let session = SignInWorld.session("a", redirectURI: "https://app.example.com/__/auth/other", relayedTo: "http://127.0.0.1:7678/__/auth/handler/work")
        for wrong in [
            SignInWorld.path, "/__/auth/other", "https://app.example.com/__/auth/other/", "https://app.example.com/__/auth/handler/work",
            "https://APP.example.com/__/auth/other",
        ] { #expect(!session.awaits(answerAt: wrong)) }
        #expect(session.awaits(answerAt: place))
    }

    @Test("an answer by an application's scheme is taken at exactly that URI, and never at the listener")
    func privateScheme() {
        let session = SignInWorld.session("a", redirectURI: "com.example.app:/__/auth/OK")
        for wrong in [
            SignInWorld.path, "com.example.app:/__/auth/OK/", "com.example.app://__/auth/OK", "com.example.other:/__/auth/OK",
            // The sign of the kelvin, which Unicode calls equivalent to the letter.
            "com.example.app:/__/auth/O\u{212A}",
        ] { #expect(!session.awaits(answerAt: wrong)) }
        #expect(session.awaits(answerAt: session.redirectURI))
        #expect(!SignInWorld.session("b").awaits(answerAt: session.redirectURI), "nor is one that waits at the listener")
    }
}

@Suite("Sign-ins: request tokens")
struct SignInRequestTokenTests {
    private let world = SignInWorld()
    private let token = OAuth1Token(token: Secret("token"), secret: Secret("secret"))
    private let second = OAuth1Token(token: Secret("second"), secret: Secret("s"))

    private func wait(key: [UInt8] = [7]) throws {
        world.ask()
        try world.wait(.page(SignInWorld.page("https://as.example/?oauth_token=token", key: key, requestToken: token)))
    }

    @Test("the tokens are on disk with the sign-in, and go to the exchange")
    func kept() throws {
        world.ask()
        try world.prepare(.page(SignInWorld.page(key: [7], requestToken: token)))
        let stored = try #require(world.open.compactMap { if case .write(_, .begin(let stored)) = $0 { stored } else { nil } }.first)
        #expect(stored.stateHashes == [[7]] && stored.status == .pending(FlowSecrets(codeVerifier: Secret("v"), nonce: Secret("n"), requestTokens: [token]), nil))
        try world.store()
        try world.callback(key: [7], query: "oauth_token=token&oauth_verifier=v")
        try world.mark()
        #expect(world.open.contains { if case .exchange(_, _, let secrets) = $0 { secrets.requestTokens == [token] } else { false } })
    }

    @Test("with a state, the token beside it must be this sign-in's own", arguments: ["code=c", "oauth_token=other", "oauth_token="])
    func stateAlone(query: String) throws {
        try wait()
        #expect(try world.callback(key: [7], query: query) == .notRecognised)
        guard case .taken = try world.callback(key: [7], query: "oauth_token=token&oauth_verifier=v") else {
            Issue.record("the right callback must still be taken")
            return
        }
    }

    @Test("a further page has its own token, and the first to come back uses up both")
    func several() throws {
        try wait()
        world.attach("a", .client)
        try world.makePage(SignInWorld.page(key: [8], requestToken: second))
        let written = world.open.compactMap { if case .write(_, .page(_, _, let secrets, _)) = $0 { secrets.requestTokens } else { nil } }
        #expect(written == [[token, second]])
        try world.storePage()
        guard case .taken = try world.callback(key: [7], query: "oauth_token=token&oauth_verifier=v") else {
            Issue.record("the first token must be taken")
            return
        }
        #expect(try world.callback(key: [8], digest: [7], query: "oauth_token=second&oauth_verifier=v") == .notRecognised)
    }

    @Test("a token that another sign-in waits for is not taken from it, neither at the beginning nor for a further page")
    func stolen() throws {
        try wait()
        let thief = world.ask("b", app: "b")
        try world.prepare(.page(SignInWorld.page(key: [7], requestToken: token)))
        #expect(world.lastWords[thief] == [.failed(.provider(SignIns.takenKey))])
        world.ask("c", app: "c")
        try world.wait(.page(SignInWorld.page(key: [2])))
        world.attach("c", .client)
        try world.makePage(SignInWorld.page(key: [7], requestToken: token))
        guard case .taken(let session, _) = try world.callback(key: [7], query: "oauth_token=token&oauth_verifier=v") else {
            Issue.record("the callback must be taken")
            return
        }
        #expect(session.id == "a")
    }

    @Test("after a restart the page is made of the token that was kept, and nothing new is written")
    func restored() throws {
        let secrets = FlowSecrets(codeVerifier: Secret("v"), requestTokens: [token])
        world.perform(
            world.signIns.restored([StoredSignIn(session: SignInWorld.session("a"), stateHashes: [[7]], expiresAt: now.adding(seconds: 600), status: .pending(secrets, nil))], now: now))
        let waiter = world.ask()
        #expect(world.open.contains { if case .makePage(let renewal) = $0 { renewal.isOfKeptToken } else { false } })
        try world.makePage(SignInWorld.page(key: nil))
        #expect(world.progress[waiter]?.count == 1 && world.open.isEmpty)
        world.attach("a", .client)
        #expect(world.open.contains { if case .makePage(let renewal) = $0 { !renewal.isOfKeptToken } else { false } })
    }

    @Test("a token that comes when the sign-in is over is dropped")
    func late() throws {
        world.ask()
        world.cancel()
        try world.prepare(.page(SignInWorld.page(key: [7], requestToken: token)))
        #expect(world.open.isEmpty)
        #expect(try world.callback(key: [7], query: "oauth_token=token&oauth_verifier=v") == .notRecognised)
    }
}

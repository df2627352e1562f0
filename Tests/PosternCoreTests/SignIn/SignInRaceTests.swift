import Testing

@testable import PosternCore

@Suite("Sign-ins: who comes first")
struct SignInRaceTests {
    private let world = SignInWorld()

    @Test("from the question to the result, and every program is told once")
    func wholeWay() throws {
        let first = world.ask()
        let second = world.ask(listens: false)
        try world.wait()
        #expect(world.progress[first]?.map(\.phase) == [.authorizationPending] && world.progress[second] == nil)
        #expect(world.progress[first]?.first?.page == Secret("https://as.example/?state=s"))
        guard case .taken = try world.callback() else {
            Issue.record("the callback must be taken")
            return
        }
        #expect(world.exchanges == 0)
        try world.mark()
        #expect(world.progress[first]?.map(\.phase) == [.authorizationPending, .exchanging])
        try world.exchange()
        try world.keep()
        try world.deliver()
        for waiter in [first, second] { #expect(world.lastWords[waiter] == [.result(.completed(SignInWorld.completed))]) }
        let ticket = try #require(world.signIns.machines["a"]).ticket
        #expect(world.phase() == .completed && world.open == [.write(ticket, .delivered)])
    }

    @Test("cancelled while its beginning is being written: nobody hears of it, and what was written goes again")
    func cancelledWhileStored() throws {
        let waiter = world.ask()
        try world.prepare()
        world.cancel()
        #expect(world.lastWords[waiter] == [.failed(.cancelled)] && world.signIns.all.isEmpty)
        try world.store()
        #expect(world.deleted == ["a"])
        #expect(try world.callback() == .notRecognised)
    }

    @Test("cancelled while the states are being used up: the code is not sent")
    func cancelledBeforeTheCodeIsSent() throws {
        let waiter = try world.waiting()
        try world.callback()
        world.cancel()
        try world.mark()
        #expect(world.exchanges == 0 && world.lastWords[waiter] == nil)
        try world.storeEnd()
        #expect(world.lastWords[waiter] == [.failed(.cancelled)])
    }

    @Test("cancelled while the code is exchanged: what comes of it is discarded, and nothing is kept")
    func cancelledInTheExchange() throws {
        let waiter = try world.waiting()
        try world.callback()
        try world.mark()
        world.cancel()
        try world.exchange()
        try world.storeEnd()
        #expect(world.discarded == [SignInWorld.completed] && world.lastWords[waiter] == [.failed(.cancelled)])
        #expect(throws: SignInWorld.Missing.self) { try world.keep() }
    }

    @Test("what is being recorded cannot be cancelled, nor does time end it")
    func tooLateToCancel() throws {
        let waiter = try world.waiting()
        try world.redeem()
        #expect(world.cancel() == .isKept)
        world.time = now.adding(seconds: 601)
        world.perform(world.signIns.timePassed(now: world.time))
        #expect(world.lastWords[waiter] == [.failed(.timedOut)])  // this program's time alone
        try world.keep()
        #expect(world.phase() == .completed && world.cancel() == .ended)
        #expect(world.signIns.change(id: "b") { $0.cancelled(now: now) } == nil)
    }

    @Test("cancelled twice, it ends once")
    func cancelledTwice() throws {
        let waiter = try world.waiting()
        world.cancel()
        #expect(world.cancel() == .ended)
        try world.storeEnd()
        #expect(world.lastWords[waiter]?.count == 1 && world.count { if case .write(_, .end) = $0 { true } else { false } } == 1)
    }

    @Test("a provider that leaves the configuration ends what waits for it; a callback that came before goes on, and looks by itself")
    func reload() throws {
        let gone = ProviderFailure.providerNotConfigured(message: "gone")
        let waiting = try world.waiting("a")
        world.ask("b", app: "b")
        try world.wait(.page(SignInWorld.page(key: [2])))
        world.ask("c", app: "c")
        try world.callback(key: [2])
        world.perform(world.signIns.providersChanged(now: now) { _ in gone })
        try world.storeEnd()
        #expect(world.lastWords[waiting] == [.failed(.provider(gone))])
        #expect(world.phase("b") == .exchanging && world.phase("c") == .authorizationPending)
        #expect(try world.callback() == .notRecognised)
        try world.mark()
        try world.exchange(failure: gone)
        #expect(world.phase("b") == .failed)
        // The one that was being prepared sees it when it is on disk.
        try world.prepare(.page(SignInWorld.page(key: [3])))
        try world.store(failure: gone)
        #expect(world.phase("c") == nil && world.deleted == ["c"])
    }

    @Test("a page of the provider that had the name before is joined by nobody")
    func otherBinding() throws {
        _ = try world.waiting()
        #expect(world.signIns.opening(for: SignInWorld.request(), by: .browser, now: now, isCurrent: { $0.clientID == "another" }) == .start)
    }

    @Test("who joins while it is prepared learns of the page with the others; who wanted a code gets one then")
    func latecomers() throws {
        let page = world.ask()
        let same = world.ask()
        let code = world.ask(by: .device)
        try world.wait()
        for waiter in [page, same, code] { #expect(world.progress[waiter]?.count == 1) }
        #expect(world.count { if case .getCode = $0 { true } else { false } } == 1)
        try world.giveCode()
        #expect(world.progress[code]?.count == 1)
        try world.storeCode()
        for waiter in [page, same, code] { #expect(world.progress[waiter]?.last?.userCode == "WDJB") }
    }

    @Test("who wanted a code and left before the sign-in was prepared gets none")
    func latecomerLeft() throws {
        world.ask()
        world.leave(world.ask(by: .device))
        try world.wait()
        #expect(world.count { if case .getCode = $0 { true } else { false } } == 0)
    }

    @Test("who joins with more patience while it is being recorded is waited for on disk, before anybody is told")
    func patienceWhileStored() throws {
        let hasty = world.ask(seconds: 60)
        try world.prepare()
        world.ask(seconds: 1200)
        try world.store()
        #expect(world.progress[hasty] == nil)
        #expect(world.open.contains { if case .write(_, .extend(let until, nil)) = $0 { until == now.adding(seconds: 1200) } else { false } })
        try world.store()
        #expect(world.progress[hasty]?.count == 1)
    }

    @Test("who joins with more patience is told when that is on disk, and fails alone where it cannot be")
    func patience() throws {
        let first = try world.waiting()
        let patient = world.ask(seconds: 1200)
        #expect(world.progress[patient] == nil && world.signIns["a"]?.expiresAt == now.adding(seconds: 1200))
        try world.extend()
        #expect(world.progress[patient]?.count == 1)
        let other = world.ask(seconds: 1800)
        let full = ProviderFailure.storeUnavailable(message: "no room")
        try world.extend(failure: full)
        #expect(world.lastWords[other] == [.failed(.provider(full))] && world.present.contains(first) && world.present.contains(patient))
    }

    @Test("only one of several simultaneous fetches gets the result")
    func twoAttachers() throws {
        let waiter = try world.waiting()
        world.leave(waiter)
        try world.redeem()
        try world.keep()
        let first = try #require(world.attach().waiter)
        #expect(world.attach().verdict == .delivered)
        try world.deliver()
        #expect(world.lastWords[first] == [.result(.completed(SignInWorld.completed))])
        #expect(world.attach().verdict == .delivered)
    }

    @Test("a result whose programs left while it was on its way can still be fetched")
    func leftInDelivery() throws {
        let waiter = try world.waiting()
        try world.redeem()
        try world.keep()
        world.leave(waiter)
        #expect(world.attach().verdict == .delivered)
        try world.deliver()
        #expect(!world.notes.contains(.delivered))
        let next = try #require(world.attach().waiter)
        try world.deliver()
        #expect(world.lastWords[next] == [.result(.completed(SignInWorld.completed))] && world.notes.contains(.delivered))
    }

    @Test("a caller that joins or attaches during the exchange gets the result with the others")
    func joinedInTheExchange() throws {
        let first = try world.waiting()
        try world.callback()
        let joined = world.ask()
        try world.mark()
        let attached = try #require(world.attach().waiter)
        #expect(world.progress[joined]?.map(\.phase) == [.exchanging, .exchanging] && world.progress[attached]?.map(\.phase) == [.exchanging])
        try world.exchange()
        try world.keep()
        try world.deliver()
        for waiter in [first, joined, attached] { #expect(world.lastWords[waiter]?.count == 1) }
    }

    @Test("a refusal with a credential is a result; it is failed, and fetched once")
    func refused() throws {
        let waiter = try world.waiting()
        try world.redeem()
        let outcome = SignInOutcome.refused(.userMismatch, SignInWorld.completed)
        try world.keep(outcome)
        try world.deliver()
        #expect(world.phase() == .failed && world.lastWords[waiter] == [.result(outcome)] && world.attach().verdict == .delivered)
    }

    @Test("what cannot be kept fails, and the grant is discarded")
    func notKept() throws {
        let waiter = try world.waiting()
        try world.redeem()
        let failure = ProviderFailure.storeUnavailable(message: "full")
        try world.keep(failure: .provider(failure))
        try world.storeEnd()
        #expect(world.lastWords[waiter] == [.failed(.provider(failure))] && world.discarded.count == 1)
    }

    @Test("a beginning of the exchange that cannot be written sends no code")
    func notMarked() throws {
        let waiter = try world.waiting()
        try world.callback()
        let failure = ProviderFailure.storeUnavailable(message: "full")
        try world.mark(failure: failure)
        try world.storeEnd()
        #expect(world.exchanges == 0 && world.lastWords[waiter] == [.failed(.provider(failure))])
    }

    @Test("a user who is deleted takes the results along that nobody has fetched")
    func userDeleted() throws {
        world.leave(try world.waiting())
        try world.redeem()
        try world.keep()
        let other = User(uid: "u", identities: [Identity(providerID: "work", subject: "2")], createdAt: now, lastSignInAt: now)
        world.perform(world.signIns.userDeleted(other))
        #expect(world.phase() == .completed)
        var user = other
        user.identities = [SignInWorld.completed.profile.identity]
        world.perform(world.signIns.userDeleted(user))
        #expect(world.deleted == ["a"] && world.attach().verdict == .unknown)
    }
}

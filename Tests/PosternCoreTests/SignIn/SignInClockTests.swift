import Testing

@testable import PosternCore

@Suite("Sign-ins: the wall clock is set")
struct SignInClockTests {
    private let world = SignInWorld()

    /// Somebody sets the clock, and something happens.
    private func setClock(by seconds: Int64) {
        world.time = world.time.adding(seconds: seconds)
        world.perform(world.signIns.clockSet(by: seconds * 1000))
        world.perform(world.signIns.timePassed(now: world.time))
    }

    private func pass(_ seconds: Int64) {
        world.time = world.time.adding(seconds: seconds)
        world.perform(world.signIns.timePassed(now: world.time))
    }

    static let steps: [Int64] = [36_000, -36_000]

    @Test("a page is good for as long as it was, and its end is told in the new time", arguments: steps)
    func page(step: Int64) throws {
        let first = try world.waiting()
        pass(200)
        setClock(by: step)
        #expect(world.phase() == .authorizationPending && world.lastWords[first] == nil)
        #expect(world.signIns["a"]?.expiresAt == world.time.adding(seconds: 400) && world.signIns.nextDeadline == world.time.adding(seconds: 400))
        let second = world.attach().waiter
        #expect(second.flatMap { world.progress[$0]?.last?.expiresAt } == world.time.adding(seconds: 400))
        pass(399)
        #expect(world.phase() == .authorizationPending)
        pass(1)
        try world.storeEnd()
        #expect(world.phase() == .failed && world.lastWords[first] == [.failed(.timedOut)])
        // Its end is known for ten minutes.
        setClock(by: step)
        pass(599)
        #expect(world.phase() == .failed)
        pass(1)
        #expect(world.phase() == nil)
    }

    @Test("a caller with a shorter timeout gives up in time", arguments: steps)
    func patience(step: Int64) throws {
        let patient = try world.waiting()
        let impatient = world.ask(seconds: 60)
        setClock(by: step)
        pass(59)
        #expect(world.lastWords[impatient] == nil)
        pass(1)
        #expect(world.lastWords[impatient] == [.failed(.timedOut)] && world.lastWords[patient] == nil)
    }

    @Test("a joined caller may wait at most an hour from the beginning of the sign-in", arguments: steps)
    func longestLife(step: Int64) throws {
        _ = try world.waiting()
        pass(500)
        setClock(by: step)
        world.ask(seconds: 3600)
        #expect(world.signIns["a"]?.expiresAt == world.time.adding(seconds: 3100))
    }

    @Test("a page that the provider forgets is used until then", arguments: steps)
    func providersPage(step: Int64) throws {
        world.ask()
        try world.wait(.page(SignInWorld.page(expiresAt: world.time.adding(seconds: 60))))
        setClock(by: step)
        pass(59)
        world.attach()
        #expect(world.count { if case .makePage = $0 { true } else { false } } == 0)
        pass(1)
        world.attach()
        #expect(world.count { if case .makePage = $0 { true } else { false } } == 1)
    }

    @Test("a code is asked about in its pace, and until its end", arguments: steps)
    func code(step: Int64) throws {
        let waiter = world.ask(by: .device, seconds: 3600)
        try world.wait(.code(SignInWorld.device))
        try world.poll()
        try world.answerPoll(.pending)
        setClock(by: step)
        #expect(world.polls == 1)
        pass(4)
        #expect(world.polls == 1)
        pass(1)
        #expect(world.polls == 2)
        setClock(by: step)
        try world.answerPoll(.pending)
        #expect(world.phase() == .authorizationPending)
        pass(889)
        #expect(world.polls == 3)
        try world.answerPoll(.pending)
        pass(5)
        try world.answerPoll(.pending)
        try world.storeEnd()
        #expect(world.lastWords[waiter] == [.failed(.timedOut)])
    }

    @Test("what is on disk lasts as long as what is known here, where the clock was set forward")
    func onDisk() throws {
        _ = try world.waiting(by: .device)
        setClock(by: 36_000)
        let end = world.time.adding(seconds: 600)
        #expect(world.open.contains { if case .write(_, .prolong(end)) = $0 { true } else { false } })
        let code = world.open.compactMap { if case .write(_, .code(let device?, _)) = $0 { device.expiresAt } else { nil } }
        #expect(code == [world.time.adding(seconds: 900)])
    }

    @Test("after a restart nothing waits longer than an hour, however far the clock was set back")
    func restored() throws {
        let stored = StoredSignIn(
            session: SignInWorld.session("a", at: now.adding(seconds: 36_000)), stateHashes: [[1]], expiresAt: now.adding(seconds: 36_600),
            status: .pending(FlowSecrets(codeVerifier: Secret("v")), nil))
        world.perform(world.signIns.restored([stored], now: now))
        #expect(world.signIns["a"]?.expiresAt == now.adding(seconds: 3600))
    }
}

@Suite("Whether the wall clock was set")
struct ClockWatchTests {
    @Test("only steps count, each once, and clocks that are slow or fast do not")
    func steps() {
        var watch = ClockWatch(now: now, uptime: 5000)
        var time = now
        func passes(_ milliseconds: Int64, uptime: Int64) -> Int64 {
            time = time.adding(milliseconds: milliseconds)
            return watch.looked(now: time, uptime: uptime)
        }
        #expect(passes(999, uptime: 5000) == 0)
        // A night's sleep of the machine, which the uptime counts.
        #expect(passes(28_800_001, uptime: 33_801) == 0)
        #expect(passes(3_601_000, uptime: 33_802) == 3_600_000)
        #expect(passes(1000, uptime: 33_803) == 0)
        #expect(passes(-7_199_000, uptime: 33_804) == -7_200_000)
        #expect(passes(0, uptime: 33_804) == 0)
        #expect(passes(1900, uptime: 33_804) == 0)
    }

    @Test("whatever the clocks say, nothing overflows")
    func extremes() {
        for milliseconds in [Int64.min, 0, .max] {
            for uptime in [Int64.min, 0, .max] {
                var watch = ClockWatch(now: Timestamp(milliseconds: milliseconds), uptime: uptime)
                for other in [Int64.min, 0, .max] { _ = watch.looked(now: Timestamp(milliseconds: other), uptime: .max) }
            }
        }
    }
}

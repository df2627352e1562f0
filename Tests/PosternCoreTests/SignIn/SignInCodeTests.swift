import Testing

@testable import PosternCore

@Suite("Sign-ins: codes for another device")
struct SignInCodeTests {
    private let world = SignInWorld()

    @Test("a grant takes the sign-in, once, and a callback comes too late for it")
    func granted() throws {
        world.ask()
        try world.wait()
        world.ask(by: .device)
        try world.giveCode()
        try world.storeCode()
        try world.poll()
        try world.answerPoll(.granted(SignInWorld.grant))
        #expect(world.phase() == .exchanging && world.signIns["a"]?.outcome == nil)
        // Who comes back with the page sees how it ended; the code of that page is not used.
        #expect(try world.callback() == .repeated(SignInWorld.session("a")))
        try world.mark()
        let answers = world.open.compactMap { if case .exchange(_, let answer, let secrets) = $0 { (answer, secrets.nonce) } else { nil } }
        #expect(answers.count == 1 && answers.first?.0 == .grant(SignInWorld.grant) && answers.first?.1 == nil)
    }

    @Test("a grant that comes after a callback, a cancellation or the end of its time is revoked", arguments: 0..<3)
    func late(way: Int) throws {
        _ = try world.waiting(by: .device)
        world.ask()
        try world.makePage(SignInWorld.page())
        try world.storePage()
        try world.poll()
        switch way {
        case 0: try world.callback()
        case 1: world.cancel()
        default:
            world.time = now.adding(seconds: 600)
            world.perform(world.signIns.timePassed(now: world.time))
            try world.storeEnd()
        }
        try world.answerPoll(.granted(SignInWorld.grant))
        #expect(world.takenBack == [SignInWorld.grant])
        if way == 0 { #expect(world.phase() == .exchanging && world.exchanges == 0) }
    }

    @Test("a grant whose sign-in is cancelled, or whose beginning cannot be written, is revoked, once", arguments: [true, false])
    func takenBack(cancelled: Bool) throws {
        _ = try world.waiting(by: .device)
        try world.poll()
        try world.answerPoll(.granted(SignInWorld.grant))
        if cancelled { world.cancel() }
        try world.mark(failure: cancelled ? nil : .storeUnavailable(message: "full"))
        try world.storeEnd()
        #expect(world.takenBack == [SignInWorld.grant] && world.exchanges == 0 && world.phase() == .failed)
    }

    @Test("a grant that comes when the sign-in is forgotten is revoked anyway")
    func forgotten() throws {
        _ = try world.waiting(by: .device)
        try world.poll()
        world.cancel()
        try world.storeEnd()
        world.perform(world.signIns.timePassed(now: now.adding(seconds: 2000)))
        #expect(world.signIns.all.isEmpty)
        try world.answerPoll(.granted(SignInWorld.grant))
        #expect(world.takenBack == [SignInWorld.grant])
    }

    @Test("one question at a time, as long as the answers say, in the pace that they want")
    func pace() throws {
        _ = try world.waiting(by: .device)
        try world.poll()
        world.perform(world.signIns.timePassed(now: world.time.adding(seconds: 60)))
        #expect(world.polls == 1)
        try world.answerPoll(.slowDown(intervalSeconds: nil))
        #expect(world.signIns.nextDeadline == world.time.adding(seconds: 10))
        #expect(world.open.contains { if case .write(_, .code(let device, _)) = $0 { device?.intervalSeconds == 10 } else { false } })
        try world.poll()
        #expect(world.polls == 2)
    }

    @Test("one code for all who want one at the same time, and none is shown before it is on disk")
    func oneCode() throws {
        _ = try world.waiting()
        let waiters = (0..<3).map { _ in world.ask(by: .device) }
        try world.giveCode()
        #expect(throws: SignInWorld.Missing.self) { try world.giveCode() }
        for waiter in waiters { #expect(world.progress[waiter] == nil) }
        try world.storeCode()
        for waiter in waiters { #expect(world.progress[waiter]?.map(\.userCode) == ["WDJB"]) }
        let later = world.ask(by: .device)
        #expect(world.progress[later]?.map(\.userCode) == ["WDJB"])
    }

    @Test("a failed request for a code affects only its callers, and the next one may succeed")
    func noCode() throws {
        let page = try world.waiting()
        let wanted = world.ask(by: .device)
        let failure = ProviderFailure.unreachable(message: "away")
        let ticket = try world.take { if case .getCode(let ticket) = $0 { ticket } else { nil } }
        world.perform(world.signIns.change(ticket) { $0.codeNotGiven(failure) })
        #expect(world.lastWords == [wanted: [.failed(.provider(failure))]] && world.present == [page])
        world.ask(by: .device)
        try world.giveCode()
    }

    @Test("a code that is over leaves the page; where there is none, or the user declined, it is all over")
    func over() throws {
        let page = try world.waiting()
        world.ask(by: .device)
        try world.giveCode()
        try world.storeCode()
        try world.poll()
        try world.answerPoll(.expired)
        #expect(world.progress[page]?.last?.userCode == nil && world.phase() == .authorizationPending)
        world.ask(by: .device)
        var another = SignInWorld.device
        another.userCode = "SECOND"
        try world.giveCode(another)
        try world.storeCode()
        #expect(world.progress[page]?.last?.userCode == "SECOND")
        try world.poll()
        try world.answerPoll(.denied(error: "access_denied", description: nil))
        try world.storeEnd()
        #expect(world.lastWords[page] == [.failed(.provider(.denied(error: "access_denied", description: nil)))])

        let alone = SignInWorld()
        let waiter = try alone.waiting(by: .device)
        try alone.poll()
        try alone.answerPoll(.expired)
        try alone.storeEnd()
        #expect(alone.lastWords[waiter] == [.failed(.timedOut)])
    }

    @Test("a code that comes when the sign-in is over, or when it was answered, is dropped", arguments: [true, false])
    func codeLate(cancelled: Bool) throws {
        _ = try world.waiting()
        world.ask(by: .device)
        if cancelled { world.cancel() } else { try world.callback() }
        try world.giveCode()
        #expect(throws: SignInWorld.Missing.self) { try world.storeCode() }
    }

    @Test("without a page the code's end is the sign-in's, as it is told")
    func end() throws {
        let waiter = world.ask(by: .device, seconds: 1200)
        try world.wait(.code(SignInWorld.device))
        #expect(world.progress[waiter]?.first?.expiresAt == now.adding(seconds: 900) && world.signIns["a"]?.expiresAt == now.adding(seconds: 1200))
    }

    @Test("a question that could not be reached ends the code")
    func pollFailed() throws {
        let waiter = try world.waiting(by: .device)
        try world.poll()
        let request = try world.take { if case .poll(let request) = $0 { request } else { nil } }
        let failure = ProviderFailure.providerNotConfigured(message: "gone")
        world.perform(world.signIns.change(request.ticket) { $0.pollFailed(failure, now: world.time) })
        try world.storeEnd()
        #expect(world.lastWords[waiter] == [.failed(.provider(failure))])
    }
}

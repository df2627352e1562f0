import Testing

@testable import PosternCore

@Suite("Sign-ins: locks and ends")
struct SignInLockTests {
    private let world = SignInWorld()

    private func lock() { world.perform(world.signIns.lockBegan()) }
    private func close() { world.perform(world.signIns.storeClosed()) }

    /// The sign-in as it is on disk while it waits for its code.
    private let stored = StoredSignIn(
        session: SignInWorld.session("a"), stateHashes: [], expiresAt: now.adding(seconds: 600),
        status: .pending(FlowSecrets(codeVerifier: Secret("v")), SignInWorld.device))

    @Test("what waits for the user waits on disk, and its programs are told how to take it up")
    func waits() throws {
        let waiter = try world.waiting()
        let preparing = world.ask("b", app: "b")
        lock()
        #expect(world.lastWords[waiter] == [.locked(isOnDisk: true)] && world.lastWords[preparing] == [.locked(isOnDisk: false)])
        #expect(world.signIns.all.isEmpty && !world.signIns.hasAnswersOut)
        #expect(try world.callback() == .notRecognised)
    }

    @Test("a poll under way is waited for, and its grant is kept")
    func pollIsWorkUnderWay() throws {
        let waiter = try world.waiting(by: .device)
        try world.poll()
        lock()
        #expect(world.signIns.hasAnswersOut && world.lastWords[waiter] == nil)
        try world.answerPoll(.granted(SignInWorld.grant))
        try world.mark()
        try world.exchange()
        try world.keep()
        #expect(world.signIns.hasAnswersOut)
        try world.deliver()
        #expect(!world.signIns.hasAnswersOut)
        #expect(world.lastWords[waiter] == [.result(.completed(SignInWorld.completed))] && world.takenBack.isEmpty && world.discarded.isEmpty)
    }

    @Test("a poll under way that brings nothing is the last one, and the code waits with its sign-in", arguments: [DeviceAnswer.pending, .unavailable(retryAfterSeconds: nil)])
    func lastPoll(answer: DeviceAnswer) throws {
        let waiter = try world.waiting(by: .device)
        try world.poll()
        lock()
        try world.answerPoll(answer)
        #expect(world.lastWords[waiter] == [.locked(isOnDisk: true)] && world.signIns.all.isEmpty && world.signIns.nextDeadline == nil)
    }

    @Test("a slower pace that the last poll asked for is on disk")
    func slowerPace() throws {
        _ = try world.waiting(by: .device)
        try world.poll()
        lock()
        try world.answerPoll(.slowDown(intervalSeconds: 30))
        #expect(world.open.contains { if case .write(_, .code(let device, _)) = $0 { device?.intervalSeconds == 30 } else { false } })
    }

    @Test("a no that the last poll brings is an end; a code that is over is no end where a page waits too")
    func lastPollEnds() throws {
        let waiter = try world.waiting(by: .device)
        try world.poll()
        lock()
        try world.answerPoll(.denied(error: "access_denied", description: nil))
        #expect(world.signIns.hasAnswersOut)
        try world.storeEnd()
        #expect(world.lastWords[waiter] == [.failed(.provider(.denied(error: "access_denied", description: nil)))])

        let other = SignInWorld()
        let page = try other.waiting()
        other.ask(by: .device)
        try other.giveCode()
        try other.storeCode()
        try other.poll()
        other.perform(other.signIns.lockBegan())
        try other.answerPoll(.expired)
        #expect(other.lastWords[page] == [.locked(isOnDisk: true)])
        #expect(other.open.contains { if case .write(_, .code(nil, _)) = $0 { true } else { false } })
    }

    @Test("what is asked of a provider comes to its end, and a result is delivered, before the store is closed")
    func exchangeGoesOn() throws {
        let waiter = try world.waiting()
        try world.callback()
        lock()
        #expect(world.signIns.hasAnswersOut)
        try world.mark()
        try world.exchange()
        try world.keep()
        try world.deliver()
        #expect(world.lastWords[waiter] == [.result(.completed(SignInWorld.completed))] && !world.signIns.hasAnswersOut)
        close()
        #expect(world.signIns.all.isEmpty && world.lastWords[waiter]?.count == 1)
    }

    @Test("what took longer than the lock waits is only on disk, and its programs are told")
    func patienceIsOver() throws {
        let polled = try world.waiting(by: .device)
        try world.poll()
        world.ask("b", app: "b")
        try world.wait()
        try world.callback()
        try world.mark()
        lock()
        close()
        #expect(world.lastWords[polled] == [.locked(isOnDisk: true)] && world.signIns.all.isEmpty)
        // Whether these are revoked is judged when the store is open, by what is kept.
        try world.answerPoll(.granted(SignInWorld.grant))
        try world.exchange()
        #expect(world.takenBack == [SignInWorld.grant] && world.discarded == [SignInWorld.completed] && world.open.isEmpty)
    }

    @Test("a grant that is about to be used when the store is closed is lost, and that is reported")
    func grantLost() throws {
        _ = try world.waiting(by: .device)
        try world.poll()
        try world.answerPoll(.granted(SignInWorld.grant))
        lock()
        close()
        #expect(world.notes.last == .grantLost && world.takenBack.isEmpty)
        try world.mark()
        #expect(world.exchanges == 0)
    }

    @Test("what was asked in the life before a lock does nothing to the life after it")
    func generations() throws {
        _ = try world.waiting(by: .device)
        world.ask()  // a page beside the code
        try world.poll()
        lock()
        close()
        world.perform(world.signIns.restored([stored], now: world.time))
        let back = try #require(world.attach().waiter)
        #expect(world.progress[back]?.map(\.userCode) == ["WDJB"])
        try world.makePage(SignInWorld.page())
        try world.answerPoll(.granted(SignInWorld.grant))
        #expect(world.takenBack.count == 1 && world.phase() == .authorizationPending && world.progress[back]?.count == 1)
        // Its own poll is good.
        try world.poll()
        try world.answerPoll(.granted(SignInWorld.grant))
        #expect(world.phase() == .exchanging)
    }

    @Test("what is written when the lock is over does not remove what came back with the store")
    func storedLate() throws {
        world.ask()
        try world.prepare()
        lock()
        close()
        world.perform(world.signIns.restored([stored], now: now))
        try world.store()
        #expect(world.deleted.isEmpty && world.phase() == .authorizationPending)
    }

    @Test("after a lock everything can begin again")
    func afterwards() throws {
        lock()
        close()
        _ = try world.waiting(by: .device)
        try world.poll()
        #expect(world.polls == 1)
    }

    @Test("an ending daemon asks nothing more, and waits for what it asked")
    func ending() throws {
        _ = try world.waiting(by: .device)
        try world.poll()
        world.signIns.endBegan()
        #expect(world.signIns.hasAnswersOut)
        try world.answerPoll(.pending)
        #expect(!world.signIns.hasAnswersOut && world.phase() == .authorizationPending)
        #expect(world.signIns.nextDeadline == now.adding(seconds: 600))
        world.time = now.adding(seconds: 60)
        world.perform(world.signIns.timePassed(now: world.time))
        #expect(world.polls == 1)
    }

    @Test("a daemon that comes back goes on asking for a code, and not for one that ran out")
    func restored() throws {
        world.perform(world.signIns.restored([stored], now: now))
        try world.poll()
        #expect(world.time == now.adding(seconds: 5) && world.polls == 1)

        let late = SignInWorld()
        late.perform(late.signIns.restored([stored], now: now.adding(seconds: 900)))
        try late.storeEnd()
        #expect(late.polls == 0 && late.signIns["a"]?.outcome == .failed(.timedOut))
    }

    @Test("an exchange that was under way failed; results come back, to be fetched or not")
    func restoredEnds() throws {
        func stored(_ id: String, _ status: StoredSignIn.Status) -> StoredSignIn {
            StoredSignIn(session: SignInWorld.session(id), stateHashes: [Array(id.utf8)], expiresAt: now.adding(seconds: 600), status: status)
        }
        world.perform(
            world.signIns.restored(
                [
                    stored("a", .exchanging), stored("b", .ended(.completed(SignInWorld.completed), isDelivered: false)),
                    stored("c", .ended(.completed(SignInWorld.completed.withoutTokens), isDelivered: true)), stored("d", .ended(.failed(.cancelled), isDelivered: false)),
                ], now: now))
        try world.storeEnd()
        guard case .failed(.provider(let failure))? = world.signIns["a"]?.outcome, failure.reason == .exchangeFailed else {
            Issue.record("no code is sent twice")
            return
        }
        #expect(world.attach("b").waiter != nil && world.attach("c").verdict == .delivered)
        #expect(world.attach("d").verdict == .failed(SignInWorld.session("d"), .cancelled))
        // The pages of results can be loaded again; a sign-in that failed took no callback.
        #expect(try world.callback(key: Array("b".utf8)) == .repeated(SignInWorld.session("b")))
        #expect(try world.callback(key: Array("d".utf8)) == .notRecognised)
    }
}

extension CompletedSignIn {
    fileprivate var withoutTokens: CompletedSignIn {
        guard case .completed(let bare) = SignInOutcome.completed(self).withoutSecrets else { return self }
        return bare
    }
}

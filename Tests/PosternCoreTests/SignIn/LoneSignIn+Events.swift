@testable import PosternCore

extension LoneSignIn: Situation {
    var events: [Event] {
        var events: [Event] = []
        for due in dues { events += due.answers.map { .answered(due, $0) } }
        if machine.isJoinable(by: flow), machine.isLive, expiresLater, !isLocking, absent.contains(WaiterID(2)) { events.append(.joined(WaiterID(2))) }
        events += absent.filter { $0.rawValue > 2 }.map { .attached($0) }
        events += waiting.map { .left($0) }
        if !machine.stateHashes.isEmpty { events += [.callback(digest: 8), .callback(digest: 9)] }
        events.append(.cancelled)
        if case .pending = machine.state { events.append(.providerChanged) }
        if case .ended(let ended) = machine.state, ended.outcome.hasCredential { events.append(.userDeleted) }
        if let deadline = machine.nextDeadline(polls: !isLocking) { events.append(deadline > time ? .clock : .timePassed) }
        if isLoose, !isClockSet { events += [.clockSet(seconds: 3600), .clockSet(seconds: -3600)] }
        if !isLocking || isLoose { events.append(.lockBegan) }
        if isLocking || isLoose { events.append(.storeClosed) }
        if furtherLives > 0, disk != .nothing, !isLoose {
            events.append(.restart(isLate: false))
            if open.contains(where: \.isWrite) { events.append(.restart(isLate: true)) }
        }
        return events
    }

    private var expiresLater: Bool { machine.expiresAt > time }

    private mutating func come(_ id: WaiterID) {
        absent.remove(id)
        waiting.insert(id)
    }

    /// What can be answered: of two equal ones it does not matter which.
    private var dues: [Due] {
        guard isLoose else { return open.indices.filter { open.firstIndex(of: open[$0]) == $0 }.map { open[$0] } }
        var dues: [Due] = [
            .prepared(flow), .stored(until: machine.expiresAt), .codeGiven, .codeStored, .polled, .marked, .exchanged(isGrant: false), .kept,
            .endStored, .delivered(machine.waiters.map(\.id)), .pageTurn, .pageOpened,
        ]
        for id in [WaiterID(1), WaiterID(3)] {
            dues += [.extended(id, until: machine.expiresAt), .pageStored(id)]
            if machine.stateHashes.count < 3 { dues.append(.pageMade(id)) }
        }
        return dues
    }

    mutating func happen(_ event: Event) -> String? {
        broken = nil
        isAsking = false
        let before = machine
        switch event {
        case .answered(let due, let answer): self.answer(due, answer)
        case .joined(let id):
            come(id)
            perform(machine.joined(Self.program(id, flow), now: time))
        case .attached(let id):
            come(id)
            if case .waits(let actions) = machine.attached(Self.program(id, flow), now: time) { perform(actions) } else { say(to: id) }
        case .left(let id):
            waiting.remove(id)
            perform(machine.waiterLeft(id))
        case .callback(let digest):
            let callback = SignInCallback(place: SignInWorld.path, parameters: Self.parameters, key: [0], digest: [digest])
            guard case .taken(_, let actions) = machine.callbackArrived(callback, now: time) else { break }
            check(time >= before.expiresAt, "an answer is taken after the end of its time")
            perform(actions)
        case .cancelled: if case .ends(let actions) = machine.cancelled(now: time) { perform(actions) }
        case .providerChanged: perform(machine.fail(.provider(Self.gone), now: time))
        case .userDeleted:
            guard case .ended(let ended) = machine.state, ended.step == .waiting || ended.step == .settled else { break }
            perform(machine.forget())
        case .clock: time = machine.nextDeadline(polls: !isLocking) ?? time
        case .timePassed:
            perform(machine.timePassed(now: time, polls: !isLocking))
            check(machine.nextDeadline(polls: !isLocking).map { $0 <= time } ?? false, "a deadline that time does not end")
        case .clockSet(let seconds):
            isClockSet = true
            time = time.adding(seconds: seconds)
            polledAt = polledAt?.adding(seconds: seconds)
            perform(machine.clockSet(by: seconds * 1000))
        case .lockBegan:
            isLocking = true
            perform(machine.lockBegan())
        case .storeClosed:
            isLocking = false
            perform(machine.letGo())
        case .restart(let isLate):
            if isLate { for due in open { _ = write(due) } }
            restart()
            return broken
        }
        checkCourse(since: before)
        if isLoose { open = [] } else { checkDues() }
        return broken
    }

    func identify(into hasher: inout Hasher) {
        machine.identify(into: &hasher)
        hasher.combine(time)
        // Answers come in any order.
        hasher.combine(open.reduce(0) { $0 &+ $1.hashValue })
        hasher.combine(disk)
        hasher.combine(isLocking)
        hasher.combine(furtherLives)
        hasher.combine(absent)
        hasher.combine(waiting)
        hasher.combine(exchanges)
        hasher.combine(grants)
        if case .pending = machine.state { hasher.combine(polledAt) }
        hasher.combine(isClockSet)
    }

    private static let parameters: CallbackParameters = {
        do { return try CallbackParameters(parsing: "code=c".utf8) } catch { preconditionFailure("\(error)") }
    }()
}

// MARK: Answers

extension LoneSignIn.Due {
    var answers: [LoneSignIn.Answer] {
        switch self {
        case .endStored, .pageTurn: [.good]
        case .prepared, .stored, .extended, .pageStored, .codeGiven, .codeStored, .marked, .exchanged, .delivered, .pageOpened: [.good, .bad]
        case .pageMade: [.good, .bad, .providerGone]
        case .polled: [.good, .bad, .providerGone, .pending, .slower, .over, .denied]
        case .kept: [.good, .bad, .refused]
        }
    }

    var isWrite: Bool {
        switch self {
        case .stored, .extended, .pageStored, .codeStored, .marked, .kept, .endStored: true
        case .prepared, .pageMade, .codeGiven, .polled, .exchanged, .delivered, .pageTurn, .pageOpened: false
        }
    }
}

extension LoneSignIn {
    /// Something ends, well or badly.
    private mutating func answer(_ due: Due, _ answer: Answer) {
        if let index = open.firstIndex(of: due) { open.remove(at: index) }
        var isGood = answer != .bad
        if due.isWrite, isGood, !isLoose { isGood = write(due, answer) }
        let failure = isGood ? nil : Self.failure
        switch due {
        case .prepared(let flow):
            let way = flow == .browser ? PreparedWay.page(SignInWorld.page(key: [0])) : .code(Self.device)
            perform(failure.map { machine.fail(.provider($0), now: time) } ?? machine.prepared(way, binding: SignInWorld.binding))
        case .stored: perform(machine.stored(failure: failure, now: time))
        case .extended(let id, _): perform(machine.extended(for: id, failure: failure.map { _ in Self.full }, now: time))
        case .pageMade(let id):
            let reason = answer == .providerGone ? Self.gone : failure
            perform(reason.map { machine.pageNotMade(renewal(id), $0, now: time) } ?? machine.pageMade(page, for: renewal(id)))
        case .pageStored(let id):
            perform(failure.map { machine.pageNotMade(renewal(id), $0, now: time) } ?? machine.pageStored(page, for: renewal(id)))
        case .codeGiven: perform(failure.map { machine.codeNotGiven($0) } ?? machine.codeGiven(Self.device))
        case .codeStored: perform(failure.map { machine.codeNotGiven($0) } ?? machine.codeStored(Self.device, now: time))
        case .polled: polled(answer)
        case .marked: perform(machine.exchangingMarked(failure: failure, now: time))
        case .exchanged(let isGrant):
            // A grant that is refused there is given back there.
            if isGrant != isGood { grants += isGood ? 1 : -1 }
            perform(failure.map { machine.exchangeFailed($0, now: time) } ?? machine.exchanged(SignInWorld.completed, now: time))
        case .kept:
            let completed = SignInWorld.completed
            if let failure { return perform(machine.notKept(completed, .provider(failure), now: time)) }
            grants -= 1
            perform(machine.kept(answer == .refused ? .refused(.userMismatch, completed) : .completed(completed), now: time))
        case .endStored: perform(machine.endStored())
        case .delivered(let ids):
            // Nothing was delivered that was not to be.
            guard !isLoose || machine.isDelivering else { return perform(machine.delivered(isReceived: isGood)) }
            let reached = waiting.intersection(ids)
            for id in reached { say(to: id) }
            perform(machine.delivered(isReceived: isGood && !reached.isEmpty))
        case .pageTurn: if machine.pageTurnCame() != nil { open.append(.pageOpened) }
        case .pageOpened: perform(machine.pageOpened(problem: failure.map { "\($0)" }))
        }
    }

    private mutating func polled(_ answer: Answer) {
        func polled(_ answer: DeviceAnswer) { perform(machine.pollAnswered(answer, now: time)) }
        switch answer {
        case .good, .refused:
            grants += 1
            polled(.granted(SignInWorld.grant))
        case .bad: polled(.failed(Self.failure))
        case .providerGone: perform(machine.pollFailed(Self.gone, now: time))
        case .pending: polled(.pending)
        case .slower: polled(.slowDown(intervalSeconds: nil))
        case .over: polled(.expired)
        case .denied:
            polled(.denied(error: "access_denied", description: nil))
            if case .pending = machine.state { check(!isLoose, "it waits for a user who declined") }
        }
    }

    private var page: MadePage { SignInWorld.page(key: [UInt8(machine.stateHashes.count)]) }

    private func renewal(_ id: WaiterID) -> PageRenewal {
        PageRenewal(ticket: machine.ticket, secrets: Self.secrets, waiter: id, isOfKeptToken: false)
    }
}

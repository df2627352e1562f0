@testable import PosternCore

/// What must hold after every event.
extension LoneSignIn {
    /// From one moment to the next, whatever was answered.
    mutating func checkCourse(since before: SignInMachine) {
        check(!before.isLive && isAsking, "something is begun after the end")
        switch (before.state, machine.state) {
        case (.over, .over): check(!machine.waiters.isEmpty, "a program waits for what is over")
        case (.over, _): check(true, "it begins again")
        case (.ended(let old), .ended(let new)):
            check(old.outcome != new.outcome && old.outcome.withoutSecrets != new.outcome, "it ends in another way")
            check(old.step.rank > new.step.rank && new.step != .waiting, "its end goes back")
        case (.ended, .over): break
        case (.ended, _): check(true, "it goes on after its end")
        default: check(before.rank > machine.rank, "it goes back")
        }
        if machine.isLive {
            check(machine.expiresAt > machine.latestEnd, "it waits beyond the longest life")
        } else if before.isLive {
            check(machine.expiresAt > max(before.expiresAt, time.adding(seconds: SignIns.retentionSeconds)), "it is remembered too long")
        }
    }

    /// Everything that it waits for is on its way, so that it does not wait for ever; and no grant is lost.
    mutating func checkDues() {
        var grantsUnderWay = open.count { $0 == .kept || $0 == .exchanged(isGrant: true) }
        switch machine.state {
        case .preparing(let preparing):
            if case .asking = preparing.step {
                check(!open.contains(.prepared(preparing.flow)), "the provider is not asked")
            } else {
                check(!open.contains { if case .stored = $0 { true } else { false } }, "it is not written")
            }
        case .pending(let pending):
            check(pending.renewals != open.count(where: \.isPage), "a page is not made")
            switch pending.code {
            case .none: break
            case .asked: check(!open.contains { $0 == .codeGiven || $0 == .codeStored }, "no code is made")
            case .given(_, _, .inFlight): check(!open.contains(.polled), "no poll is under way")
            case .given(_, _, .due): check(open.contains(.polled), "a poll is under way")
            }
        case .exchanging(let exchanging):
            if case .marking(let answer, _) = exchanging.step {
                check(!open.contains(.marked), "the exchange is not written")
                if answer.isGrant { grantsUnderWay += 1 }
            } else {
                check(!open.contains(.exchanged(isGrant: exchanging.digest == nil)), "no exchange is under way")
            }
        case .keeping: check(!open.contains(.kept), "the result is not written")
        case .ended(let ended):
            switch ended.step {
            case .recording: check(!open.contains(.endStored), "the end is not written")
            case .delivering: check(!open.contains { if case .delivered = $0 { true } else { false } }, "nothing is delivered")
            case .waiting: check(!waiting.isEmpty, "a program waits for a result that is there")
            case .settled: check(!waiting.isEmpty, "a program waits after the end")
            }
        case .over: check(!waiting.isEmpty, "a program waits for what is over")
        }
        check(!waiting.isSubset(of: machine.waiters.map(\.id)), "a program is forgotten")
        check(grants != grantsUnderWay, "a grant is lost, or given back twice")
        let isTimed = machine.isLive || machine.isUnfetched
        check(isTimed && open.isEmpty && machine.nextDeadline(polls: true) == nil, "nothing ends it")
    }
}

extension LoneSignIn.Due {
    fileprivate var isPage: Bool {
        switch self {
        case .pageMade, .pageStored: true
        default: false
        }
    }
}

extension SignInMachine {
    var isRecording: Bool { end == .recording }
    var isDelivering: Bool { end == .delivering }

    private var end: Ended.Step? { if case .ended(let ended) = state { ended.step } else { nil } }

    fileprivate var rank: Int {
        switch state {
        case .preparing: 0
        case .pending: 1
        case .exchanging(let exchanging): if case .marking = exchanging.step { 2 } else { 3 }
        case .keeping: 4
        case .ended: 5
        case .over: 6
        }
    }
}

extension SignInMachine.Ended.Step {
    fileprivate var rank: Int {
        switch self {
        case .recording: 0
        case .waiting: 1
        case .delivering: 2
        case .settled: 3
        }
    }
}

@testable import PosternCore

/// What distinguishes two situations of one sign-in. What is the same in all of them, as the session and its secrets, is left out.
extension SignInMachine {
    func identify(into hasher: inout Hasher) {
        hasher.combine(expiresAt)
        hasher.combine(latestEnd)
        hasher.combine(stateHashes.count)
        for waiter in waiters {
            hasher.combine(waiter.id)
            hasher.combine(waiter.deadline)
        }
        hasher.combine(askers.map(\.id))
        hasher.combine(wasTakenUp)
        hasher.combine(flows)
        switch state {
        case .preparing(let preparing):
            hasher.combine(0)
            hasher.combine(preparing.flow)
            guard case .storing(let way, let until) = preparing.step else { break }
            hasher.combine(way.flow)
            hasher.combine(until)
        case .pending(let pending):
            hasher.combine(1)
            pending.identify(into: &hasher)
        case .exchanging(let exchanging):
            hasher.combine(2)
            hasher.combine(exchanging.digest)
            guard case .marking(let answer, _) = exchanging.step else { break }
            hasher.combine(answer.isGrant)
        case .keeping(let digest):
            hasher.combine(3)
            hasher.combine(digest)
        case .ended(let ended):
            hasher.combine(4)
            hasher.combine(ended.digest)
            hasher.combine(ended.step)
            ended.outcome.identify(into: &hasher)
        case .over: hasher.combine(5)
        }
    }
}

extension SignInMachine.Pending {
    fileprivate func identify(into hasher: inout Hasher) {
        hasher.combine(renewals)
        hasher.combine(page == nil)
        hasher.combine(page?.url == nil)
        hasher.combine(page?.shownBy)
        hasher.combine(page?.problem)
        hasher.combine(page?.expiresAt)
        switch code {
        case .none: hasher.combine(0)
        case .asked(let askers): hasher.combine(askers)
        case .given(let device, let polling, let poll):
            hasher.combine(device.intervalSeconds)
            hasher.combine(device.expiresAt)
            hasher.combine("\(polling)")
            switch poll {
            case .due(let moment): hasher.combine(moment)
            case .inFlight(let isLast): hasher.combine(isLast)
            }
        }
    }
}

extension SignInOutcome {
    fileprivate func identify(into hasher: inout Hasher) {
        switch self {
        case .completed(let completed): hasher.combine(completed.grant.accessToken.isEmpty)
        case .kept: hasher.combine(3)
        case .refused(_, let completed):
            hasher.combine(2)
            hasher.combine(completed.grant.accessToken.isEmpty)
        case .failed(let failure): hasher.combine(failure)
        }
    }
}

extension ProviderAnswer {
    var isGrant: Bool { if case .grant = self { true } else { false } }
}

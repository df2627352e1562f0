@testable import PosternCore

extension LoneRenewal: Situation {
    var events: [Event] {
        var events: [Event] = [.timeToSave]
        if rest.pauses > 0 { events += [.passed(seconds: 11), .passed(seconds: 3600)] }
        if rest.readings > 0 { events.append(.configurationRead) }
        switch work {
        case .asking(_, let restriction):
            for answer in Answer.allCases where restriction != nil || answer != .restrictionRefused { events.append(.answered(answer)) }
        case .writing, .saving: events += isLocked ? [.stored(isFull: true)] : [.stored(isFull: false), .stored(isFull: true)]
        case nil: break
        }
        guard !isLocked else { return events + [.unlocked] }
        if rest.locks > 0 { events.append(.locked) }
        if isNews {
            events.append(.learned)
        } else {
            if rest.signIns > 0 { events += [.signedIn(bringsToken: true), .signedIn(bringsToken: false)] }
            if rest.revocations > 0, disk != nil { events.append(.revoked) }
        }
        // What was deleted is known before the next program asks.
        if copy != nil, disk != nil, rest.requests > 0 {
            events += rest.programs.filter { !waiting.contains($0) }.map { .wanted($0) }
        }
        return events
    }

    mutating func happen(_ event: Event) -> String? {
        broken = nil
        switch event {
        case .wanted(let program): want(program)
        case .answered(let answer): answered(answer)
        case .stored(let isFull): stored(isFull: isFull)
        case .signedIn(let bringsToken): signedIn(bringsToken: bringsToken)
        case .revoked:
            rest.revocations -= 1
            disk = nil
            isNews = true
        case .learned: learned()
        case .locked: locked()
        case .unlocked: unlocked()
        case .timeToSave: perform(renewal.timeToSave())
        case .configurationRead:
            rest.readings -= 1
            renewal.configurationRead()
        case .passed(let seconds):
            rest.pauses -= 1
            clock = clock.adding(seconds: seconds)
        }
        check(renewal.isUnderWay != (work != nil), "it waits for nothing, or something is done that it does not know of")
        check(work == nil && !waiting.isEmpty, "a program waits for nothing")
        check(unsaved != nil && work == nil && !renewal.holdsUnsaved, "a refresh token is lost")
        return broken
    }

    func identify(into hasher: inout Hasher) {
        Self.identify(renewal, into: &hasher)
        hasher.combine(clock)
        for credential in [disk, copy] {
            credential?.identify(into: &hasher)
            hasher.combine(credential?.grant.refreshToken.map(spent.contains))
        }
        hasher.combine(lastGeneration)
        work?.identify(into: &hasher)
        hasher.combine(isLocked)
        hasher.combine(isCut)
        hasher.combine(isNews)
        hasher.combine(waiting)
        hasher.combine(unsaved)
        hasher.combine(givenBack)
        hasher.combine(requests)
        hasher.combine(rest)
    }
}

extension LoneRenewal {
    /// All that a value is made of, private or not.
    private static func identify(_ value: Any, into hasher: inout Hasher) {
        if let credential = value as? StoredCredential { return credential.identify(into: &hasher) }
        if let leaf = value as? any Hashable { return leaf.hash(into: &hasher) }
        let mirror = Mirror(reflecting: value)
        if mirror.children.isEmpty { return hasher.combine("\(value)") }
        for child in mirror.children {
            // The name of an enumeration's case, or of a property.
            hasher.combine(child.label)
            identify(child.value, into: &hasher)
        }
    }
}

extension StoredCredential {
    /// What two credentials here can differ in.
    fileprivate func identify(into hasher: inout Hasher) {
        hasher.combine(generation)
        hasher.combine(grant.accessToken)
        hasher.combine(grant.refreshToken)
        hasher.combine(grant.obtainedAt)
        hasher.combine(grant.expiresAt)
    }
}

extension LoneRenewal.Work {
    fileprivate func identify(into hasher: inout Hasher) {
        switch self {
        case .asking(let credential, let restriction):
            credential.identify(into: &hasher)
            hasher.combine(restriction)
        case .writing(let renewed, let restriction, let isBad):
            renewed.identify(into: &hasher)
            hasher.combine(restriction)
            hasher.combine(isBad)
        case .saving(let renewed): renewed.identify(into: &hasher)
        }
    }
}

extension RenewedCredential {
    fileprivate func identify(into hasher: inout Hasher) {
        credential.identify(into: &hasher)
        hasher.combine(spent)
        hasher.combine(isWhole)
    }
}

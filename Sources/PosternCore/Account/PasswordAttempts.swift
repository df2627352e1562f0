/// How often passwords were tried, for one address and in all.
public struct PasswordAttempts: Sendable, Equatable {
    public var ofAddress: Attempts?
    public var inAll: Attempts?

    public init(ofAddress: Attempts?, inAll: Attempts?) {
        self.ofAddress = ofAddress
        self.inAll = inAll
    }

    /// One more is about to be looked at. It counts before it is known to be wrong, so that many at once do not slip through.
    public func counted(email: String, now: Timestamp) throws(PasswordRefusal) -> [AttemptSubject: Attempts] {
        let waits = [
            AttemptLimit.passwordsOfOneAddress.wait(after: ofAddress, now: now), AttemptLimit.passwordsInAll.wait(after: inAll, now: now),
        ]
        if let wait = waits.compactMap(\.self).max() { throw .tooManyAttempts(retryAfterSeconds: wait) }
        return [
            .password(email: email): AttemptLimit.passwordsOfOneAddress.adding(to: ofAddress, now: now),
            .passwords: AttemptLimit.passwordsInAll.adding(to: inAll, now: now),
        ]
    }

    /// It was right: those for the address are forgotten, and of those in all this one. A user of the guesser's own does not wipe the rest.
    public func succeeded(email: String, now: Timestamp) -> [AttemptSubject: Attempts] {
        var inAll = AttemptLimit.passwordsInAll.remaining(inAll, now: now)
        inAll.count = max(0, inAll.count - 1)
        return [.password(email: email): Attempts(count: 0, since: now), .passwords: inAll]
    }
}

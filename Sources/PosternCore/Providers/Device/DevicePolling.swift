/// Polls the token endpoint until the user has answered (RFC 8628 section 3.5): when to poll next, and when to stop.
///
/// Only an answer or the code's expiry stops it: if the network is down for a while, only the pauses become longer.
public struct DevicePolling: Sendable, Equatable {
    /// What `slow_down` adds if the provider names no interval, in seconds.
    static let slowDownSeconds: Int64 = 5
    /// The longest pause while nothing answers, in seconds, unless the interval is longer.
    static let longestPause: Int64 = 60
    /// This many unreadable answers in a row are the endpoint's own, and no accident on the way.
    static let mostUnreadable = 5

    public enum Action: Sendable, Equatable {
        case ask(at: Timestamp)
        case granted(Grant)
        /// The code has expired, and nobody has typed it.
        case expired
        case ended(ProviderFailure)
    }

    public private(set) var intervalSeconds: Int64
    private var expiresAt: Timestamp
    /// In a row.
    private var unanswered = 0
    private var unreadable = 0

    /// Begins, or continues after a restart.
    public init(_ authorization: DeviceAuthorization) {
        intervalSeconds = authorization.intervalSeconds
        expiresAt = authorization.expiresAt
    }

    /// The first poll: nobody types a code at once.
    public func begun(now: Timestamp) -> Action {
        now < expiresAt ? .ask(at: now.adding(seconds: intervalSeconds)) : .expired
    }

    public mutating func answered(_ answer: DeviceAnswer, now: Timestamp) -> Action {
        switch answer {
        case .granted(let grant): return .granted(grant)
        case .expired: return .expired
        case .denied(let error, let description): return .ended(.denied(error: error, description: description))
        case .failed(let failure): return .ended(failure)
        case .pending:
            (unanswered, unreadable) = (0, 0)
            return next(after: intervalSeconds, now: now)
        case .slowDown(let named):
            (unanswered, unreadable) = (0, 0)
            // For this and all further polls; a named interval that is not longer would slow nothing down.
            let slower = named.flatMap { $0 > intervalSeconds ? $0 : nil } ?? intervalSeconds + Self.slowDownSeconds
            intervalSeconds = min(slower, DeviceAuthorization.intervals.upperBound)
            return next(after: intervalSeconds, now: now)
        case .unavailable(let retryAfter):
            return next(after: max(longerPause(), retryAfter ?? 0), now: now)
        case .unreadable(let failure):
            unreadable += 1
            guard unreadable < Self.mostUnreadable else { return .ended(failure) }
            return next(after: longerPause(), now: now)
        }
    }

    /// The wall clock was set; the code is good for as long as before.
    mutating func clockSet(by milliseconds: Int64) { expiresAt = expiresAt.adding(milliseconds: milliseconds) }

    /// Doubles with each missing answer.
    private mutating func longerPause() -> Int64 {
        unanswered = min(unanswered + 1, 10)
        return max(intervalSeconds, min(intervalSeconds << Int64(unanswered), Self.longestPause))
    }

    /// The last poll may be after the code's expiry, once, as the interval requires: the user may have answered in time.
    private func next(after seconds: Int64, now: Timestamp) -> Action {
        guard now < expiresAt else { return .expired }
        let last = max(expiresAt, now.adding(seconds: intervalSeconds))
        return .ask(at: min(now.adding(seconds: seconds), last))
    }
}

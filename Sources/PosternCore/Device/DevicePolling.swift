/// Asking the token endpoint until the user has answered (RFC 8628 section 3.5): when to ask next, and when to stop.
///
/// Nothing but an answer or the end of the code stops it: a network that is gone for a while only makes the pauses longer.
public struct DevicePolling: Sendable, Equatable {
    /// What `slow_down` adds if the provider names no interval, in seconds.
    static let slowDownSeconds: Int64 = 5
    /// However long nothing answers, it is asked again after so many seconds; or after the interval, if that is longer.
    static let longestPause: Int64 = 60
    /// So many unreadable answers in a row are the endpoint's own, and no accident on the way.
    static let mostUnreadable = 5

    public enum Action: Sendable, Equatable {
        case ask(at: Timestamp)
        case granted(Grant)
        /// The code is over, and nobody has typed it.
        case expired
        case ended(SignInFailure)
    }

    public private(set) var intervalSeconds: Int64
    private let expiresAt: Timestamp
    /// In a row.
    private var unanswered = 0
    private var unreadable = 0

    /// Begins, or begins again after a restart.
    public init(_ authorization: DeviceAuthorization) {
        intervalSeconds = authorization.intervalSeconds
        expiresAt = authorization.expiresAt
    }

    /// The first question: nobody types a code at once.
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
            // For this and all further questions; a named interval that is no longer would slow nothing down.
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

    /// Twice as long with each answer that is missing.
    private mutating func longerPause() -> Int64 {
        unanswered = min(unanswered + 1, 10)
        return max(intervalSeconds, min(intervalSeconds << Int64(unanswered), Self.longestPause))
    }

    /// The last question may come after the code's end, once, as the interval wants it: the user may have answered in time.
    private func next(after seconds: Int64, now: Timestamp) -> Action {
        guard now < expiresAt else { return .expired }
        let last = max(expiresAt, now.adding(seconds: intervalSeconds))
        return .ask(at: min(now.adding(seconds: seconds), last))
    }
}

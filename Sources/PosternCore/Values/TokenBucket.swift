/// Allows a few at once, and then one per interval.
public struct TokenBucket: Sendable {
    let capacity: Int64
    let secondsPerToken: Int64
    private var tokens: Int64
    private var filledAt: Timestamp?

    public init(capacity: Int64, secondsPerToken: Int64) {
        self.capacity = capacity
        self.secondsPerToken = secondsPerToken
        tokens = capacity
    }

    public mutating func take(now: Timestamp) -> Bool {
        refill(now: now)
        guard tokens > 0 else { return false }
        tokens -= 1
        return true
    }

    /// The last token taken does not count.
    mutating func putBack() { tokens = min(capacity, tokens + 1) }

    /// Nothing was taken since it was last filled.
    var isFull: Bool { tokens == capacity }

    /// - Returns: from 1 to `secondsPerToken`, if there is none now.
    func secondsToNext(now: Timestamp) -> Int64 {
        guard let filledAt, filledAt <= now else { return secondsPerToken }
        return max(1, secondsPerToken - now.seconds(since: filledAt))
    }

    private mutating func refill(now: Timestamp) {
        // If the clock was set back, the count begins again, instead of stopping until that time returns.
        guard let last = filledAt, last <= now else {
            filledAt = now
            return
        }
        let earned = now.seconds(since: last) / secondsPerToken
        guard earned > 0 else { return }
        tokens = min(capacity, tokens + min(earned, capacity))
        filledAt = tokens == capacity ? now : last.adding(seconds: earned * secondsPerToken)
    }
}

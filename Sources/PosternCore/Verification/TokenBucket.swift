/// Lets a few through at once and then one at a time.
struct TokenBucket: Sendable {
    let capacity: Int64
    let secondsPerToken: Int64
    private var tokens: Int64
    private var filledAt: Timestamp?

    init(capacity: Int64, secondsPerToken: Int64) {
        self.capacity = capacity
        self.secondsPerToken = secondsPerToken
        tokens = capacity
    }

    mutating func take(now: Timestamp) -> Bool {
        refill(now: now)
        guard tokens > 0 else { return false }
        tokens -= 1
        return true
    }

    private mutating func refill(now: Timestamp) {
        // A clock that was set back starts the count anew rather than stopping it until that time comes again.
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

/// How often a provider is asked something because a program wants it: a few times at once, and then one by one.
public struct ProviderPace: Sendable {
    /// Beyond so many providers, which a configuration hardly has, all are counted from the start.
    static let mostProviders = 256

    private let capacity: Int64
    private let secondsPerRequest: Int64
    private var buckets: [String: TokenBucket] = [:]

    public init(capacity: Int64, secondsPerRequest: Int64) {
        self.capacity = capacity
        self.secondsPerRequest = secondsPerRequest
    }

    /// A request is about to be sent.
    ///
    /// - Returns: nil if it may; else the seconds until the next one may.
    public mutating func wait(providerID: String, now: Timestamp) -> Int64? {
        if buckets[providerID] == nil, buckets.count >= Self.mostProviders { buckets = [:] }
        var bucket = buckets[providerID] ?? TokenBucket(capacity: capacity, secondsPerToken: secondsPerRequest)
        defer { buckets[providerID] = bucket }
        return bucket.take(now: now) ? nil : bucket.secondsToNext(now: now)
    }

    /// The last one does not count.
    public mutating func putBack(providerID: String) { buckets[providerID]?.putBack() }
}

/// How often a provider is asked something at a program's request: a few times at once, and then at intervals.
public struct ProviderPace: Sendable {
    /// With more providers than this, which a configuration hardly has, the counts of all are reset.
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
    /// - Returns: nil if it may be sent; otherwise the seconds until the next one may.
    public mutating func wait(providerID: String, now: Timestamp) -> Int64? {
        if buckets[providerID] == nil, buckets.count >= Self.mostProviders { buckets = [:] }
        var bucket = buckets[providerID] ?? TokenBucket(capacity: capacity, secondsPerToken: secondsPerRequest)
        defer { buckets[providerID] = bucket }
        return bucket.take(now: now) ? nil : bucket.secondsToNext(now: now)
    }

    /// The last request does not count.
    public mutating func putBack(providerID: String) { buckets[providerID]?.putBack() }
}

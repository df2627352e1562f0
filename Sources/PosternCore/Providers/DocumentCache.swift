/// What to do for something that is fetched from a provider and cached.
public enum CacheDecision<Value: Sendable>: Sendable {
    case useCached(Value)
    /// The caller fetches, and reports the result by `fetched` or `fetchFailed`; meanwhile other callers wait.
    case fetch
    /// A fetch is in progress, whose result is for all who wait. They must not ask again afterwards, or a provider that is down would be
    /// asked once for each of them.
    case wait
}

/// One document of one provider, as a state machine: fresh as long as HTTP says, and usable for another day while the provider cannot be
/// reached.
public struct DocumentCache<Value: Sendable>: Sendable {
    /// How long an expired document is used if a newer one cannot be obtained, in seconds.
    static var longestOutage: Int64 { 86_400 }
    /// How long the old document is used after a failure before the provider is asked again, in seconds.
    static var pauseAfterFailure: Int64 { 60 }

    private struct Entry: Sendable {
        var value: Value
        var fetchedAt: Timestamp
        var freshUntil: Timestamp
    }

    private var entry: Entry?
    private var lastFailure: Timestamp?
    public private(set) var isFetching = false
    /// Incremented with every document that arrives.
    private(set) var generation = 0

    public init() {}

    public mutating func decide(now: Timestamp) -> CacheDecision<Value> {
        if let entry, isFresh(entry, now: now) || (isUsable(entry, now: now) && failedRecently(now: now)) {
            return .useCached(entry.value)
        }
        return beginFetch() ? .fetch : .wait
    }

    /// - Parameter response: for its caching headers.
    public mutating func fetched(_ value: Value, by response: ProviderResponse, now: Timestamp) {
        isFetching = false
        lastFailure = nil
        generation += 1
        entry = Entry(value: value, fetchedAt: now, freshUntil: now.adding(seconds: CacheLifetime(of: response).seconds))
    }

    /// Ends a fetch that failed, whether the provider did not answer or sent an unacceptable document.
    ///
    /// - Returns: the old document if it may still be used; it stays in the cache.
    public mutating func fetchFailed(now: Timestamp) -> Value? {
        isFetching = false
        lastFailure = now
        return entry.flatMap { isUsable($0, now: now) ? $0.value : nil }
    }

    /// - Returns: false if a fetch is in progress.
    mutating func beginFetch() -> Bool {
        defer { isFetching = true }
        return !isFetching
    }

    /// The last document, however old.
    public var current: Value? { entry?.value }

    /// If the clock was set back, the age is unknown, so the document counts as old.
    private func isFresh(_ entry: Entry, now: Timestamp) -> Bool { entry.fetchedAt <= now && now < entry.freshUntil }

    private func isUsable(_ entry: Entry, now: Timestamp) -> Bool { now < entry.freshUntil.adding(seconds: Self.longestOutage) }

    private func failedRecently(now: Timestamp) -> Bool {
        guard let lastFailure else { return false }
        return lastFailure <= now && now < lastFailure.adding(seconds: Self.pauseAfterFailure)
    }
}

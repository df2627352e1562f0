/// The cached keys of one `jwks_uri`, with an extra fetch for a token whose key is not among them.
public struct KeySetCache: Sendable {
    /// A key set with its number, to distinguish a newer one from the one that did not fit.
    public struct Copy: Sendable {
        public let keys: KeySet
        let generation: Int
    }

    private var document = DocumentCache<KeySet>()
    /// One for each origin: tokens that a program invents use up no fetch that a sign-in or a renewal may need.
    private var refetches: [IDTokenOrigin: TokenBucket] = [:]

    public init() {}

    public var isFetching: Bool { document.isFetching }

    public mutating func decide(now: Timestamp) -> CacheDecision<Copy> {
        switch document.decide(now: now) {
        case .useCached(let keys): .useCached(Copy(keys: keys, generation: document.generation))
        case .fetch: .fetch
        case .wait: .wait
        }
    }

    /// For a token that none of these keys fits. Anybody who can send a token can cause this, so it is limited: three at once and one more
    /// every 20 s, so that a rotation right after a fetch is noticed, too.
    ///
    /// - Returns: nil if too many such tokens arrived in a short time; the rejection is final.
    public mutating func decideRefetch(of copy: Copy, for origin: IDTokenOrigin, now: Timestamp) -> CacheDecision<Copy>? {
        if copy.generation != document.generation, let keys = document.current {
            return .useCached(Copy(keys: keys, generation: document.generation))
        }
        guard document.isFetching || refetches[origin, default: TokenBucket(capacity: 3, secondsPerToken: 20)].take(now: now) else {
            return nil
        }
        return document.beginFetch() ? .fetch : .wait
    }

    /// - Returns: the keys, if the answer is valid; otherwise it throws, and the previous keys are kept.
    public mutating func fetched(_ response: ProviderResponse, now: Timestamp) throws(KeySetError) -> Copy {
        do throws(KeySetError) {
            let keys = try KeySet(from: response, now: now)
            document.fetched(keys, by: response, now: now)
            return Copy(keys: keys, generation: document.generation)
        } catch {
            guard let copy = fetchFailed(now: now) else { throw error }
            return copy
        }
    }

    /// The request failed.
    ///
    /// - Returns: the previous keys if they may still be used.
    public mutating func fetchFailed(now: Timestamp) -> Copy? {
        document.fetchFailed(now: now).map { Copy(keys: $0, generation: document.generation) }
    }
}

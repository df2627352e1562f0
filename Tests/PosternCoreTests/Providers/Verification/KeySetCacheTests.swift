@testable import PosternCore
import StrictJSON
import Testing

@Suite struct KeySetCacheTests {
    private func answer(_ keys: JSON..., maximumAge: Int = 3600) -> ProviderResponse {
        ProviderResponse(status: 200, headers: [("Cache-Control", "max-age=\(maximumAge)")], body: TestKeys.document(keys))
    }

    private func describe(_ decision: CacheDecision<KeySetCache.Copy>?) -> String {
        switch decision {
        case .useCached(let copy): "use \(copy.keys.keys.compactMap(\.keyID).joined(separator: ","))"
        case .fetch: "fetch"
        case .wait: "wait"
        case nil: "refused"
        }
    }

    @Test("Keys are fetched once and used")
    func fetch() throws {
        var cache = KeySetCache()
        #expect(describe(cache.decide(now: now)) == "fetch")
        #expect(describe(cache.decide(now: now)) == "wait")
        let copy = try cache.fetched(answer(TestKeys.jwk("es", kid: "a")), now: now)
        #expect(copy.keys.keys.count == 1)
        #expect(describe(cache.decide(now: now)) == "use a")
    }

    @Test("An unknown key leads to one fetch for all who met it, and to the new keys for who comes later")
    func refetch() throws {
        var cache = KeySetCache()
        let old = try cache.fetched(answer(TestKeys.jwk("es", kid: "a")), now: now)
        #expect(describe(cache.decideRefetch(of: old, for: .provider, now: now)) == "fetch")
        #expect(describe(cache.decideRefetch(of: old, for: .provider, now: now)) == "wait")
        #expect(describe(cache.decide(now: now)) == "use a")
        let new = try cache.fetched(answer(TestKeys.jwk("es-2", kid: "b")), now: now)
        #expect(describe(cache.decideRefetch(of: old, for: .provider, now: now)) == "use b")
        #expect(describe(cache.decideRefetch(of: new, for: .provider, now: now)) == "fetch")
    }

    @Test("Tokens with invented keys cannot make us hammer the provider", arguments: [IDTokenOrigin.provider, .program])
    func rate(origin: IDTokenOrigin) throws {
        var cache = KeySetCache()
        var copy = try cache.fetched(answer(TestKeys.jwk("es", kid: "a")), now: now)
        for _ in 0..<3 {
            #expect(describe(cache.decideRefetch(of: copy, for: origin, now: now)) == "fetch")
            copy = try cache.fetched(answer(TestKeys.jwk("es", kid: "a")), now: now)
        }
        #expect(describe(cache.decideRefetch(of: copy, for: origin, now: now)) == "refused")
        #expect(describe(cache.decideRefetch(of: copy, for: origin, now: now.adding(seconds: 19))) == "refused")
        #expect(describe(cache.decide(now: now)) == "use a")
        #expect(describe(cache.decideRefetch(of: copy, for: origin, now: now.adding(seconds: 20))) == "fetch")
        let other: IDTokenOrigin = origin == .provider ? .program : .provider
        copy = try cache.fetched(answer(TestKeys.jwk("es", kid: "a")), now: now)
        #expect(describe(cache.decideRefetch(of: copy, for: other, now: now)) == "fetch", "what one used up is not the other's")
    }

    @Test("A failed fetch leaves good keys in place")
    func failure() throws {
        var cache = KeySetCache()
        let copy = try cache.fetched(answer(TestKeys.jwk("es", kid: "a")), now: now)
        #expect(describe(cache.decideRefetch(of: copy, for: .provider, now: now)) == "fetch")
        let kept = cache.fetchFailed(now: now)
        #expect(kept?.keys.keys.map(\.keyID) == ["a"])
        for bad in [ProviderResponse(status: 503), ProviderResponse(status: 404), .json("<html>"), .json("{}")] {
            #expect(try cache.fetched(bad, now: now).keys.keys.map(\.keyID) == ["a"])
        }
        #expect(describe(cache.decide(now: now)) == "use a")
    }

    @Test("Keys that the provider no longer lists are gone")
    func withdrawn() throws {
        var cache = KeySetCache()
        _ = try cache.fetched(answer(TestKeys.jwk("es", kid: "a"), TestKeys.jwk("rs", kid: "b")), now: now)
        _ = try cache.fetched(answer(TestKeys.jwk("rs", kid: "b")), now: now)
        #expect(describe(cache.decide(now: now)) == "use b")
    }

    @Test("With nothing kept a bad answer is an error")
    func nothingKept() {
        var cache = KeySetCache()
        #expect(throws: KeySetError.refused(status: 404)) { try cache.fetched(ProviderResponse(status: 404), now: now) }
        let kept = cache.fetchFailed(now: now)
        #expect(kept == nil)
    }

    @Test("An outage longer than a day ends trust in the old keys")
    func outage() throws {
        var cache = KeySetCache()
        _ = try cache.fetched(answer(TestKeys.jwk("es", kid: "a"), maximumAge: 300), now: now)
        let later = now.adding(seconds: 86_000)
        #expect(describe(cache.decide(now: later)) == "fetch")
        #expect(try cache.fetched(ProviderResponse(status: 500), now: later).keys.keys.count == 1)
        let tooLate = now.adding(seconds: 300 + 86_400)
        #expect(describe(cache.decide(now: tooLate)) == "fetch")
        #expect(throws: KeySetError.transient(TransientFailure(status: 500))) { try cache.fetched(ProviderResponse(status: 500), now: tooLate) }
    }
}

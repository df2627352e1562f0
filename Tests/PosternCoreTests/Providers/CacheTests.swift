import Testing

@testable import PosternCore

@Suite struct CacheLifetimeTests {
    @Test(
        "An answer is kept as long as it says, within five minutes and a day",
        arguments: [
            ("max-age=3600", nil, 3600), ("public, max-age=21600, must-revalidate", nil, 21_600), ("max-age=\"900\"", nil, 900),
            ("Max-Age = 900", nil, 900), ("max-age=0", nil, 300), ("max-age=10", nil, 300), ("max-age=999999999999999999999", nil, 86_400),
            ("no-store", nil, 300), ("no-cache, max-age=3600", nil, 300), ("private", nil, 3600), ("", nil, 3600), ("max-age=-1", nil, 3600),
            ("max-age=abc", nil, 3600), ("max-age", nil, 3600), ("max-age=3600", "1000", 2600), ("max-age=3600", "9999", 300),
            ("max-age=3600", "x", 3600), ("max-age=600, max-age=9000", nil, 600),
        ] as [(String, String?, Int64)])
    func lifetime(cacheControl: String, age: String?, seconds: Int64) {
        var headers: [(name: String, value: String)] = [("cache-control", cacheControl)]
        if let age { headers.append(("Age", age)) }
        #expect(CacheLifetime(of: ProviderResponse(status: 200, headers: headers)).seconds == seconds)
    }

    @Test("Where nothing is said, an hour")
    func silent() {
        #expect(CacheLifetime(of: ProviderResponse(status: 200)).seconds == 3600)
    }
}

@Suite struct DocumentCacheTests {
    private let hour = ProviderResponse(status: 200, headers: [("Cache-Control", "max-age=3600")])

    private func describe(_ decision: CacheDecision<String>) -> String {
        switch decision {
        case .useCached(let value): "use \(value)"
        case .fetch: "fetch"
        case .wait: "wait"
        }
    }

    @Test("The first to ask fetches, the others wait, and then all use what came")
    func singleFlight() {
        var cache = DocumentCache<String>()
        #expect(describe(cache.decide(now: now)) == "fetch")
        #expect(describe(cache.decide(now: now)) == "wait")
        cache.fetched("a", by: hour, now: now)
        #expect(describe(cache.decide(now: now)) == "use a")
        #expect(describe(cache.decide(now: now.adding(seconds: 3599))) == "use a")
    }

    @Test("When its time is over it is fetched again, by one")
    func expiry() {
        var cache = DocumentCache<String>()
        cache.fetched("a", by: hour, now: now)
        let later = now.adding(seconds: 3600)
        #expect(describe(cache.decide(now: later)) == "fetch")
        #expect(describe(cache.decide(now: later)) == "wait")
        cache.fetched("b", by: hour, now: later)
        #expect(describe(cache.decide(now: later)) == "use b")
    }

    @Test("While the provider is down the old one serves, and the provider is asked once a minute")
    func outage() {
        var cache = DocumentCache<String>()
        cache.fetched("a", by: hour, now: now)
        let later = now.adding(seconds: 4000)
        #expect(describe(cache.decide(now: later)) == "fetch")
        let old1 = cache.fetchFailed(now: later)
        #expect(old1 == "a")
        #expect(describe(cache.decide(now: later.adding(seconds: 59))) == "use a")
        #expect(describe(cache.decide(now: later.adding(seconds: 60))) == "fetch")
        cache.fetched("b", by: hour, now: later.adding(seconds: 61))
        #expect(describe(cache.decide(now: later.adding(seconds: 62))) == "use b")
    }

    @Test("A day past its time it serves no more")
    func longOutage() {
        var cache = DocumentCache<String>()
        cache.fetched("a", by: hour, now: now)
        let end = now.adding(seconds: 3600 + 86_400)
        #expect(describe(cache.decide(now: end.adding(seconds: -1))) == "fetch")
        let old2 = cache.fetchFailed(now: end.adding(seconds: -1))
        #expect(old2 == "a")
        #expect(describe(cache.decide(now: end)) == "fetch")
        let old3 = cache.fetchFailed(now: end)
        #expect(old3 == nil)
        #expect(describe(cache.decide(now: end)) == "fetch")
    }

    @Test("With nothing kept a failure does not keep the next from trying")
    func failureFromNothing() {
        var cache = DocumentCache<String>()
        #expect(describe(cache.decide(now: now)) == "fetch")
        let old4 = cache.fetchFailed(now: now)
        #expect(old4 == nil)
        #expect(describe(cache.decide(now: now)) == "fetch")
    }

    @Test("A clock that was set back makes the age unknown")
    func clockSetBack() {
        var cache = DocumentCache<String>()
        cache.fetched("a", by: hour, now: now)
        #expect(describe(cache.decide(now: now.adding(seconds: -1))) == "fetch")
        let old5 = cache.fetchFailed(now: now.adding(seconds: -1))
        #expect(old5 == "a")
    }
}

@Suite struct TokenBucketTests {
    @Test("Three at once, then one every twenty seconds")
    func rate() {
        var bucket = TokenBucket(capacity: 3, secondsPerToken: 20)
        let taken13 = (0..<4).map { _ in bucket.take(now: now) }
        #expect(taken13 == [true, true, true, false])
        let taken6 = bucket.take(now: now.adding(seconds: 19))
        #expect(!taken6)
        let taken7 = bucket.take(now: now.adding(seconds: 20))
        #expect(taken7)
        let taken8 = bucket.take(now: now.adding(seconds: 39))
        #expect(!taken8)
        let taken9 = bucket.take(now: now.adding(seconds: 40))
        #expect(taken9)
    }

    @Test("A long rest fills it, and no further")
    func capacity() {
        var bucket = TokenBucket(capacity: 3, secondsPerToken: 20)
        for _ in 0..<3 { _ = bucket.take(now: now) }
        let later = now.adding(seconds: 1_000_000)
        let taken14 = (0..<4).map { _ in bucket.take(now: later) }
        #expect(taken14 == [true, true, true, false])
    }

    @Test("It says when the next goes through, and one that is put back counts no more than it holds")
    func next() {
        var bucket = TokenBucket(capacity: 1, secondsPerToken: 20)
        bucket.putBack()
        let taken = (0..<2).map { _ in bucket.take(now: now) }
        #expect(taken == [true, false] && bucket.secondsToNext(now: now) == 20)
        #expect(bucket.secondsToNext(now: now.adding(seconds: 19)) == 1 && bucket.secondsToNext(now: now.adding(seconds: -5)) == 20)
        bucket.putBack()
        let again = bucket.take(now: now)
        #expect(again)
    }

    @Test("A clock that was set back does not stop it for ever")
    func clockSetBack() {
        var bucket = TokenBucket(capacity: 1, secondsPerToken: 20)
        let taken10 = bucket.take(now: now)
        #expect(taken10)
        let earlier = now.adding(seconds: -100_000)
        let taken11 = bucket.take(now: earlier)
        #expect(!taken11)
        let taken12 = bucket.take(now: earlier.adding(seconds: 20))
        #expect(taken12)
    }
}

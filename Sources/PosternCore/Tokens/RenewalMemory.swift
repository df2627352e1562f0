/// What is remembered of a credential's renewals, in this run of the daemon.
///
/// It keeps programs from sending a token endpoint one request after another: a program that insists on a new token too soon after a
/// renewal gets the token of that renewal, and one that asks too soon after a failure gets that failure.
struct RenewalMemory: Sendable, Equatable {
    /// For how many milliseconds a new token counts as the newest there is, however much a program insists. Six requests a minute are no
    /// burden for a token endpoint; a program whose new token was refused somewhere waits no longer than a user notices.
    static let longestFreshness: Int64 = 10_000
    /// The least such time: for tokens that are hardly valid for longer, it is half their life, but at least this.
    static let shortestFreshness: Int64 = 1000
    /// Failures in a row without a pause: the cause may have passed already.
    static let freeFailures = 1
    /// The pause after the next failure, in seconds; each further failure doubles it.
    static let firstPause: Int64 = 1
    static let longestPause: Int64 = 60
    /// Seconds between two attempts to renew a token that is still valid.
    static let pauseBetweenTriesAhead: Int64 = 3600
    /// Seconds during which a provider that sent no ID token is not asked for one again, unless a program insists.
    static let pauseWithoutIDToken: Int64 = 3600

    private struct Pause: Equatable {
        var failure: ProviderFailure
        var failures: Int
        var begin: Timestamp
        var end: Timestamp
    }

    private var fetchedAt: Timestamp?
    private var triedAheadAt: Timestamp?
    /// The generation of a token that was requested because the one before was too short for a demand, and that is too short as well.
    private var longestGenerations: [TokenDemand.Kind: Int64] = [:]
    /// When a renewal brought no ID token; nil if the last one did.
    private var missedIDTokenAt: Timestamp?
    /// The last answer was lost. It may have contained a new refresh token, and the stored one may be dead.
    private var isAnswerLost = false
    private var pause: Pause?

    // MARK: Tokens

    /// - Parameter hasNewIDToken: an ID token came with it; otherwise the previous one is still there.
    mutating func fetched(_ credential: StoredCredential, hasNewIDToken: Bool, for demands: [TokenDemand], now: Timestamp) {
        fetchedAt = now
        isAnswerLost = false
        pause = nil
        missedIDTokenAt = hasNewIDToken ? nil : now
        for demand in demands where !demand.forceRefresh && Self.isTooShort(credential, for: demand) {
            longestGenerations[demand.kind] = credential.generation
        }
    }

    /// The last renewal brought no ID token.
    var missedIDToken: Bool { missedIDTokenAt != nil }

    /// Whether another request to the provider would bring nothing better.
    func isBest(_ credential: StoredCredential, for demand: TokenDemand, now: Timestamp) -> Bool {
        if demand.forceRefresh { return isJustFetched(credential, demand.kind, now: now) }
        if demand.kind == .idToken, let missedIDTokenAt {
            // Setting back the clock ends it.
            return (0..<Self.pauseWithoutIDToken).contains(now.seconds(since: missedIDTokenAt))
        }
        return isAsLongAsItGets(credential, for: demand, now: now)
    }

    private func isJustFetched(_ credential: StoredCredential, _ kind: TokenDemand.Kind, now: Timestamp) -> Bool {
        let halfLife = credential.lifetime(of: kind)?.length.map { $0 / 2 } ?? Self.longestFreshness
        return wasFetched(within: min(max(halfLife, Self.shortestFreshness), Self.longestFreshness), now: now)
    }

    /// The token is shorter than requested, and so was the one before: the provider issues no longer ones, and a renewal for every request
    /// would gain nothing.
    private func isAsLongAsItGets(_ credential: StoredCredential, for demand: TokenDemand, now: Timestamp) -> Bool {
        guard isLongestOfAll(credential, for: demand), let lifetime = credential.lifetime(of: demand.kind), let end = lifetime.end,
            let length = lifetime.length
        else { return false }
        return now.adding(milliseconds: length / 2) < end || wasFetched(within: Self.shortestFreshness, now: now)
    }

    /// The token is still valid, and no other was longer.
    func isLongest(_ credential: StoredCredential, for demand: TokenDemand, now: Timestamp) -> Bool {
        guard !demand.forceRefresh, isLongestOfAll(credential, for: demand) else { return false }
        return credential.lifetime(of: demand.kind)?.end.map { now < $0 } ?? false
    }

    private func isLongestOfAll(_ credential: StoredCredential, for demand: TokenDemand) -> Bool {
        longestGenerations[demand.kind] == credential.generation && Self.isTooShort(credential, for: demand)
    }

    /// Setting back the clock keeps no token fresh for longer.
    private func wasFetched(within milliseconds: Int64, now: Timestamp) -> Bool {
        guard let fetchedAt else { return false }
        return fetchedAt <= now && now < fetchedAt.adding(milliseconds: milliseconds)
    }

    /// Even when it is new.
    private static func isTooShort(_ credential: StoredCredential, for demand: TokenDemand) -> Bool {
        guard let lifetime = credential.lifetime(of: demand.kind), let end = lifetime.end else { return false }
        return end < lifetime.begin.adding(seconds: demand.minimumValidity)
    }

    /// Whether to renew a token that is still valid now; if so, the attempt is recorded.
    mutating func triesAhead(now: Timestamp) -> Bool {
        if let last = triedAheadAt, (0..<Self.pauseBetweenTriesAhead).contains(now.seconds(since: last)) { return false }
        guard pause(now: now) == nil else { return false }
        triedAheadAt = now
        return true
    }

    // MARK: Failures

    /// The provider issued another grant than the stored one, so it can be asked.
    mutating func answered() {
        isAnswerLost = false
        pause = nil
    }

    /// - Returns: what to report.
    mutating func failed(_ failure: ProviderFailure, now: Timestamp) -> ProviderFailure {
        var told = failure
        if failure.progress == .unanswered { isAnswerLost = true }
        if failure.isFinal {
            told.followsLostAnswer = isAnswerLost || failure.followsLostAnswer
            isAnswerLost = false
        }
        let before = pause?.failures ?? 0
        var pause = Pause(failure: failure, failures: min(before + 1, 16), begin: now, end: now)
        // A provider that received nothing was not burdened, so the pauses do not grow.
        if failure.progress == .notSent { pause.failures = max(before, min(pause.failures, Self.freeFailures + 1)) }
        if pause.failures > Self.freeFailures {
            let doublings = failure.progress == .notSent ? 0 : Int64(pause.failures - Self.freeFailures - 1)
            pause.end = now.adding(seconds: max(min(Self.firstPause << doublings, Self.longestPause), failure.retryAfterSeconds ?? 0))
        }
        self.pause = pause
        return told
    }

    /// The last failure, for programs that ask too soon after it; nil if the provider may be asked.
    ///
    /// Setting back the clock ends a pause; it does not lengthen it.
    func pause(now: Timestamp) -> ProviderFailure? {
        guard let pause, pause.begin <= now, now < pause.end else { return nil }
        var told = pause.failure
        told.pauseSeconds = max(pause.end.seconds(since: now), 1)
        return told
    }

    /// Only times and the message of the last failure are left: they keep the provider from being asked too often.
    mutating func forgotten() {
        isAnswerLost = false
        longestGenerations = [:]
    }

    /// The pause is cut to the first one; reloading the configuration in a loop causes no more frequent requests than that.
    mutating func configurationRead() {
        guard let pause else { return }
        self.pause?.end = min(pause.end, pause.begin.adding(seconds: Self.firstPause))
    }
}

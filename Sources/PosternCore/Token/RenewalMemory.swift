/// What is remembered of a credential's renewals, in this run of the daemon.
///
/// It keeps programs from having a token endpoint asked over and over: whoever insists on a new token too soon after one was fetched gets
/// that one, and whoever comes too soon after a failure is told that failure.
struct RenewalMemory: Sendable, Equatable {
    /// For so many milliseconds a token just fetched is the newest there is, however much a program insists. Six questions a minute burden
    /// no token endpoint; a program whose new token was refused somewhere waits no longer than a user notices.
    static let longestFreshness: Int64 = 10_000
    /// For tokens that are hardly valid for longer than that, half their life; at least this.
    static let shortestFreshness: Int64 = 1000
    /// Failures in a row without a pause: what went wrong may be over already.
    static let freeFailures = 1
    /// Seconds after the next one; each further one doubles them.
    static let firstPause: Int64 = 1
    static let longestPause: Int64 = 60
    /// Seconds between two renewals of a token that is still valid.
    static let pauseBetweenTriesAhead: Int64 = 3600
    /// Seconds for which a provider that sent no ID token is not asked for one again, unless a program insists.
    static let pauseWithoutIDToken: Int64 = 3600

    private struct Pause: Equatable {
        var failure: SignInFailure
        var failures: Int
        var begin: Timestamp
        var end: Timestamp
    }

    private var fetchedAt: Timestamp?
    private var triedAheadAt: Timestamp?
    /// The generation of a token that was fetched because the one before was too short for a demand, and that is too short as well.
    private var longestGenerations: [TokenDemand.Kind: Int64] = [:]
    /// When a renewal brought no ID token; nil if the last one did.
    private var missedIDTokenAt: Timestamp?
    /// There may have been a new refresh token in the last answer, which never came, and the one that is kept be dead.
    private var isAnswerLost = false
    private var pause: Pause?

    // MARK: Tokens

    /// - Parameter hasNewIDToken: one came with it; else the one from before is still there.
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

    /// Asking the provider again would bring nothing better.
    func isBest(_ credential: StoredCredential, for demand: TokenDemand, now: Timestamp) -> Bool {
        if demand.forceRefresh { return isJustFetched(credential, demand.kind, now: now) }
        if demand.kind == .idToken, let missedIDTokenAt {
            // A clock that was set back ends it.
            return (0..<Self.pauseWithoutIDToken).contains(now.seconds(since: missedIDTokenAt))
        }
        return isAsLongAsItGets(credential, for: demand, now: now)
    }

    private func isJustFetched(_ credential: StoredCredential, _ kind: TokenDemand.Kind, now: Timestamp) -> Bool {
        let halfLife = credential.lifetime(of: kind)?.length.map { $0 / 2 } ?? Self.longestFreshness
        return wasFetched(within: min(max(halfLife, Self.shortestFreshness), Self.longestFreshness), now: now)
    }

    /// Shorter than what is asked, as the one before was: the provider gives no longer ones, and another renewal for every question would
    /// gain nothing.
    private func isAsLongAsItGets(_ credential: StoredCredential, for demand: TokenDemand, now: Timestamp) -> Bool {
        guard longestGenerations[demand.kind] == credential.generation, Self.isTooShort(credential, for: demand),
            let lifetime = credential.lifetime(of: demand.kind), let end = lifetime.end, let length = lifetime.length
        else { return false }
        return now.adding(milliseconds: length / 2) < end || wasFetched(within: Self.shortestFreshness, now: now)
    }

    /// A clock that was set back makes no token fresh for longer.
    private func wasFetched(within milliseconds: Int64, now: Timestamp) -> Bool {
        guard let fetchedAt else { return false }
        return fetchedAt <= now && now < fetchedAt.adding(milliseconds: milliseconds)
    }

    /// Even on its first day.
    private static func isTooShort(_ credential: StoredCredential, for demand: TokenDemand) -> Bool {
        guard let lifetime = credential.lifetime(of: demand.kind), let end = lifetime.end else { return false }
        return end < lifetime.begin.adding(seconds: demand.minimumValidity)
    }

    /// Whether a token that is still valid is to be renewed now; it is remembered that it was.
    mutating func triesAhead(now: Timestamp) -> Bool {
        if let last = triedAheadAt, (0..<Self.pauseBetweenTriesAhead).contains(now.seconds(since: last)) { return false }
        guard pause(now: now) == nil else { return false }
        triedAheadAt = now
        return true
    }

    // MARK: Failures

    /// The provider gave something else than what is kept: it can be asked.
    mutating func answered() {
        isAnswerLost = false
        pause = nil
    }

    /// - Returns: what is reported of it.
    mutating func failed(_ failure: RenewalFailure, now: Timestamp) -> ToldFailure {
        var told = ToldFailure(failure.failure)
        if failure.progress == .unanswered { isAnswerLost = true }
        if failure.isFinal {
            told.followsLostAnswer = isAnswerLost
            isAnswerLost = false
        }
        let before = pause?.failures ?? 0
        var pause = Pause(failure: failure.failure, failures: min(before + 1, 16), begin: now, end: now)
        // A provider that heard nothing was not burdened, so the pauses do not grow.
        if failure.progress == .notSent { pause.failures = max(before, min(pause.failures, Self.freeFailures + 1)) }
        if pause.failures > Self.freeFailures {
            let doublings = failure.progress == .notSent ? 0 : Int64(pause.failures - Self.freeFailures - 1)
            pause.end = now.adding(seconds: max(min(Self.firstPause << doublings, Self.longestPause), failure.retryAfterSeconds ?? 0))
        }
        self.pause = pause
        return told
    }

    /// The last failure, for whoever comes too soon after it; nil if the provider may be asked.
    ///
    /// A clock that was set back ends a pause rather than lengthening it.
    func pause(now: Timestamp) -> ToldFailure? {
        guard let pause, pause.begin <= now, now < pause.end else { return nil }
        return ToldFailure(pause.failure, pauseSeconds: max(pause.end.seconds(since: now), 1))
    }

    /// What is left is times, and the words of the last failure: they keep the provider from being asked too often.
    mutating func forgotten() {
        isAnswerLost = false
        longestGenerations = [:]
    }

    /// The pause is cut to the first one; reading the configuration in a loop has nobody asked more often than that.
    mutating func configurationRead() {
        guard let pause else { return }
        self.pause?.end = min(pause.end, pause.begin.adding(seconds: Self.firstPause))
    }
}

/// Why a renewal brought no token.
public struct RenewalFailure: Error, Sendable, Hashable {
    /// How far its request came.
    public enum Progress: Sendable {
        /// Not one byte of it was handed to a connection.
        case notSent
        /// The provider may know it, and no answer came: a new refresh token may have been in that.
        case unanswered
        case answered
    }

    public var failure: SignInFailure
    public var progress: Progress
    /// For how long the provider wants to be left alone; nil if it does not say.
    public var retryAfterSeconds: Int64?
    /// A restricted token was asked for, and it is that which the provider does not give.
    public var isAboutRestriction = false

    public init(_ failure: SignInFailure, _ progress: Progress, retryAfterSeconds: Int64? = nil) {
        self.failure = failure
        self.progress = progress
        self.retryAfterSeconds = retryAfterSeconds
    }

    /// The refresh token was looked at, and refused.
    public var isFinal: Bool {
        guard progress == .answered, case .denied = failure else { return false }
        return true
    }
}

/// A failure as a program learns it.
public struct ToldFailure: Sendable, Hashable {
    public var failure: SignInFailure
    /// The renewal before this one may have reached the provider and got no answer.
    public var followsLostAnswer = false
    /// The provider was not asked again, and is not for so many seconds; nil if it was asked just now.
    public var pauseSeconds: Int64?

    public init(_ failure: SignInFailure, followsLostAnswer: Bool = false, pauseSeconds: Int64? = nil) {
        self.failure = failure
        self.followsLostAnswer = followsLostAnswer
        self.pauseSeconds = pauseSeconds
    }
}

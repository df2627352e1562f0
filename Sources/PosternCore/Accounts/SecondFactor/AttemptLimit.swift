/// The number of recent attempts.
public struct Attempts: Sendable, Hashable {
    public var count: Int64
    /// The start of the interval after which the next one is forgotten.
    public var since: Timestamp

    public init(count: Int64, since: Timestamp) {
        self.count = count
        self.since = since
    }
}

/// What may be tried a few times at once, and then only at intervals: a leaky bucket, stored as two numbers.
public struct AttemptLimit: Sendable, Hashable {
    /// The most attempts at once.
    public let burst: Int64
    /// How many seconds it takes until one attempt is forgotten.
    public let seconds: Int64

    /// The attempts that still count.
    public func remaining(_ attempts: Attempts?, now: Timestamp) -> Attempts {
        // Bounded because it comes from a file: no calculation overflows 64 bits.
        let count = min(max(0, attempts?.count ?? 0), 1_000_000)
        // If the clock was set back, nobody must be locked out until it has caught up.
        guard let attempts, count > 0, attempts.since <= now else { return Attempts(count: count, since: now) }
        let forgotten = now.seconds(since: attempts.since) / seconds
        guard forgotten < count else { return Attempts(count: 0, since: now) }
        return Attempts(count: count - forgotten, since: attempts.since.adding(seconds: forgotten * seconds))
    }

    /// Seconds, at least 1, until the next one is allowed; nil if it is allowed now.
    public func wait(after attempts: Attempts?, now: Timestamp) -> Int64? {
        let remaining = remaining(attempts, now: now)
        guard remaining.count >= burst else { return nil }
        let surplus = remaining.count - burst
        return max(1, remaining.since.adding(seconds: (surplus + 1) * seconds).seconds(since: now))
    }

    /// One more attempt that counts in several ways.
    ///
    /// - Parameter refusal: what to throw if one of the limits is reached, by the seconds until all of them allow it.
    /// - Returns: what to count, before it is known what became of the attempt, so that many at once cannot slip through.
    static func counting(
        _ all: [(subject: AttemptSubject, limit: AttemptLimit, attempts: Attempts?)], now: Timestamp,
        orElse refusal: (Int64) -> AccountFailure
    ) throws(AccountFailure) -> [AttemptSubject: Attempts] {
        if let wait = all.compactMap({ $0.limit.wait(after: $0.attempts, now: now) }).max() { throw refusal(wait) }
        return Dictionary(all.map { ($0.subject, $0.limit.adding(to: $0.attempts, now: now)) }, uniquingKeysWith: { $1 })
    }

    /// With one more, made now.
    public func adding(to attempts: Attempts?, now: Timestamp) -> Attempts {
        let remaining = remaining(attempts, now: now)
        return Attempts(count: remaining.count + 1, since: remaining.since)
    }
}

/// Which attempts are counted together.
public enum AttemptSubject: Sendable, Hashable {
    /// Wrong codes for a user's second factors, in all sign-ins.
    case secondFactor(uid: String)
    /// Wrong codes for a second factor that a user is enrolling.
    case enrolment(uid: String)
    /// Codes sent to a number, whoever asked.
    case message(to: PhoneNumber)
    /// Codes sent to any number.
    case messages
    /// Passwords tried for an address, whether or not a user has it.
    case password(email: String)
    /// Passwords tried for any address.
    case passwords

    public var text: String {
        switch self {
        case .secondFactor(let uid): "second-factor \(uid)"
        case .enrolment(let uid): "enrolment \(uid)"
        case .message(let number): "message \(number.text)"
        case .messages: "messages"
        case .password(let email): "password \(email)"
        case .passwords: "passwords"
        }
    }
}

extension AttemptLimit {
    /// A wrong code of six digits is right with a chance of three in a million: at two an hour that is less than one in eighteen a year.
    public static let wrongCodes = AttemptLimit(burst: 10, seconds: 1800)
    /// Messages cost their sender money, and their receiver sleep.
    public static let messagesToOneNumber = AttemptLimit(burst: 5, seconds: 600)
    public static let messagesInAll = AttemptLimit(burst: 20, seconds: 180)
    /// A user who has forgotten a password tries a few; a program with a list of the most common ones can try 290 a day.
    public static let passwordsOfOneAddress = AttemptLimit(burst: 10, seconds: 300)
    /// Against trying one password at many addresses. Because each guess counts, it also limits how many addresses are remembered.
    public static let passwordsInAll = AttemptLimit(burst: 100, seconds: 60)
}

/// How often something was tried of late.
public struct Attempts: Sendable, Hashable {
    public var count: Int64
    /// From when on the next one is forgotten.
    public var since: Timestamp

    public init(count: Int64, since: Timestamp) {
        self.count = count
        self.since = since
    }
}

/// What may be tried some times at once, and then no oftener than once in a while: a leaky bucket, of which two numbers are kept.
public struct AttemptLimit: Sendable, Hashable {
    /// At once.
    public let burst: Int64
    /// After so many seconds one attempt is forgotten.
    public let seconds: Int64

    public init(burst: Int64, seconds: Int64) {
        self.burst = burst
        self.seconds = seconds
    }

    /// What still counts of it.
    public func remaining(_ attempts: Attempts?, now: Timestamp) -> Attempts {
        // Bounded, as it comes from a file: nothing is reckoned beyond 64 bits.
        let count = min(max(0, attempts?.count ?? 0), 1_000_000)
        // A clock that was set back must not shut anybody out until it has caught up.
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

    /// With one more, of this moment.
    public func adding(to attempts: Attempts?, now: Timestamp) -> Attempts {
        let remaining = remaining(attempts, now: now)
        return Attempts(count: remaining.count + 1, since: remaining.since)
    }
}

/// Whose, or which, attempts are counted together.
public enum AttemptSubject: Sendable, Hashable {
    /// Wrong codes for the second factors of a user, over all sign-ins.
    case secondFactor(uid: String)
    /// Wrong codes for a second factor that a user is about to have.
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
    /// Who has forgotten a password tries a handful of them; a program that goes through a list of the commonest gets through 290 a day.
    public static let passwordsOfOneAddress = AttemptLimit(burst: 10, seconds: 300)
    /// For who tries one password at many addresses. As each guess counts, it also bounds how many addresses are remembered.
    public static let passwordsInAll = AttemptLimit(burst: 100, seconds: 60)
}

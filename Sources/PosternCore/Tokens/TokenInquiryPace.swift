/// How often providers are asked whether a token is still valid: programs report what servers refused, and may report it in a loop.
public struct TokenInquiryPace: Sendable {
    /// Seconds between two inquiries about the same account.
    public static let pause: Int64 = 60
    /// The most inquiries at once, about all accounts: a user's programs may find several tokens refused at the same time.
    public static let most: Int64 = 16
    private var all = TokenBucket(capacity: TokenInquiryPace.most, secondsPerToken: 10)
    /// Of the last minute, so there are few.
    private var last: [CredentialKey: Timestamp] = [:]

    public init() {}

    /// Whether the provider may be asked about this account now; if so, that counts.
    public mutating func take(_ account: CredentialKey, now: Timestamp) -> Bool {
        // Setting back the clock ends a pause; it does not lengthen it.
        last = last.filter { (0..<Self.pause).contains(now.seconds(since: $0.value)) }
        guard last[account] == nil, all.take(now: now) else { return false }
        last[account] = now
        return true
    }
}

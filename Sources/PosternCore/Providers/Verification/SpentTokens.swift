/// The ID tokens that programs presented and that signed somebody in: each does so once, as in Firebase.
///
/// Kept only for this run of the daemon, and ensures that two simultaneous calls are not both the first; the store remembers the tokens for
/// the next run.
public struct SpentTokens: Sendable {
    public enum Verdict: Sendable, Hashable {
        case fresh
        case spent
        /// So many at once that no more can be remembered.
        case full(retryAfterSeconds: Int64)
    }

    public static let limit = 4096
    /// In seconds: afterwards a token is refused because of its age.
    public static let memory = IDTokenExpectation.longestAge + 2 * IDTokenExpectation.leeway

    /// By the wall clock, which also judges the age of a token: where the clock is set back, a token is good for longer, and is remembered
    /// for as long.
    private var spentAt: [[UInt8]: Timestamp] = [:]

    public init() {}

    /// - Parameter hash: ``hash(of:cryptography:)``.
    public mutating func spend(_ hash: [UInt8], now: Timestamp) -> Verdict {
        if spentAt[hash] != nil { return .spent }
        if spentAt.count >= Self.limit { spentAt = spentAt.filter { $0.value.adding(seconds: Self.memory) > now } }
        guard spentAt.count < Self.limit else { return .full(retryAfterSeconds: Self.memory) }
        spentAt[hash] = now
        return .fresh
    }

    /// It signed nobody in, so it may be presented again.
    public mutating func restore(_ hash: [UInt8]) { spentAt[hash] = nil }

    /// Of the signed part. The signature is left out: for ES256 anyone can turn one into another that is also valid.
    public static func hash(of token: Secret, cryptography: some Cryptography) -> [UInt8] {
        let bytes = token.revealBytes()
        return cryptography.sha256(Array(bytes[..<(bytes.lastIndex(of: UInt8(ascii: ".")) ?? bytes.endIndex)]))
    }
}

/// What identifies an ID token that a program presented.
public struct SpentToken: Sendable, Equatable {
    /// ``SpentTokens/hash(of:cryptography:)``
    public var hash: [UInt8]
    /// From then on it is refused because of its age.
    public var until: Timestamp

    public init(hash: [UInt8], until: Timestamp) {
        self.hash = hash
        self.until = until
    }
}

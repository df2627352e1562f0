/// The ID tokens that programs showed and that signed somebody in: each does so once, as at Firebase.
///
/// Known to this run of the daemon alone, and makes sure that two calls at a time are not both the first; the store remembers it for
/// the next life.
public struct SpentTokens: Sendable {
    public enum Verdict: Sendable, Hashable {
        case fresh
        case spent
        /// So many at once that no more can be remembered.
        case full(retryAfterSeconds: Int64)
    }

    public static let limit = 4096
    /// In seconds: past it a token is refused for its age.
    public static let memory = IDTokenExpectation.longestAge + 2 * IDTokenExpectation.leeway

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

    /// It signed nobody in, so it may be shown again.
    public mutating func restore(_ hash: [UInt8]) { spentAt[hash] = nil }

    /// Of what was signed. The signature is left out: whoever has one by ES256 can make another one that is as good.
    public static func hash(of token: Secret, cryptography: some Cryptography) -> [UInt8] {
        let bytes = token.revealBytes()
        return cryptography.sha256(Array(bytes[..<(bytes.lastIndex(of: UInt8(ascii: ".")) ?? bytes.endIndex)]))
    }
}

/// An ID token that a program showed, by what it is known again.
public struct SpentToken: Sendable, Equatable {
    /// ``SpentTokens/hash(of:cryptography:)``
    public var hash: [UInt8]
    /// After that it is refused for its age.
    public var until: Timestamp

    public init(hash: [UInt8], until: Timestamp) {
        self.hash = hash
        self.until = until
    }
}

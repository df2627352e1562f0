/// Refresh tokens that were taken over from other programs, each known by its hash: none is sent twice, as a provider that gives a new one
/// at each refresh takes the second use of the old one for a theft, and ends them all (RFC 9700 section 4.14.2).
public struct ImportLedger: Sendable, Equatable {
    /// The eldest are forgotten.
    public static let most = 64
    /// For so long a refresh token waits for an account to belong to; in seconds.
    public static let patience: Int64 = 86_400

    public struct Entry: Sendable, Equatable {
        /// SHA-256 of the refresh token as the other program had it.
        public var hash: [UInt8]
        public var providerID: String
        public var binding: ProviderBinding
        /// When it was sent.
        public var at: Timestamp
        /// The account whose credential it became; nil: none's so far.
        public var subject: String?
        /// The refresh token that took its place, alone: it is not known yet whose it is.
        public var successor: Grant?

        public init(
            hash: [UInt8], providerID: String, binding: ProviderBinding, at: Timestamp, subject: String? = nil, successor: Grant? = nil
        ) {
            self.hash = hash
            self.providerID = providerID
            self.binding = binding
            self.at = at
            self.subject = subject
            self.successor = successor
        }
    }

    /// The eldest first.
    public private(set) var entries: [Entry]

    public init(entries: [Entry] = []) { self.entries = entries }

    public subscript(hash: [UInt8]) -> Entry? { entries.first { $0.hash == hash } }

    /// In place of what was known of the same refresh token.
    public mutating func note(_ entry: Entry) {
        entries.removeAll { $0.hash == entry.hash }
        entries.append(entry)
        if entries.count > Self.most { entries.removeFirst(entries.count - Self.most) }
    }

    public mutating func forget(_ hash: [UInt8]) { entries.removeAll { $0.hash == hash } }

    /// What nobody came back for is not kept for ever.
    public mutating func forgetOld(now: Timestamp) {
        entries.removeAll { $0.subject == nil && !(0..<Self.patience).contains(now.seconds(since: $0.at)) }
    }
}

/// Imported refresh tokens that were sent, each identified by its hash. None is sent twice unless the caller demands it: a provider that
/// issues a new one at each refresh regards the second use of the old one as theft, and revokes them all (RFC 9700 section 4.14.2).
public struct ImportLedger: Sendable, Equatable {
    /// How many are remembered; beyond that the oldest are forgotten.
    public static let most = 64
    /// How long a refresh token waits for its account, or for an answer, in seconds.
    public static let patience: Int64 = 86_400

    public struct Entry: Sendable, Equatable {
        /// SHA-256 of the refresh token as the other program had it.
        public var hash: [UInt8]
        public var providerID: String
        public var binding: ProviderBinding
        /// When it was sent.
        public var at: Timestamp
        /// The account whose credential it became; nil: none so far.
        public var subject: String?
        /// Only the refresh token that replaced it: its account is not known yet.
        public var successor: Grant?
        /// It, or its replacement, is being sent, or the answer was lost: it may be used up.
        public var awaitsAnswer: Bool

        public init(
            hash: [UInt8], providerID: String, binding: ProviderBinding, at: Timestamp, subject: String? = nil, successor: Grant? = nil,
            awaitsAnswer: Bool = false
        ) {
            self.hash = hash
            self.providerID = providerID
            self.binding = binding
            self.at = at
            self.subject = subject
            self.successor = successor
            self.awaitsAnswer = awaitsAnswer
        }
    }

    /// The oldest first.
    public private(set) var entries: [Entry]

    public init(entries: [Entry] = []) { self.entries = entries }

    /// What is known of a refresh token at a provider as it is configured now.
    public func entry(of hash: [UInt8], providerID: String, binding: ProviderBinding) -> Entry? {
        entries.first { $0.hash == hash && $0.providerID == providerID && $0.binding == binding }
    }

    /// Replaces what was known of the same refresh token at that provider.
    public mutating func note(_ entry: Entry) {
        forget(entry)
        entries.append(entry)
        if entries.count > Self.most { entries.removeFirst(entries.count - Self.most) }
    }

    /// Entries of the same token at other providers stay.
    public mutating func forget(_ entry: Entry) {
        entries.removeAll { $0.hash == entry.hash && $0.providerID == entry.providerID && $0.binding == entry.binding }
    }

    /// Drops the entries that no program has come back for.
    public mutating func forgetOld(now: Timestamp) {
        entries.removeAll { $0.subject == nil && !(0..<Self.patience).contains(now.seconds(since: $0.at)) }
    }
}

/// Refresh tokens that other programs had and that were sent, each known by its hash: none is sent twice unless the caller says so, as a
/// provider that gives a new one at each refresh takes the second use of the old one for a theft, and ends them all (RFC 9700 section 4.14.2).
public struct ImportLedger: Sendable, Equatable {
    /// The oldest are forgotten.
    public static let most = 64
    /// For so long a refresh token waits for an account to belong to, or for an answer; in seconds.
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
        /// It, or the one that took its place, is being sent, or its answer was lost: it may be used up.
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

    /// In place of what was known of the same refresh token there.
    public mutating func note(_ entry: Entry) {
        forget(entry)
        entries.append(entry)
        if entries.count > Self.most { entries.removeFirst(entries.count - Self.most) }
    }

    /// What became of the same one at another provider stays.
    public mutating func forget(_ entry: Entry) {
        entries.removeAll { $0.hash == entry.hash && $0.providerID == entry.providerID && $0.binding == entry.binding }
    }

    /// What nobody came back for is not kept for ever.
    public mutating func forgetOld(now: Timestamp) {
        entries.removeAll { $0.subject == nil && !(0..<Self.patience).contains(now.seconds(since: $0.at)) }
    }
}

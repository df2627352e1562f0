/// Grants that are to be revoked at their providers, and that nothing else here knows any more.
///
/// Each is written with the change that made it superfluous, and forgotten when its provider has answered: whatever happens in between, the
/// next run of the daemon knows of it.
public struct RevocationLedger: Sendable, Equatable {
    /// How many wait; beyond that the oldest are given up.
    public static let most = 64
    /// How long a provider that gives no answer is asked, in seconds.
    public static let patience: Int64 = 7 * 86_400
    /// The time between two requests for one grant, in seconds.
    public static let pause: Int64 = 3600

    public struct Entry: Sendable, Equatable {
        public var providerID: String
        /// The account that it belongs to; nil if that is not known for certain.
        public var subject: String?
        public var binding: ProviderBinding
        public var grant: Grant
        /// When the provider was asked for the first time, and for the last; nil: not yet, as far as is known.
        public var firstAskedAt: Timestamp?
        public var lastAskedAt: Timestamp?

        public init(
            providerID: String, subject: String?, binding: ProviderBinding, grant: Grant, firstAskedAt: Timestamp? = nil,
            lastAskedAt: Timestamp? = nil
        ) {
            self.providerID = providerID
            self.subject = subject
            self.binding = binding
            self.grant = grant
            self.firstAskedAt = firstAskedAt
            self.lastAskedAt = lastAskedAt
        }

        public init(_ credential: StoredCredential) {
            self.init(
                providerID: credential.providerID, subject: credential.subject, binding: credential.binding, grant: credential.grant)
        }
    }

    /// The oldest first.
    public private(set) var entries: [Entry]
    /// Were given up because there were too many, and nobody was told.
    public private(set) var dropped: Int

    public init(entries: [Entry] = [], dropped: Int = 0) { (self.entries, self.dropped) = (entries, dropped) }
}

extension RevocationLedger.Entry {
    /// It is the same grant.
    public func isSame(as other: RevocationLedger.Entry) -> Bool {
        providerID == other.providerID && grant.accessToken == other.grant.accessToken && grant.refreshToken == other.grant.refreshToken
            && grant.idToken == other.grant.idToken
    }

    /// Its provider may be asked now. Of a moment in the future the clock was wrong.
    public func isDue(now: Timestamp) -> Bool {
        guard let lastAskedAt, lastAskedAt <= now else { return true }
        return lastAskedAt.adding(seconds: RevocationLedger.pause) <= now
    }

    public func isOver(now: Timestamp) -> Bool {
        firstAskedAt.map { $0.adding(seconds: RevocationLedger.patience) <= now } ?? false
    }
}

extension RevocationLedger {
    public mutating func add(_ entry: Entry) {
        guard !entries.contains(where: entry.isSame) else { return }
        entries.append(entry)
        let surplus = entries.count - Self.most
        guard surplus > 0 else { return }
        entries.removeFirst(surplus)
        dropped += surplus
    }

    public mutating func remove(_ entry: Entry) { entries.removeAll(where: entry.isSame) }

    /// The provider gave no answer.
    public mutating func asked(_ entry: Entry, at now: Timestamp) {
        for index in entries.indices where entries[index].isSame(as: entry) {
            // The clock may have been set back since.
            entries[index].firstAskedAt = min(entries[index].firstAskedAt ?? now, now)
            entries[index].lastAskedAt = now
        }
    }

    /// Somebody was told of those that were given up.
    public mutating func toldOfDropped() { dropped = 0 }
}

/// Which credential is meant: that of an account at a provider.
public struct CredentialKey: Hashable, Comparable, Sendable {
    public var providerID: String
    /// The account at the provider.
    public var subject: String

    public init(providerID: String, subject: String) {
        self.providerID = providerID
        self.subject = subject
    }

    public init(_ credential: StoredCredential) { self.init(providerID: credential.providerID, subject: credential.subject) }

    public init(_ identity: Identity) { self.init(providerID: identity.providerID, subject: identity.subject) }

    public static func < (one: Self, other: Self) -> Bool { (one.providerID, one.subject) < (other.providerID, other.subject) }

    // Byte for byte: a provider may distinguish subjects that are equal in Unicode.
    public static func == (one: Self, other: Self) -> Bool { one.providerID == other.providerID && one.subject.isSame(other.subject) }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(providerID)
        hasher.combine(bytesOf: subject)
    }
}

/// What was reported about each credential, so that a change is reported once and nobody is reminded too often, even across restarts.
public struct AttentionLedger: Sendable, Equatable {
    public struct Entry: Sendable, Equatable {
        /// As last reported.
        public var state = CredentialStatus.State.good
        public var trouble = CredentialTrouble()
        /// When the user was last shown a notice about this account; nil: never, or too long ago to matter.
        public var noticedAt: Timestamp?
        /// That notice was about the current state.
        public var isNoticed = false

        public init() {}

        /// Whether it can be dropped without loss.
        fileprivate var isBlank: Bool { state == .good && trouble.isEmpty && noticedAt == nil }
    }

    /// How often people are notified, in seconds.
    public struct Pace: Sendable, Equatable {
        /// False if nobody is to be shown anything.
        public var notifies: Bool
        public var remindEvery: Int64

        public init(notifies: Bool, remindEvery: Int64) {
            self.notifies = notifies
            self.remindEvery = remindEvery
        }

        /// A credential that repeatedly recovers and fails does not cause a notice each time.
        fileprivate var betweenNeeds: Int64 { min(remindEvery, 3600) }

        /// The pause after the last notice, in seconds.
        fileprivate func pause(_ entry: Entry) -> Int64 { entry.isNoticed ? remindEvery : betweenNeeds }
    }

    public enum Action: Sendable, Equatable {
        /// For programs: the log, `Monitor`, the configured command.
        case changed(CredentialKey, CredentialStatus)
        /// For the user, replacing an earlier notice about the same account.
        case notify(CredentialKey, CredentialStatus)
        /// The user no longer has to do anything.
        case withdraw(CredentialKey)
    }

    /// Of accounts with something to report.
    public private(set) var entries: [CredentialKey: Entry]

    public init(entries: [CredentialKey: Entry] = [:]) { self.entries = entries }

    public func trouble(of account: CredentialKey) -> CredentialTrouble { entries[account]?.trouble ?? CredentialTrouble() }

    // MARK: What happens to credentials

    /// A new sign-in: what was learnt before is about another grant.
    public mutating func signedIn(_ account: CredentialKey) { change(account) { $0.trouble = CredentialTrouble() } }

    public mutating func refused(_ account: CredentialKey, _ refusal: CredentialTrouble.Refusal) {
        change(account) { $0.trouble.refusal = refusal }
    }

    public mutating func renewed(_ account: CredentialKey, from old: Grant, to new: Grant, dialect: any ProviderDialect) {
        change(account) { $0.trouble.renewed(from: old, to: new, dialect: dialect) }
    }

    private mutating func change(_ account: CredentialKey, _ body: (inout Entry) -> Void) {
        var entry = entries[account] ?? Entry()
        body(&entry)
        entries[account] = entry.isBlank ? nil : entry
    }

    // MARK: Reports

    /// - Parameter statuses: of all credentials, except those that are good and of which nothing is remembered.
    /// - Returns: what to report, in this order.
    public mutating func looked(
        at statuses: [(account: CredentialKey, status: CredentialStatus)], pace: Pace, now: Timestamp
    ) -> [Action] {
        var actions: [Action] = []
        let gone = Set(entries.keys).subtracting(statuses.map(\.account))
        for account in gone.sorted() {
            if entries.removeValue(forKey: account)?.noticedAt != nil { actions.append(.withdraw(account)) }
        }
        for (account, status) in statuses {
            var entry = entries[account] ?? Entry()
            let last = entry.state
            entry.state = status.state
            if status.state != last { actions.append(.changed(account, status)) }
            if status.state == .good {
                if last != .good { actions.append(.withdraw(account)) }
                entry.isNoticed = false
                // Remembered only as long as it delays the next notice.
                if let noticed = entry.noticedAt, Self.isOver(pace.betweenNeeds, since: noticed, now: now) { entry.noticedAt = nil }
            } else {
                if status.state != last { entry.isNoticed = false }
                // Signed in again, to a session that is short from the beginning: what the notice asked for is done.
                if last == .signInNeeded, !status.isNews { actions.append(.withdraw(account)) }
                // That it has ended is other news than that it will.
                if last == .endsSoon, status.state == .signInNeeded { entry.noticedAt = nil }
                if pace.notifies, status.isNews, entry.noticedAt.map({ Self.isOver(pace.pause(entry), since: $0, now: now) }) ?? true {
                    entry.noticedAt = now
                    entry.isNoticed = true
                    actions.append(.notify(account, status))
                }
            }
            entries[account] = entry.isBlank ? nil : entry
        }
        return actions
    }

    /// Setting back the clock delays no notice.
    private static func isOver(_ seconds: Int64, since moment: Timestamp, now: Timestamp) -> Bool {
        !(0..<seconds).contains(now.seconds(since: moment))
    }

    /// When the next notice is due; nil if there is none.
    public func nextNotice(pace: Pace) -> Timestamp? {
        guard pace.notifies else { return nil }
        return entries.values.filter { $0.state != .good }.compactMap { entry in entry.noticedAt?.adding(seconds: pace.pause(entry)) }.min()
    }
}

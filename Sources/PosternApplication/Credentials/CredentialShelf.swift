import PosternCore

/// The stored credentials as they stand on disk, held in memory so that a cached token costs no look-up there; and beside each one what is
/// known of its renewals.
@DaemonActor
final class CredentialShelf {
    struct Key: Hashable, Comparable {
        var providerID: String
        var subject: String

        static func < (one: Key, other: Key) -> Bool { (one.providerID, one.subject) < (other.providerID, other.subject) }
    }

    /// What can be read from the store by itself.
    enum Part: Hashable {
        case account(Key)
        /// All accounts at it.
        case provider(String)
        case everything
    }

    /// By provider, then by subject: whoever asks for a token names the provider, and often nothing else.
    private var credentials: [String: [String: HeldCredential]] = [:]
    /// A renewal that is under way outlives its credential.
    private var renewals: [Key: CredentialRenewal<AccessTokens.Requester>] = [:]
    private(set) var count = 0
    /// All that are stored are here. Until then others may be at the same provider.
    private(set) var isComplete = true
    /// Removed before all had come: a page that was read earlier brings none of them back.
    private var removedEarly: Set<Key> = []
    /// Read before all had come: what is not here of them is not stored.
    private var readEarly: Set<Part> = []
    /// The first part that was looked at and has not been read.
    private var missing: Part?
    /// Is notified of each change.
    weak var observer: (any CredentialShelfObserver)?

    var all: [StoredCredential] {
        lookedAt(.everything)
        return credentials.keys.sorted().flatMap { credentials(providerID: $0) }
    }

    subscript(key: Key) -> StoredCredential? { held(key)?.credential }

    func held(_ key: Key) -> HeldCredential? {
        if let held = credentials[key.providerID]?[key.subject] { return held }
        lookedAt(.account(key))
        return nil
    }

    /// The only one of a provider; nil if there are others, or none.
    func onlyCredential(providerID: String) -> HeldCredential? {
        lookedAt(.provider(providerID))
        guard let held = credentials[providerID], held.count == 1 else { return nil }
        return held.values.first
    }

    /// Those of one provider, in the order of their subjects.
    func credentials(providerID: String) -> [StoredCredential] {
        lookedAt(.provider(providerID))
        let held = credentials[providerID] ?? [:]
        // The names are sorted and not the credentials, which are large: there may be thousands.
        return held.keys.sorted().compactMap { held[$0]?.credential }
    }

    /// Every one, in no order.
    func forEach(_ body: (StoredCredential) -> Void) {
        for held in credentials.values {
            for one in held.values { body(one.credential) }
        }
    }

    func isEmpty(providerID: String) -> Bool {
        guard credentials[providerID]?.isEmpty ?? true else { return false }
        lookedAt(.provider(providerID))
        return true
    }

    // MARK: What has not been read

    /// The first part that a decision looks at and that has not been read: it may come out otherwise with that. Nil if it stands.
    ///
    /// - Parameter decision: changes nothing, because it is made again when the part was read.
    func missing(for decision: () -> Void) -> Part? {
        missing = nil
        decision()
        return missing
    }

    private func lookedAt(_ part: Part) {
        if !isComplete, missing == nil, !has(part) { missing = part }
    }

    /// All that is stored of it is here.
    func has(_ part: Part) -> Bool {
        if isComplete || readEarly.contains(part) { return true }
        guard case .account(let key) = part else { return false }
        return credentials[key.providerID]?[key.subject] != nil || readEarly.contains(.provider(key.providerID))
    }

    // MARK: Changes

    /// A sign-in wrote it, unless it is the one that is known. An older generation that arrives late changes nothing.
    func signedIn(_ credential: StoredCredential) {
        if let held = self[Key(credential)], held.generation >= credential.generation { return }
        renewals[Key(credential)]?.signedIn()
        observer?.signedIn(Key(credential))
        put(credential)
    }

    /// A renewal wrote it, or found it there. An older generation that arrives late changes nothing.
    func renewed(_ credential: StoredCredential) {
        if let held = self[Key(credential)], held.generation > credential.generation { return }
        put(credential)
    }

    private func put(_ credential: StoredCredential) {
        insert(credential)
        removedEarly.remove(Key(credential))
        observer?.credentialsChanged()
    }

    private func insert(_ credential: StoredCredential) {
        let held = HeldCredential(credential)
        if credentials[credential.providerID, default: [:]].updateValue(held, forKey: credential.subject) == nil { count += 1 }
    }

    /// It is to be revoked, and is no longer on disk.
    ///
    /// - Returns: the grant that a renewal brought and that never was on disk, in place of the credential's; nil if there is none.
    func removed(_ key: Key) -> StoredCredential? {
        if credentials[key.providerID]?.removeValue(forKey: key.subject) != nil { count -= 1 }
        if !isComplete { removedEarly.insert(key) }
        let unsaved = renewals[key]?.revoked()
        forgetIfOver(key)
        observer?.credentialsChanged()
        return unsaved
    }

    /// Another store is open, or none.
    ///
    /// - Parameter isComplete: these are all; else ``loaded(_:completing:)`` brings the others.
    func replaceAll(_ all: [StoredCredential], isComplete: Bool) {
        self.isComplete = isComplete
        removedEarly = []
        readEarly = []
        credentials = [:]
        count = 0
        for credential in all { insert(credential) }
        // When a provider was asked is remembered: locking and unlocking has nobody asked more often.
        for key in renewals.keys { renewals[key]?.forgotten() }
        observer?.credentialsChanged()
    }

    /// More of a store that was opened, as they stood on disk when they were read. What changed since then is here already.
    ///
    /// - Parameter part: these are the last of it.
    func loaded(_ more: [StoredCredential], completing part: Part?) {
        guard !isComplete else { return }
        for credential in more {
            let key = Key(credential)
            if let held = self[key], held.generation >= credential.generation { continue }
            if !removedEarly.contains(key) { insert(credential) }
        }
        guard let part else { return }
        guard part == .everything else {
            readEarly.insert(part)
            return
        }
        isComplete = true
        removedEarly = []
        readEarly = []
        observer?.credentialsChanged()
    }

    // MARK: Renewals

    /// The credential with the token that will do as it is; nil if there is none, or something of a renewal before waits to be written.
    func stored(
        _ held: HeldCredential, for demand: TokenDemand, _ restriction: TokenRestriction?, dialect: any ProviderDialect, now: Timestamp
    ) -> HeldCredential? {
        // To hash a key takes longer than the rest of this, and there are no renewals for most of a daemon's life.
        let renewal = renewals.isEmpty ? nil : renewals[Key(held.credential)]
        if let restriction {
            return renewal?.stored(restriction, for: demand, of: held.credential, dialect: dialect, now: now).map(HeldCredential.init)
        }
        guard renewal?.holdsUnsaved != true else { return nil }
        return RefreshDecision(for: held.credential, demand, dialect: dialect, now: now) == .useStored ? held : nil
    }

    /// Access tokens that are in memory beside the credential's own, and may still be valid.
    func restrictedGrants(of key: Key, now: Timestamp) -> [Grant] { renewals[key]?.restrictedGrants(now: now) ?? [] }

    /// An event of a credential's renewal.
    func renewal<Result>(of key: Key, _ event: (inout CredentialRenewal<AccessTokens.Requester>) -> Result) -> Result {
        event(&renewals[key, default: CredentialRenewal()])
    }

    /// As ``renewal(of:_:)``, for an event that may be the last of a credential that is gone.
    func renewalEnded<Result>(of key: Key, _ event: (inout CredentialRenewal<AccessTokens.Requester>) -> Result) -> Result {
        defer { forgetIfOver(key) }
        return renewal(of: key, event)
    }

    private func forgetIfOver(_ key: Key) {
        guard self[key] == nil, let renewal = renewals[key], !renewal.isUnderWay, !renewal.holdsUnsaved else { return }
        renewals[key] = nil
    }

    /// The configuration was read again.
    func configurationRead() {
        for key in renewals.keys { renewals[key]?.configurationRead() }
    }

    var holdsUnsaved: Bool { renewals.values.contains(where: \.holdsUnsaved) }

    /// Of what is only in memory.
    var unsaved: [Key] { renewals.filter(\.value.holdsUnsaved).map(\.key) }
}

@DaemonActor
protocol CredentialShelfObserver: AnyObject {
    /// The credential is about to be another one.
    func signedIn(_ key: CredentialShelf.Key)
    /// Some came, went, or are others now.
    func credentialsChanged()
}

extension CredentialShelf.Key {
    init(_ credential: StoredCredential) { self.init(providerID: credential.providerID, subject: credential.subject) }
}

import PosternCore

/// The stored credentials as they are on disk, held in memory so that a cached token needs no disk access; and beside each one what is
/// known of its renewals.
@DaemonActor
final class CredentialCache {
    typealias Key = CredentialKey

    /// A part of the credentials that can be read from the store separately.
    enum Part: Hashable {
        case account(Key)
        /// All accounts at this provider.
        case provider(String)
        case everything
    }

    /// By provider, then by account: a program that asks for a token names the provider, and often nothing else.
    private var credentials: [String: [Key: HeldCredential]] = [:]
    /// Those that the person keeps, by provider.
    private var keptByPerson: [String: Set<Key>] = [:]
    /// A renewal under way outlives its credential.
    private var renewals: [Key: CredentialRenewal<TokenRequester>] = [:]
    /// Removed credentials whose renewals are still there, the oldest first: revoking and importing one again must not cause more
    /// requests.
    private var retired: [Key] = []
    private static let retiredLimit = 64
    private(set) var count = 0
    /// All stored credentials are here. Until then there may be others at the same provider.
    private(set) var isComplete = true
    /// Removed before all were read: a page that was read earlier does not bring them back.
    private var removedEarly: Set<Key> = []
    /// Read before the rest: if one of their credentials is not here, it is not stored.
    private var readEarly: Set<Part> = []
    /// The first part that was needed and has not been read.
    private var missing: Part?
    /// Is notified of each change.
    weak var observer: (any CredentialCacheObserver)?

    var all: [StoredCredential] {
        lookedAt(.everything)
        return credentials.keys.sorted().flatMap { credentials(providerID: $0) }
    }

    subscript(key: Key) -> StoredCredential? { held(key)?.credential }

    func held(_ key: Key) -> HeldCredential? {
        if let held = credentials[key.providerID]?[key] { return held }
        lookedAt(.account(key))
        return nil
    }

    /// The one that a provider's name alone means: the only one that the person keeps; if there is none, the only one of all.
    func onlyCredential(providerID: String) -> HeldCredential? {
        lookedAt(.provider(providerID))
        guard let held = credentials[providerID] else { return nil }
        if let kept = keptByPerson[providerID], let first = kept.first { return kept.count == 1 ? held[first] : nil }
        return held.count == 1 ? held.values.first : nil
    }

    /// Those that a provider's name or a URL may mean, in the order of their subjects: the person's; if there are none, those that apps keep.
    /// What apps do takes nothing from the person, and adds nothing.
    func choosable(providerID: String) -> [StoredCredential] {
        guard let kept = keptByPerson[providerID], !kept.isEmpty, let held = credentials[providerID] else {
            return credentials(providerID: providerID)
        }
        lookedAt(.provider(providerID))
        return kept.sorted().compactMap { held[$0]?.credential }
    }

    /// Those of one provider, in the order of their subjects.
    func credentials(providerID: String) -> [StoredCredential] {
        lookedAt(.provider(providerID))
        let held = credentials[providerID] ?? [:]
        // The names are sorted rather than the credentials, which are large: there may be thousands.
        return held.keys.sorted().compactMap { held[$0]?.credential }
    }

    /// Every one, in no particular order.
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

    // MARK: Credentials not read yet

    /// The first part that a decision needs and that has not been read: with it, the decision may be different. Nil if the decision is
    /// final.
    ///
    /// - Parameter decision: changes nothing, because it is made again when the part has been read.
    func missing(for decision: () -> Void) -> Part? {
        missing = nil
        decision()
        return missing
    }

    private func lookedAt(_ part: Part) {
        if !isComplete, missing == nil, !has(part) { missing = part }
    }

    /// All stored credentials of this part are here.
    func has(_ part: Part) -> Bool {
        if isComplete || readEarly.contains(part) { return true }
        guard case .account(let key) = part else { return false }
        return credentials[key.providerID]?[key] != nil || readEarly.contains(.provider(key.providerID))
    }

    // MARK: Changes

    /// A sign-in wrote this credential, unless it is already known. An older generation that arrives late changes nothing.
    func signedIn(_ credential: StoredCredential) {
        if let held = self[Key(credential)], held.generation >= credential.generation {
            if held.generation == credential.generation { keepersChanged(of: Key(credential), to: credential.keepers) }
            return
        }
        renewals[Key(credential)]?.signedIn()
        observer?.signedIn(Key(credential))
        put(credential)
    }

    /// A renewal wrote this credential, or found it on disk. An older generation that arrives late changes nothing.
    func renewed(_ credential: StoredCredential) {
        guard let held = self[Key(credential)] else { return put(credential) }
        guard held.generation <= credential.generation else { return }
        var credential = credential
        (credential.keepers, credential.signedInAs) = (held.keepers, held.signedInAs)
        put(credential)
    }

    /// Somebody else keeps the credential now, too, or no longer does; its grant is as before.
    func keepersChanged(of key: Key, to keepers: CredentialKeepers) {
        guard var credential = self[key], credential.keepers != keepers else { return }
        credential.keepers = keepers
        insert(credential)
    }

    /// The name that the credential was signed in under is another one now; its grant is as before.
    func nameChanged(of key: Key, to name: SignInName?) {
        guard var credential = self[key], credential.signedInAs != name else { return }
        credential.signedInAs = name
        insert(credential)
    }

    private func put(_ credential: StoredCredential) {
        insert(credential)
        removedEarly.remove(Key(credential))
        observer?.credentialsChanged()
    }

    private func insert(_ credential: StoredCredential) {
        let held = HeldCredential(credential)
        if credential.keepers.isPerson {
            keptByPerson[credential.providerID, default: []].insert(Key(credential))
        } else {
            keptByPerson[credential.providerID]?.remove(Key(credential))
        }
        if credentials[credential.providerID, default: [:]].updateValue(held, forKey: Key(credential)) == nil { count += 1 }
    }

    /// The credential is to be revoked, and is no longer on disk.
    ///
    /// - Returns: the grant of a renewal that was never on disk, instead of the credential's; nil if there is none.
    func removed(_ key: Key) -> StoredCredential? {
        if credentials[key.providerID]?.removeValue(forKey: key) != nil { count -= 1 }
        keptByPerson[key.providerID]?.remove(key)
        if !isComplete { removedEarly.insert(key) }
        let unsaved = renewals[key]?.revoked()
        forgetIfOver(key)
        observer?.credentialsChanged()
        return unsaved
    }

    /// Another store is open, or none.
    ///
    /// - Parameter isComplete: these are all; if false, ``loaded(_:completing:)`` adds the others.
    func replaceAll(_ all: [StoredCredential], isComplete: Bool) {
        self.isComplete = isComplete
        removedEarly = []
        readEarly = []
        credentials = [:]
        keptByPerson = [:]
        count = 0
        for credential in all { insert(credential) }
        // The times of requests to providers are kept: locking and unlocking must not cause more requests.
        for key in renewals.keys { renewals[key]?.forgotten() }
        observer?.credentialsChanged()
    }

    /// Adds more credentials of a store that was opened, as they were on disk when they were read. Later changes are already here.
    ///
    /// - Parameter part: these are its last ones.
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

    /// The credential with the token that will do as it is; nil if there is none, or if an earlier renewal has something that is not
    /// written yet.
    func stored(
        _ held: HeldCredential, for demand: TokenDemand, _ restriction: TokenRestriction?, dialect: any ProviderDialect, now: Timestamp
    ) -> HeldCredential? {
        // Hashing a key takes longer than the rest of this, and for most of a daemon's life there are no renewals.
        let renewal = renewals.isEmpty ? nil : renewals[Key(held.credential)]
        if let restriction {
            return renewal?.stored(restriction, for: demand, of: held.credential, dialect: dialect, now: now).map(HeldCredential.init)
        }
        guard renewal?.holdsUnsaved != true else { return nil }
        return RefreshDecision(for: held.credential, demand, dialect: dialect, now: now) == .useStored ? held : nil
    }

    /// Access tokens that are in memory beside the credential's own, and may still be valid.
    func restrictedGrants(of key: Key, now: Timestamp) -> [Grant] { renewals[key]?.restrictedGrants(now: now) ?? [] }

    /// Handles an event of a credential's renewal.
    func renewal<Result>(of key: Key, _ event: (inout CredentialRenewal<TokenRequester>) -> Result) -> Result {
        event(&renewals[key, default: CredentialRenewal()])
    }

    /// As ``renewal(of:_:)``, for an event that may be the last one of a credential that no longer exists.
    func renewalEnded<Result>(of key: Key, _ event: (inout CredentialRenewal<TokenRequester>) -> Result) -> Result {
        defer { forgetIfOver(key) }
        return renewal(of: key, event)
    }

    private func forgetIfOver(_ key: Key) {
        guard isOver(key) else { return }
        retired.removeAll { $0 == key }
        if renewals[key]?.hasAsked == true { retired.append(key) } else { renewals[key] = nil }
        guard retired.count > Self.retiredLimit else { return }
        let oldest = retired.removeFirst()
        if isOver(oldest) { renewals[oldest] = nil }
    }

    private func isOver(_ key: Key) -> Bool {
        guard self[key] == nil, let renewal = renewals[key] else { return false }
        return !renewal.isUnderWay && !renewal.holdsUnsaved
    }

    /// The configuration was read again.
    func configurationRead() {
        for key in renewals.keys { renewals[key]?.configurationRead() }
    }

    /// Whether only its user can renew the credential.
    func isSignInNeeded(for credential: StoredCredential) -> Bool { observer?.isSignInNeeded(for: credential) ?? false }

    var holdsUnsaved: Bool { renewals.values.contains(where: \.holdsUnsaved) }

    /// The credentials with something that is only in memory.
    var unsaved: [Key] { renewals.filter(\.value.holdsUnsaved).map(\.key) }
}

@DaemonActor
protocol CredentialCacheObserver: AnyObject {
    /// Whether only its user can renew the credential.
    func isSignInNeeded(for credential: StoredCredential) -> Bool
    /// The credential is about to be replaced.
    func signedIn(_ key: CredentialCache.Key)
    /// Credentials, or the configuration, have changed.
    func credentialsChanged()
}

import PosternCore

/// The stored credentials as they stand on disk, held in memory so that a cached token costs no look-up there.
@DaemonActor
final class CredentialShelf {
    struct Key: Hashable {
        var providerID: String
        var subject: String
    }

    /// By provider, then by subject: whoever asks for a token names the provider, and often nothing else.
    private var credentials: [String: [String: StoredCredential]] = [:]
    private(set) var count = 0

    var all: [StoredCredential] { credentials.keys.sorted().flatMap { credentials(providerID: $0) } }

    subscript(key: Key) -> StoredCredential? { credentials[key.providerID]?[key.subject] }

    /// The only one of a provider; nil where there are others, or none.
    func onlyCredential(providerID: String) -> StoredCredential? {
        guard let held = credentials[providerID], held.count == 1 else { return nil }
        return held.values.first
    }

    /// Those of one provider, in the order of their subjects.
    func credentials(providerID: String) -> [StoredCredential] {
        (credentials[providerID] ?? [:]).values.sorted { $0.subject < $1.subject }
    }

    func isEmpty(providerID: String) -> Bool { credentials[providerID]?.isEmpty ?? true }

    /// On disk now. An older generation that arrives late changes nothing.
    func stored(_ credential: StoredCredential) {
        let key = Key(credential)
        let held = self[key]
        if let held, held.generation > credential.generation { return }
        if held == nil { count += 1 }
        credentials[key.providerID, default: [:]][key.subject] = credential
    }

    func removed(_ key: Key) {
        guard credentials[key.providerID]?.removeValue(forKey: key.subject) != nil else { return }
        count -= 1
    }

    func replaceAll(_ all: [StoredCredential]) {
        credentials = Dictionary(grouping: all, by: \.providerID)
            .mapValues { Dictionary($0.map { ($0.subject, $0) }, uniquingKeysWith: { $1 }) }
        count = credentials.values.reduce(0) { $0 + $1.count }
    }
}

extension CredentialShelf.Key {
    init(_ credential: StoredCredential) { self.init(providerID: credential.providerID, subject: credential.subject) }
}

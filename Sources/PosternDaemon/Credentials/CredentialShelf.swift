import PosternCore

/// The stored credentials as they stand on disk, held in memory so that a cached token costs no look-up there.
@DaemonActor
final class CredentialShelf {
    struct Key: Hashable {
        var providerID: String
        var subject: String
    }

    private var credentials: [Key: StoredCredential] = [:]

    var count: Int { credentials.count }

    var all: [StoredCredential] {
        credentials.values.sorted { ($0.providerID, $0.subject) < ($1.providerID, $1.subject) }
    }

    subscript(key: Key) -> StoredCredential? { credentials[key] }

    /// Those of one provider, in the order of their subjects.
    func credentials(providerID: String) -> [StoredCredential] { all.filter { $0.providerID == providerID } }

    /// On disk now. An older generation that arrives late changes nothing.
    func stored(_ credential: StoredCredential) {
        let key = Key(credential)
        if let held = credentials[key], held.generation > credential.generation { return }
        credentials[key] = credential
    }

    func removed(_ key: Key) { credentials[key] = nil }

    func replaceAll(_ all: [StoredCredential]) {
        credentials = Dictionary(all.map { (Key($0), $0) }, uniquingKeysWith: { $1 })
    }
}

extension CredentialShelf.Key {
    init(_ credential: StoredCredential) { self.init(providerID: credential.providerID, subject: credential.subject) }
}

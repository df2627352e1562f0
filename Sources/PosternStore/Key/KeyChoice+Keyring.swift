import PosternCore
import PosternCrypto

/// A key in the keyring, in an item of its own for each store.
extension KeyChoice {
    func fromKeyring(in directory: String) throws(StoreError) -> SourcedKey {
        let pending = PendingKeyringItem(in: directory)
        let item: KeyringItem
        if let begun = pending.item { item = begun } else { item = try StoreError.wrapping(random: KeyringItem.random(), in: directory) }
        // Created by an earlier run that was stopped between the key and the store. If it is not a key, it is overwritten: nothing was
        // sealed with it.
        if let secret = try find(item, in: directory).first, let key = KeyText.decode(madeElsewhere: secret) {
            return SourcedKey(source: .secretService(item), key: key)
        }
        let key = try StoreError.wrapping(random: SealingKey.generate(), in: directory)
        try save(key, as: item, pending, in: directory)
        return SourcedKey(source: .secretService(item), key: key)
    }

    func keysFromKeyring(_ item: KeyringItem, in directory: String) throws(StoreError) -> [SealingKey] {
        let secrets = try find(item, in: directory)
        let keys = secrets.compactMap(KeyText.decode(madeElsewhere:))
        guard keys.isEmpty else { return keys }
        // Reports what is wrong with it.
        if let secret = secrets.first { return [try decode(secret, from: .secretService(item), in: directory)] }
        throw StoreError(
            .keyMissing, file: directory, reason: "the store is sealed with a key in the Secret Service, but the key is missing",
            advice:
                "put the item back into the keyring, with the attributes \(Self.attributes(item)), or move the store away to start with a new one"
        )
    }

    /// For sentences, and as arguments of `secret-tool`.
    public static func attributes(_ item: KeyringItem) -> String {
        attributes(of: item).map { "\($0)=\($1)" }.joined(separator: " ")
    }

    /// The attributes by which the item is found.
    public static func attributes(of item: KeyringItem) -> [(String, String)] {
        [("application", "postern"), ("store-key", item.name)]
    }

    /// Returns when the keyring has returned what was saved: only then is anything sealed with it.
    private func save(_ key: SealingKey, as item: KeyringItem, _ pending: PendingKeyringItem, in directory: String) throws(StoreError) {
        if pending.item != item { try pending.write(item) }
        do throws(KeyringUnavailable) { try keyring?.save(Secret(KeyText.encode(key)), as: item) } catch {
            throw unavailable(error, in: directory)
        }
        let kept = try find(item, in: directory)
        guard !kept.isEmpty, kept.allSatisfy({ KeyText.decode(madeElsewhere: $0)?.bytes == key.bytes }) else {
            throw unavailable(
                KeyringUnavailable(
                    reason: "it did not return the saved key",
                    advice: "check the keyring with its own program; or set key = \"file\" under [store]"), in: directory)
        }
    }

    private func find(_ item: KeyringItem, in directory: String) throws(StoreError) -> [Secret] {
        guard let keyring else {
            throw unavailable(
                KeyringUnavailable(reason: "there is no session bus", advice: "start the daemon within the desktop's session"),
                in: directory)
        }
        do throws(KeyringUnavailable) { return try keyring.find(item) } catch { throw unavailable(error, in: directory) }
    }

    private func unavailable(_ error: KeyringUnavailable, in directory: String) -> StoreError {
        StoreError(
            .keyUnavailable, file: directory, reason: "the Secret Service, which has the store's key, did not return it: \(error.reason)",
            advice: error.advice)
    }
}

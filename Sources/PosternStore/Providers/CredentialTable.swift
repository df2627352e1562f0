import PosternCore

/// Stored grants, one for each account at a provider.
struct CredentialTable {
    let connection: Connection
    let sealer: Sealer

    func count() throws(StoreError) -> Int {
        Int(try connection.first("SELECT count(*) FROM credentials", read: Row.onlyInteger) ?? 0)
    }

    /// One page of them, in the order of their arrival.
    ///
    /// - Parameter position: of the last row that was read.
    func page(after position: Int64, limit: Int) throws(StoreError) -> CredentialPage {
        var (last, count) = (position, 0)
        let listing = try connection.listing(
            "SELECT provider_id, subject_index, generation, sealed, rowid FROM credentials WHERE rowid > ? ORDER BY rowid LIMIT ?",
            [.integer(position), .integer(Int64(limit))]
        ) { (row: borrowing Row) throws(StoreError) in
            (last, count) = (try row.integer(4), count + 1)
            return try opened(row)
        }
        return CredentialPage(credentials: listing, next: count == limit ? last : nil)
    }

    /// One page of a provider's, in the order of the index that they are found by.
    ///
    /// - Parameter position: the subject's index in the last row that was read.
    func page(
        providerID: String, after position: [UInt8], limit: Int
    ) throws(StoreError) -> (credentials: Listing<StoredCredential>, next: [UInt8]?) {
        var (last, count) = (position, 0)
        let listing = try connection.listing(
            """
            SELECT provider_id, subject_index, generation, sealed FROM credentials
            WHERE provider_id = ? AND subject_index > ? ORDER BY subject_index LIMIT ?
            """, [.text(providerID), .blob(position), .integer(Int64(limit))]
        ) { (row: borrowing Row) throws(StoreError) in
            (last, count) = (try row.blob(1), count + 1)
            return try opened(row)
        }
        return (credentials: listing, next: count == limit ? last : nil)
    }

    /// All of a provider's; unreadable rows are left out.
    func all(providerID: String) throws(StoreError) -> [StoredCredential] {
        try connection.listing(
            "SELECT provider_id, subject_index, generation, sealed FROM credentials WHERE provider_id = ?", [.text(providerID)],
            read: opened
        ).values
    }

    func credential(providerID: String, subject: String) throws(StoreError) -> StoredCredential? {
        try connection.first(
            """
            SELECT provider_id, subject_index, generation, sealed FROM credentials
            WHERE provider_id = ? AND subject_index = ?
            """, key(providerID, subject), read: opened)
    }

    /// To be called inside a transaction.
    ///
    /// The generation of a credential that was deleted and stored again does not begin at 1: otherwise the result of a request for the
    /// earlier one could be mistaken for a result for this one.
    ///
    /// - Returns: the credential with its generation.
    func upsert(_ credential: StoredCredential) throws(StoreError) -> StoredCredential {
        let generation = try connection.first(
            """
            INSERT INTO credentials (provider_id, subject_index, generation, sealed)
            VALUES (?1, ?2, 1 + coalesce((SELECT value FROM meta WHERE name = 'credential_generation'), 0), ?3)
            ON CONFLICT (provider_id, subject_index) DO UPDATE SET generation = generation + 1, sealed = ?3
            RETURNING generation
            """, key(credential.providerID, credential.subject) + [.blob(try seal(credential))], read: Row.onlyInteger)
        guard let generation else { throw StoreError(.internal, file: sealer.file, reason: "a credential has no generation") }
        var stored = credential
        stored.generation = generation
        return stored
    }

    /// To be called inside a transaction. The keepers and the name stay those on disk: they may have changed since the grant was read.
    ///
    /// - Returns: false if the stored one has another generation by now, or no longer exists.
    func replace(_ credential: StoredCredential, ifGeneration generation: Int64) throws(StoreError) -> Bool {
        var credential = credential
        if let stored = try readable(CredentialKey(credential)) {
            (credential.keepers, credential.signedInAs) = (stored.keepers, stored.signedInAs)
        }
        return try connection.run(
            """
            UPDATE credentials SET generation = generation + 1, sealed = ?3
            WHERE provider_id = ?1 AND subject_index = ?2 AND generation = ?4
            """, key(credential.providerID, credential.subject) + [.blob(try seal(credential)), .integer(generation)]) == 1
    }

    /// To be called inside a transaction. The keepers and the name stay those on disk, and the generation stays as it is.
    func mark(_ credential: StoredCredential) throws(StoreError) {
        var credential = credential
        guard let stored = try readable(CredentialKey(credential)) else { return }
        (credential.keepers, credential.signedInAs) = (stored.keepers, stored.signedInAs)
        try connection.run(
            "UPDATE credentials SET sealed = ?3 WHERE provider_id = ?1 AND subject_index = ?2 AND generation = ?4",
            key(credential.providerID, credential.subject) + [.blob(try seal(credential)), .integer(credential.generation)])
    }

    /// To be called inside a transaction. The grant, and so its generation, stays as it is.
    ///
    /// - Returns: nil if there is none.
    func setKeepers(_ keepers: CredentialKeepers, of key: CredentialKey) throws(StoreError) -> StoredCredential? {
        guard var stored = try readable(key) else { return nil }
        stored.keepers = keepers
        try reseal(stored)
        return stored
    }

    /// To be called inside a transaction. Does nothing if the credential has another name by now, or no longer exists.
    func setName(_ name: SignInName?, of key: CredentialKey, insteadOf former: SignInName) throws(StoreError) {
        guard var stored = try readable(key), stored.signedInAs == former else { return }
        stored.signedInAs = name
        try reseal(stored)
    }

    private func reseal(_ stored: StoredCredential) throws(StoreError) {
        try connection.run(
            "UPDATE credentials SET sealed = ?3 WHERE provider_id = ?1 AND subject_index = ?2",
            key(stored.providerID, stored.subject) + [.blob(try seal(stored))])
    }

    /// To be called inside a transaction: no app keeps it any more. One that nobody keeps is deleted, as is one that cannot be decrypted.
    ///
    /// - Returns: what was deleted, and can be revoked.
    func release(_ key: CredentialKey) throws(StoreError) -> StoredCredential? {
        let stored = try readable(key)
        if let keepers = stored?.keepers.withoutApps {
            _ = try setKeepers(keepers, of: key)
            return nil
        }
        _ = try delete(providerID: key.providerID, subject: key.subject)
        return stored
    }

    /// Nil also for one that cannot be decrypted.
    func readable(_ key: CredentialKey) throws(StoreError) -> StoredCredential? {
        do throws(StoreError) { return try credential(providerID: key.providerID, subject: key.subject) } catch {
            guard error.kind == .damagedRow else { throw error }
            return nil
        }
    }

    /// To be called inside a transaction. False if there was none.
    func delete(providerID: String, subject: String) throws(StoreError) -> Bool {
        let row = try connection.first(
            "SELECT rowid FROM credentials WHERE provider_id = ? AND subject_index = ?", key(providerID, subject), read: Row.onlyInteger)
        guard let row else { return false }
        try delete(row)
        return true
    }

    /// To be called inside a transaction. Those that cannot be decrypted.
    ///
    /// - Parameter subject: nil for all of the provider's.
    /// - Returns: how many there were.
    func deleteDamaged(providerID: String, subject: String?) throws(StoreError) -> Int {
        let index = subject.map { sealer.index(providerID: providerID, subject: $0) }
        let damaged = try connection.query(
            """
            SELECT provider_id, subject_index, generation, sealed, rowid FROM credentials
            WHERE provider_id = ?1 AND (?2 IS NULL OR subject_index = ?2)
            """, [.text(providerID), .blob(orNull: index)]
        ) { (row: borrowing Row) throws(StoreError) -> Int64? in
            do throws(StoreError) {
                _ = try opened(row)
                return nil
            } catch {
                guard error.kind == .damagedRow else { throw error }
                return try row.integer(4)
            }
        }.compactMap(\.self)
        for row in damaged { try delete(row) }
        return damaged.count
    }

    /// What has another type was never a generation.
    private func delete(_ row: Int64) throws(StoreError) {
        try connection.run(
            """
            INSERT INTO meta (name, value)
            SELECT 'credential_generation', generation FROM credentials WHERE rowid = ? AND typeof(generation) = 'integer'
            ON CONFLICT (name) DO UPDATE SET value = max(value, excluded.value)
            """, [.integer(row)])
        try connection.run("DELETE FROM credentials WHERE rowid = ?", [.integer(row)])
    }

    private func key(_ providerID: String, _ subject: String) -> [SQLValue] {
        [.text(providerID), .blob(sealer.index(providerID: providerID, subject: subject))]
    }

    private func seal(_ credential: StoredCredential) throws(StoreError) -> [UInt8] {
        let index = sealer.index(providerID: credential.providerID, subject: credential.subject)
        return try sealer.seal(credential, at: SealedColumn(.credential, Array(credential.providerID.utf8), index))
    }

    /// Of the columns `provider_id`, `subject_index`, `generation` and `sealed`.
    private func opened(_ row: borrowing Row) throws(StoreError) -> StoredCredential {
        let generation = try row.integer(2)
        let place = SealedColumn(.credential, Array(try row.text(0).utf8), try row.blob(1))
        var credential: StoredCredential = try sealer.open(try row.blob(3), at: place)
        credential.generation = generation
        return credential
    }
}

import PosternCore

extension Store {
    /// At most this many of those after a position; the first is ``CredentialPage/start``.
    public func credentials(after position: Int64, limit: Int) throws(StoreError) -> CredentialPage {
        try tables.credentials.page(after: position, limit: limit)
    }

    /// At most this many of a provider's, in no meaningful order.
    ///
    /// - Parameter position: where the previous page ended; empty for the first.
    /// - Returns: the page, and where the next one begins; nil if this is the last one.
    public func credentials(
        providerID: String, after position: [UInt8], limit: Int
    ) throws(StoreError) -> (credentials: Listing<StoredCredential>, next: [UInt8]?) {
        try tables.credentials.page(providerID: providerID, after: position, limit: limit)
    }

    public func credential(providerID: String, subject: String) throws(StoreError) -> StoredCredential? {
        try tables.credentials.credential(providerID: providerID, subject: subject)
    }

    /// Replaces the credential that was refreshed, and no other.
    ///
    /// - Parameter ifGeneration: the generation that was refreshed. The new one gets the next.
    /// - Returns: true when it is on disk; false, with nothing changed, if it was replaced or deleted meanwhile.
    public func replaceCredential(_ new: StoredCredential, ifGeneration: Int64) throws(StoreError) -> Bool {
        try transaction { tables throws(StoreError) in try tables.credentials.replace(new, ifGeneration: ifGeneration) }
    }

    /// Notes something about a grant, unless it was replaced; its generation stays as it is.
    public func mark(_ credential: StoredCredential) throws(StoreError) {
        try transaction { tables throws(StoreError) in try tables.credentials.mark(credential) }
    }

    /// Gives a credential another name of the configuration, or none; its grant stays as it is.
    ///
    /// - Parameter former: does nothing if the credential has another one by now.
    public func setName(_ name: SignInName?, of key: CredentialKey, insteadOf former: SignInName) throws(StoreError) {
        try transaction { tables throws(StoreError) in try tables.credentials.setName(name, of: key, insteadOf: former) }
    }

    /// - Parameter isRevoked: it is noted, too, that it is to be revoked.
    /// - Returns: the deleted credential, if it could be read; nil also if there was none.
    @discardableResult
    public func deleteCredential(providerID: String, subject: String, isRevoked: Bool = false) throws(StoreError) -> StoredCredential? {
        try transaction { tables throws(StoreError) in
            // A damaged one can still be deleted.
            let last = try? tables.credentials.credential(providerID: providerID, subject: subject)
            _ = try tables.credentials.delete(providerID: providerID, subject: subject)
            if isRevoked, let last { try tables.revoke(last) }
            return last
        }
    }

    /// Deletes credentials that cannot be decrypted, and no others: nobody can use them, and nothing else would remove them.
    ///
    /// - Parameter subject: only this account's; nil for all of the provider's.
    /// - Returns: how many there were.
    public func deleteDamagedCredentials(providerID: String, subject: String?) throws(StoreError) -> Int {
        try transaction { tables throws(StoreError) in
            try tables.credentials.deleteDamaged(providerID: providerID, subject: subject)
        }
    }
}

extension Store {
    private static let registrationsName = "client-registrations"
    private static let attentionName = "attention"
    private static let importsName = "imports"

    /// The clients that providers registered (RFC 7591).
    public func registeredClients() throws(StoreError) -> [RegisteredClient] {
        try tables.settings.value(Self.registrationsName, as: RegisteredClients.self)?.clients ?? []
    }

    /// Replaces those that were stored before.
    public func keep(registeredClients clients: [RegisteredClient]) throws(StoreError) {
        try tables.settings.set(Self.registrationsName, to: clients.isEmpty ? nil : RegisteredClients(clients: clients))
    }

    /// What has been reported about credentials.
    public func attention() throws(StoreError) -> AttentionLedger { try tables.settings.value(Self.attentionName) ?? AttentionLedger() }

    /// Replaces what was stored before.
    public func keep(attention ledger: AttentionLedger) throws(StoreError) {
        try tables.settings.set(Self.attentionName, to: ledger.entries.isEmpty ? nil : ledger)
    }

    /// Changes what is to be revoked.
    ///
    /// - Returns: all of it, as it is now.
    @discardableResult
    public func changeRevocations(_ change: @Sendable (inout RevocationLedger) -> Void) throws(StoreError) -> RevocationLedger {
        try transaction { tables throws(StoreError) in try tables.changeRevocations(change) }
    }

    /// What was imported from other programs.
    public func imports() throws(StoreError) -> ImportLedger { try tables.settings.value(Self.importsName) ?? ImportLedger() }

    /// Replaces what was stored before.
    public func keep(imports ledger: ImportLedger) throws(StoreError) {
        try tables.settings.set(Self.importsName, to: ledger.entries.isEmpty ? nil : ledger)
    }
}

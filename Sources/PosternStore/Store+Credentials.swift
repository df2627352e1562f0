import PosternCore

extension Store {
    /// In the order of provider ids, then of arrival.
    public func credentials() throws(StoreError) -> Listing<StoredCredential> { try tables.credentials.all() }

    public func credential(providerID: String, subject: String) throws(StoreError) -> StoredCredential? {
        try tables.credentials.credential(providerID: providerID, subject: subject)
    }

    /// Puts a refreshed credential in place of the one that was refreshed, and of no other.
    ///
    /// - Parameter ifGeneration: the generation that was refreshed. The new one gets the next.
    /// - Returns: true when it is on disk; false, with nothing changed, where another came first or it was deleted.
    public func replaceCredential(_ new: StoredCredential, ifGeneration: Int64) throws(StoreError) -> Bool {
        try tables.credentials.replace(new, ifGeneration: ifGeneration)
    }

    /// - Returns: what was deleted, where it could be read; nil also where there was none.
    @discardableResult
    public func deleteCredential(providerID: String, subject: String) throws(StoreError) -> StoredCredential? {
        let tables = try tables
        return try tables.connection.transaction { () throws(StoreError) in
            // One that is damaged can still be deleted.
            let last = try? tables.credentials.credential(providerID: providerID, subject: subject)
            _ = try tables.credentials.delete(providerID: providerID, subject: subject)
            return last
        }
    }
}

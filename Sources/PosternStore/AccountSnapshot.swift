import PosternCore

/// The accounts as they stand inside one transaction, for a decision that nothing may come between.
///
/// It cannot be kept: it is lent to the deciding closure and is not copyable.
public struct AccountSnapshot: ~Copyable {
    let users: UserTable
    let credentials: CredentialTable

    public func user(uid: String) throws(StoreError) -> User? { try users.user(uid: uid) }

    /// The user that an identity belongs to.
    public func user(identity providerID: String, subject: String) throws(StoreError) -> User? {
        try users.user(providerID: providerID, subject: subject)
    }

    /// Those whose own address it is, letter case apart; several where addresses may be shared.
    public func users(email: String) throws(StoreError) -> [User] { try users.users(email: email) }

    public func currentUser(app: String) throws(StoreError) -> User? { try users.currentUser(app: app) }

    public func credential(providerID: String, subject: String) throws(StoreError) -> StoredCredential? {
        try credentials.credential(providerID: providerID, subject: subject)
    }
}

extension OpenedStore {
    var snapshot: AccountSnapshot { AccountSnapshot(users: users, credentials: credentials) }

    /// Inside a transaction.
    func apply(_ changes: AccountChanges) throws(StoreError) {
        if let user = changes.upsertUser { try users.upsert(user) }
        if let current = changes.currentUser { try users.setCurrentUser(app: current.app, uid: current.uid) }
        if let credential = changes.upsertCredential { try credentials.upsert(credential) }
    }
}

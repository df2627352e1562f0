import PosternCore
import StrictJSON

extension Store {
    public func user(uid: String) throws(StoreError) -> User? { try tables.users.user(uid: uid) }

    /// The user that an identity belongs to.
    public func user(identity providerID: String, subject: String) throws(StoreError) -> User? {
        try tables.users.user(providerID: providerID, subject: subject)
    }

    /// The identities of one provider, of all users, as far as they can be read.
    public func identities(providerID: String, limit: Int = 256) throws(StoreError) -> [Identity] {
        try tables.users.identities(providerID: providerID, limit: limit)
    }

    /// Those whose own address it is, letter case apart.
    public func users(email: String) throws(StoreError) -> [User] { try tables.users.users(email: email) }

    public func currentUser(app: String) throws(StoreError) -> User? { try tables.users.currentUser(app: app) }

    /// - Parameter uid: nil signs the app out.
    public func setCurrentUser(app: String, uid: String?) throws(StoreError) { try tables.users.setCurrentUser(app: app, uid: uid) }

    /// - Throws: ``StoreError/Kind/conflict`` where an identity has another user by now, or a user is not there.
    public func apply(_ changes: AccountChanges) throws(StoreError) {
        let tables = try tables
        try tables.connection.transaction { () throws(StoreError) in try tables.apply(changes) }
    }

    /// Looks, decides and changes in one transaction.
    ///
    /// - Parameter deciding: called once, on the store's thread; what it throws is thrown on, with nothing changed.
    public func signIn<Value: Sendable>(
        deciding: @Sendable (borrowing AccountSnapshot) throws -> (Value, AccountChanges)
    ) throws -> Value {
        let tables = try tables
        return try tables.connection.transaction(deciding: {
            let (value, changes) = try deciding(tables.snapshot)
            try tables.apply(changes)
            return value
        })
    }

    /// As ``signIn(deciding:)``, using up a credential handle in the same transaction.
    ///
    /// - Returns: nil where the handle is unknown, used or expired. Where the decision throws, the handle stays good.
    public func signIn<Value: Sendable>(
        handle: String, now: Timestamp,
        deciding: @Sendable (HandleRecord, borrowing AccountSnapshot) throws -> (Value, AccountChanges)
    ) throws -> Value? {
        let tables = try tables
        return try tables.connection.transaction(deciding: {
            guard let record = try tables.handles.take(handle, now: now) else { return nil }
            let (value, changes) = try deciding(record, tables.snapshot)
            try tables.apply(changes)
            return value
        })
    }

    /// What the handle stands for, once: nil where it is unknown, used or expired.
    public func consumeHandle(_ handle: String, now: Timestamp) throws(StoreError) -> HandleRecord? {
        let tables = try tables
        return try tables.connection.transaction { () throws(StoreError) in try tables.handles.take(handle, now: now) }
    }

    public func counts() throws(StoreError) -> (users: Int, credentials: Int) {
        (users: try tables.users.count(), credentials: try tables.credentials.count())
    }

    /// A small document that was learnt once, such as what a dynamic registration gave.
    public func setting(_ name: String) throws(StoreError) -> JSONObject? { try tables.settings.value(name) }

    /// - Parameter value: nil forgets it.
    public func setSetting(_ name: String, to value: JSONObject?) throws(StoreError) { try tables.settings.set(name, to: value) }
}

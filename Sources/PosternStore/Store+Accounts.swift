import PosternCore
import StrictJSON

extension Store {
    public func user(uid: String) throws(StoreError) -> User? { try tables.users.user(uid: uid) }

    /// The user that an identity belongs to.
    public func user(identity providerID: String, subject: String) throws(StoreError) -> User? {
        try tables.users.user(providerID: providerID, subject: subject)
    }

    /// The identities at a provider that a hint may mean.
    public func identities(providerID: String, meantBy hint: String, glance: Int = 256) throws(StoreError) -> [Identity] {
        try tables.users.identities(providerID: providerID, meantBy: hint, glance: glance)
    }

    /// The users whose own address this is, ignoring case.
    public func users(email: String) throws(StoreError) -> [User] { try tables.users.users(email: email) }

    /// The app's sign-in and its user.
    public func current(app: AppName) throws(StoreError) -> (signIn: AppSignIn, user: User)? { try tables.users.current(app: app) }

    /// - Returns: the user that was signed in to the app; nil if there was none.
    @discardableResult
    public func signOut(app: AppName) throws(StoreError) -> String? {
        try transaction { tables throws(StoreError) in
            let uid = try tables.users.signOut(app: app)
            if let uid { try tables.endPending(of: uid, app: app) }
            return uid
        }
    }

    /// - Throws: ``StoreError/Kind/conflict`` if an identity has another user by now, or a user does not exist.
    public func apply(_ changes: AccountChanges) throws(StoreError) {
        try transaction { tables throws(StoreError) in _ = try tables.apply(changes) }
    }

    /// Reads, decides and changes in one transaction.
    ///
    /// - Parameter deciding: called once, on the store's thread; if it throws, its error is rethrown, with nothing changed.
    public func change<Value: Sendable>(
        deciding: @Sendable (borrowing AccountSnapshot) throws(AccountFailure) -> (Value, AccountChanges)
    ) throws(AccountFailure) -> Value {
        try decision { tables throws(AccountFailure) in
            let (value, changes) = try deciding(StoredAccounts(tables: tables))
            _ = try AccountFailure.wrapping(store: tables.apply(changes))
            return value
        }
    }

    /// As ``change(deciding:)``, using up a credential handle in the same transaction.
    ///
    /// - Returns: nil if the handle is unknown, used or expired. If the decision throws, the handle stays valid.
    public func change<Value: Sendable>(
        handle: String, now: Timestamp,
        deciding: @Sendable (HandleRecord, borrowing AccountSnapshot) throws(AccountFailure) -> (Value, AccountChanges)
    ) throws(AccountFailure) -> Value? {
        try decision { tables throws(AccountFailure) in
            guard let record = try AccountFailure.wrapping(store: tables.handles.take(handle, now: now)) else { return nil }
            let (value, changes) = try deciding(record, StoredAccounts(tables: tables))
            _ = try AccountFailure.wrapping(store: tables.apply(changes))
            return value
        }
    }

    /// Many changes, each as in ``apply(_:)``, in one transaction.
    package func apply(_ all: [AccountChanges]) throws(StoreError) {
        try transaction { tables throws(StoreError) in
            for changes in all { _ = try tables.apply(changes) }
        }
    }

    /// Stores a handle that a program is about to receive.
    public func add(_ handle: HandleRecord) throws(StoreError) {
        try transaction { tables throws(StoreError) in
            try tables.handles.deleteExpired(now: handle.expiresAt.adding(seconds: -HandleRecord.lifetimeSeconds))
            try tables.insert(handle)
        }
    }

    /// What the handle stands for, once; nil if it is unknown, used or expired.
    public func consumeHandle(_ handle: String, now: Timestamp) throws(StoreError) -> HandleRecord? {
        try transaction { tables throws(StoreError) in try tables.handles.take(handle, now: now) }
    }

    /// Stores a challenge whose code is about to be requested; deletes those that are over, which nothing else would do.
    public func add(_ challenge: CodeChallenge, now: Timestamp) throws(StoreError) {
        try transaction { tables throws(StoreError) in
            try tables.deleteExpiredChallenges(now: now)
            try tables.challenges.upsert(challenge)
        }
    }

    /// The users with this address, either their own or reported by a provider for a linked account, ignoring case.
    public func users(anyEmail email: String) throws(StoreError) -> [User] { try tables.users.users(anyEmail: email) }

    public func counts() throws(StoreError) -> (users: Int, credentials: Int) {
        (users: try tables.users.count(), credentials: try tables.credentials.count())
    }

    /// A small document that is obtained once, such as the result of a dynamic registration.
    public func setting(_ name: String) throws(StoreError) -> JSONObject? { try tables.settings.value(name) }

    /// - Parameter value: nil deletes it.
    public func setSetting(_ name: String, to value: JSONObject?) throws(StoreError) { try tables.settings.set(name, to: value) }
}

extension OpenedStore {
    /// To be called inside a transaction.
    func deleteExpiredChallenges(now: Timestamp) throws(StoreError) {
        try challenges.deleteExpired(now: now)
        try attempts.deleteOld(now: now)
    }
}

import PosternCore

/// What survives the daemon: sessions, users and credentials.
///
/// What a method wrote is on disk when it returns. After an error nothing of the change is there.
public protocol ApplicationStore: SessionStore, AccountStore, CredentialStore, FirebaseSessionStore, UserTokenKeyStore {
    /// Its key is in nobody's memory but a user's, and this process's: it does not come back by itself.
    var isOpenedByPassphrase: Bool { get }
    /// Returns where the passphrase is the one that the store was made with; takes some tenths of a second, on the thread of its caller.
    ///
    /// - Throws: ``StoreError/Kind/wrongPassphrase``, or ``StoreError/Kind/passphraseUnwanted`` if it was made with none.
    func check(passphrase: Secret) throws(StoreError)
    /// More waits for it than it does within about a second: who comes now is better told so than kept waiting.
    var isOverloaded: Bool { get }

    func registeredClients() async throws(StoreError) -> [RegisteredClient]
    func keep(registeredClients clients: [RegisteredClient]) async throws(StoreError)
    func attention() async throws(StoreError) -> AttentionLedger
    func keep(attention ledger: AttentionLedger) async throws(StoreError)
    func imports() async throws(StoreError) -> ImportLedger
    func keep(imports ledger: ImportLedger) async throws(StoreError)
    func counts() async throws(StoreError) -> (users: Int, credentials: Int)
    /// What is needed before anything is answered, with so many credentials at most.
    func remains(now: Timestamp, credentials limit: Int) async throws(StoreError) -> StoreRemains
    /// What can wait until after the first answers: checks the whole store, and deletes what has expired.
    ///
    /// - Throws: ``StoreError/Kind/damaged`` where it is not; nothing was changed then, and nothing can be.
    func tidy(now: Timestamp) async throws(StoreError)
    /// Every later call fails with ``StoreError/Kind/closed``.
    func close() async
}

/// Sign-ins under way, and their results until they are fetched.
public protocol SessionStore: Sendable {
    func begin(_ signIn: StoredSignIn) async throws(StoreError)
    /// - Throws: ``StoreError/Kind/sessionOver`` if the session no longer waits for a callback.
    func addState(hash: [UInt8], to sessionID: String) async throws(StoreError)
    /// As ``addState(hash:to:)``, for a page of OAuth 1.0a: its request token is among the secrets.
    func addRequestToken(
        _ secrets: FlowSecrets, device: DeviceAuthorization?, key: [UInt8], to sessionID: String
    ) async throws(StoreError)
    /// The code that a session waits with, or that it has none any more.
    func keep(_ secrets: FlowSecrets, device: DeviceAuthorization?, of sessionID: String) async throws(StoreError)
    func extend(sessionID: String, until moment: Timestamp) async throws(StoreError)
    /// - Returns: true to one caller, when no later process can find it undone; false if the session was not pending.
    func markExchanging(sessionID: String) async throws(StoreError) -> Bool
    func finish(
        sessionID: String, outcome: SignInOutcome, changes: AccountChanges?, expiresAt: Timestamp?
    ) async throws(StoreError)
    /// Ends the session with what is decided inside the transaction; what the decision throws is thrown on, with nothing changed.
    func finish(
        sessionID: String, expiresAt: Timestamp?,
        deciding: @Sendable (borrowing AccountSnapshot) throws(AccountFailure) -> (SignInOutcome, AccountChanges)
    ) async throws(AccountFailure) -> SignInOutcome
    /// - Returns: false if there is no result or it was handed over before.
    func markDelivered(sessionID: String) async throws(StoreError) -> Bool
    func addHandles(_ handles: [HandleRecord], of sessionID: String) async throws(StoreError) -> Bool
    func deleteHandles(_ handles: [Secret]) async throws(StoreError)
    func deleteSessions(ids: [String]) async throws(StoreError)
}

extension SessionStore {
    func finish(sessionID: String, outcome: SignInOutcome, expiresAt: Timestamp? = nil) async throws(StoreError) {
        try await finish(sessionID: sessionID, outcome: outcome, changes: nil, expiresAt: expiresAt)
    }
}

/// Users, and who an app is signed in as.
public protocol AccountStore: Sendable {
    func identities(providerID: String, meantBy hint: String) async throws(StoreError) -> [Identity]
    func users(email: String) async throws(StoreError) -> [User]
    func users(anyEmail email: String) async throws(StoreError) -> [User]
    func current(app: String) async throws(StoreError) -> (signIn: AppSignIn, user: User)?
    /// - Returns: the user that the app was signed in as; nil if it had none.
    func signOut(app: String) async throws(StoreError) -> String?
    /// Looks, decides and changes in one transaction; what the decision throws is thrown on, with nothing changed.
    func change<Value: Sendable>(
        deciding: @Sendable (borrowing AccountSnapshot) throws(AccountFailure) -> (Value, AccountChanges)
    ) async throws(AccountFailure) -> Value
    /// As ``change(deciding:)``, using up a credential handle in the same transaction.
    ///
    /// - Returns: nil if the handle is unknown, used or expired. If the decision throws, the handle stays good.
    func change<Value: Sendable>(
        handle: String, now: Timestamp,
        deciding: @Sendable (HandleRecord, borrowing AccountSnapshot) throws(AccountFailure) -> (Value, AccountChanges)
    ) async throws(AccountFailure) -> Value?
    /// A handle that a program is about to learn.
    func add(_ handle: HandleRecord) async throws(StoreError)
    /// What a handle stands for, which stays good; nil if it is unknown, used or expired.
    func handle(_ handle: String, now: Timestamp) async throws(StoreError) -> HandleRecord?
    func consumeHandle(_ handle: String, now: Timestamp) async throws(StoreError) -> HandleRecord?
    /// A code is about to be asked for; what is over is deleted.
    func add(_ challenge: CodeChallenge, now: Timestamp) async throws(StoreError)
}

/// The credentials of accounts at providers.
public protocol CredentialStore: Sendable {
    /// - Parameter position: where the page before ended.
    func credentials(after position: Int64, limit: Int) async throws(StoreError) -> CredentialPage
    /// - Parameter position: where the page before ended; empty for the first.
    /// - Returns: nil for where the next page begins where this is the last one.
    func credentials(
        providerID: String, after position: [UInt8], limit: Int
    ) async throws(StoreError) -> (credentials: Listing<StoredCredential>, next: [UInt8]?)
    func credential(providerID: String, subject: String) async throws(StoreError) -> StoredCredential?
    /// - Returns: false, with nothing changed, where another generation is on disk.
    func replaceCredential(_ new: StoredCredential, ifGeneration: Int64) async throws(StoreError) -> Bool
    func deleteCredential(providerID: String, subject: String) async throws(StoreError) -> StoredCredential?
}

/// Who an app is signed in as at a Firebase project.
public protocol FirebaseSessionStore: Sendable {
    func firebaseSession(app: String, project: String) async throws(StoreError) -> FirebaseSession?
    /// Apps that are signed in to the project as an anonymous user.
    func anonymousApps(ofFirebaseProject project: String) async throws(StoreError) -> Int
    /// - Returns: nil, with nothing changed, where the app signed out or in otherwise meanwhile.
    func updateFirebaseSession(
        app: String, project: String, id: String, change: @Sendable (inout FirebaseSession) -> Void
    ) async throws(StoreError) -> FirebaseSession?
    /// - Parameter id: only this sign-in; nil for whichever there is.
    func signOutOfFirebase(app: String, project: String, id: String?) async throws(StoreError) -> String?
}

/// The keys that sign ID tokens about this machine's users.
public protocol UserTokenKeyStore: Sendable {
    /// - Returns: the keys, and what went wrong where they should have changed and could not be written.
    func userTokenKeys(now: Timestamp) async throws(StoreError) -> (keys: UserTokenKeys, problem: StoreError?)
    /// - Returns: nil if the app has no current user.
    func signUserToken<Value: Sendable>(
        app: String, now: Timestamp, signing: @Sendable (AppSignIn, User, UserTokenKey) throws(AccountFailure) -> Value
    ) async throws(AccountFailure) -> (value: Value, problem: StoreError?)?
}

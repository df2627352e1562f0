import PosternCore

/// What outlives the daemon: sessions, users and credentials.
///
/// What a method wrote is on disk when it returns. After an error nothing has changed.
public protocol ApplicationStore: Sendable {
    /// Its key is known only to a user and in memory to this process: after a restart the store does not open by itself.
    var isOpenedByPassphrase: Bool { get }
    /// Returns if the passphrase is the one that the store was created with; takes some tenths of a second, on the caller's thread.
    ///
    /// - Throws: ``StoreError/Kind/wrongPassphrase``, or ``StoreError/Kind/passphraseUnwanted`` if it was created without one.
    func check(passphrase: Secret) throws(StoreError)
    /// More work waits for the store than it does within about a second: new callers are better refused than kept waiting.
    var isOverloaded: Bool { get }

    func keep(registeredClients clients: [RegisteredClient]) async throws(StoreError)
    func keep(attention ledger: AttentionLedger) async throws(StoreError)
    func imports() async throws(StoreError) -> ImportLedger
    func keep(imports ledger: ImportLedger) async throws(StoreError)
    func counts() async throws(StoreError) -> (users: Int, credentials: Int)
    /// What is needed before anything is answered, with at most this many credentials.
    func remains(now: Timestamp, credentials limit: Int) async throws(StoreError) -> StoreRemains
    /// Work that can wait until after the first answers: checks the whole store, and deletes what has expired.
    ///
    /// - Throws: ``StoreError/Kind/damaged`` if the store is damaged; then nothing was changed, and nothing can be.
    func tidy(now: Timestamp) async throws(StoreError)
    /// Every later call fails with ``StoreError/Kind/closed``.
    func close() async

    // MARK: Sign-ins under way, and their results until they are fetched

    func begin(_ signIn: StoredSignIn) async throws(StoreError)
    /// - Throws: ``StoreError/Kind/sessionOver`` if the session no longer waits for a callback.
    func addState(hash: [UInt8], to sessionID: String) async throws(StoreError)
    /// As ``addState(hash:to:)``, for a page of OAuth 1.0a: its request token is among the secrets.
    func addRequestToken(
        _ secrets: FlowSecrets, device: DeviceAuthorization?, key: [UInt8], to sessionID: String
    ) async throws(StoreError)
    /// Stores the code that a session waits with, or that it no longer has one.
    func keep(_ secrets: FlowSecrets, device: DeviceAuthorization?, of sessionID: String) async throws(StoreError)
    func extend(sessionID: String, until moment: Timestamp) async throws(StoreError)
    /// - Returns: true to one caller, once no later process can find it undone; false if the session was not pending.
    func markExchanging(sessionID: String) async throws(StoreError) -> Bool
    func finish(
        sessionID: String, outcome: SignInOutcome, changes: AccountChanges?, expiresAt: Timestamp?
    ) async throws(StoreError)
    /// Ends the session with what is decided inside the transaction; if the decision throws, its error is rethrown, with nothing changed.
    ///
    /// - Returns: the decision, and the credential that was written with it, as it is on disk.
    func finish(
        sessionID: String, expiresAt: Timestamp?,
        deciding: @Sendable (borrowing AccountSnapshot) throws(AccountFailure) -> (SignInOutcome, AccountChanges)
    ) async throws(AccountFailure) -> (outcome: SignInOutcome, credential: StoredCredential?)
    /// - Returns: false if there is no result or it was handed over before.
    func markDelivered(sessionID: String) async throws(StoreError) -> Bool
    func addHandles(_ handles: [HandleRecord], of sessionID: String) async throws(StoreError) -> Bool
    func deleteHandles(_ handles: [Secret]) async throws(StoreError)
    func deleteSessions(ids: [String]) async throws(StoreError)

    // MARK: Users, and who an app is signed in as

    func identities(providerID: String, meantBy hint: String) async throws(StoreError) -> [Identity]
    func users(email: String) async throws(StoreError) -> [User]
    func users(anyEmail email: String) async throws(StoreError) -> [User]
    func current(app: AppName) async throws(StoreError) -> (signIn: AppSignIn, user: User)?
    /// - Returns: the user that was signed in to the app; nil if there was none.
    func signOut(app: AppName) async throws(StoreError) -> String?
    /// Reads, decides and changes in one transaction; if the decision throws, its error is rethrown, with nothing changed.
    func change<Value: Sendable>(
        deciding: @Sendable (borrowing AccountSnapshot) throws(AccountFailure) -> (Value, AccountChanges)
    ) async throws(AccountFailure) -> Value
    /// As ``change(deciding:)``, using up a credential handle in the same transaction.
    ///
    /// - Returns: nil if the handle is unknown, used or expired. If the decision throws, the handle stays valid.
    func change<Value: Sendable>(
        handle: String, now: Timestamp,
        deciding: @Sendable (HandleRecord, borrowing AccountSnapshot) throws(AccountFailure) -> (Value, AccountChanges)
    ) async throws(AccountFailure) -> Value?
    /// Stores a handle that a program is about to receive.
    func add(_ handle: HandleRecord) async throws(StoreError)
    /// What a handle stands for, without using it up; nil if it is unknown, used or expired.
    func handle(_ handle: String, now: Timestamp) async throws(StoreError) -> HandleRecord?
    func consumeHandle(_ handle: String, now: Timestamp) async throws(StoreError) -> HandleRecord?
    /// Stores a challenge whose code is about to be requested; deletes those that are over.
    func add(_ challenge: CodeChallenge, now: Timestamp) async throws(StoreError)

    // MARK: The credentials of accounts at providers

    /// - Parameter position: where the previous page ended.
    func credentials(after position: Int64, limit: Int) async throws(StoreError) -> CredentialPage
    /// - Parameter position: where the previous page ended; empty for the first.
    /// - Returns: the page, and the position of the next one; nil if this is the last one.
    func credentials(
        providerID: String, after position: [UInt8], limit: Int
    ) async throws(StoreError) -> (credentials: Listing<StoredCredential>, next: [UInt8]?)
    func credential(providerID: String, subject: String) async throws(StoreError) -> StoredCredential?
    /// - Returns: false, with nothing changed, if another generation is on disk.
    func replaceCredential(_ new: StoredCredential, ifGeneration: Int64) async throws(StoreError) -> Bool
    /// As ``replaceCredential(_:ifGeneration:)`` for what changes nothing about the grant: its generation stays as it is.
    func mark(_ credential: StoredCredential) async throws(StoreError)
    /// Gives a credential another name of the configuration, or none, unless it has another one by now.
    func setName(_ name: SignInName?, of key: CredentialKey, insteadOf former: SignInName) async throws(StoreError)
    /// - Parameter isRevoked: it is noted, too, that it is to be revoked.
    func deleteCredential(providerID: String, subject: String, isRevoked: Bool) async throws(StoreError) -> StoredCredential?
    /// Changes what is to be revoked.
    ///
    /// - Returns: all of it, as it is now.
    @discardableResult
    func changeRevocations(_ change: @Sendable (inout RevocationLedger) -> Void) async throws(StoreError) -> RevocationLedger
    /// Deletes credentials that cannot be decrypted, and no others.
    ///
    /// - Parameter subject: only this account's; nil for all of the provider's.
    /// - Returns: how many there were.
    func deleteDamagedCredentials(providerID: String, subject: String?) async throws(StoreError) -> Int

    // MARK: Who is signed in to an app at a Firebase project

    func firebaseSession(app: AppName, project: String) async throws(StoreError) -> FirebaseSession?
    /// Apps that are signed in to the project as an anonymous user.
    func anonymousApps(ofFirebaseProject project: String) async throws(StoreError) -> Int
    /// - Returns: nil, with nothing changed, if the app has signed out, or signed in otherwise, meanwhile.
    func updateFirebaseSession(
        app: AppName, project: String, id: String, endsPending: Bool, change: @Sendable (inout FirebaseSession) -> Void
    ) async throws(StoreError) -> FirebaseSession?
    /// - Parameter id: only this sign-in; nil for any.
    func signOutOfFirebase(app: AppName, project: String, id: String?, isDeletion: Bool) async throws(StoreError) -> String?

    // MARK: The keys that sign ID tokens about this machine's users

    /// - Returns: the keys, and the error if they should have changed and could not be written.
    func userTokenKeys(now: Timestamp) async throws(StoreError) -> (keys: UserTokenKeys, problem: StoreError?)
    /// - Returns: nil if the app has no current user.
    func signUserToken<Value: Sendable>(
        app: AppName, now: Timestamp, signing: @Sendable (AppSignIn, User, UserTokenKey) throws(AccountFailure) -> Value
    ) async throws(AccountFailure) -> (value: Value, problem: StoreError?)?
}

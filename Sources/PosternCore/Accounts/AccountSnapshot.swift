/// The accounts as of one transaction, for a decision that nothing may interrupt.
///
/// It cannot be kept: it is lent to the deciding closure and is not copyable. Its reads throw the same error as the rules, so that a
/// decision has one.
public struct AccountSnapshot: ~Copyable {
    private let accounts: any AccountReading

    /// - Parameter accounts: reads inside the transaction.
    public init(_ accounts: any AccountReading) { self.accounts = accounts }

    public func user(uid: String) throws(AccountFailure) -> User? { try read(accounts.user(uid: uid)) }

    /// The user that an identity belongs to.
    public func user(identity providerID: String, subject: String) throws(AccountFailure) -> User? {
        try read(accounts.user(identity: providerID, subject: subject))
    }

    /// Users whose own address it is, ignoring letter case, oldest first; several if addresses may be shared.
    public func users(email: String) throws(AccountFailure) -> [User] { try read(accounts.users(email: email)) }

    /// Users whose own address it is, or whose account at a provider has it, ignoring letter case, oldest first.
    public func users(anyEmail email: String) throws(AccountFailure) -> [User] { try read(accounts.users(anyEmail: email)) }

    /// The app's sign-in and its user.
    public func current(app: String) throws(AccountFailure) -> (signIn: AppSignIn, user: User)? { try read(accounts.current(app: app)) }

    /// Apps whose current user is anonymous.
    public func anonymousApps() throws(AccountFailure) -> Int { try read(accounts.anonymousApps()) }

    /// Nil also for one that cannot be decrypted: every decision replaces or deletes what is stored, and a fresh grant repairs the row.
    public func credential(providerID: String, subject: String) throws(AccountFailure) -> StoredCredential? {
        do throws(StoreError) { return try accounts.credential(providerID: providerID, subject: subject) } catch {
            guard error.kind == .damagedRow else { throw .store(error) }
            return nil
        }
    }

    public func password(uid: String) throws(AccountFailure) -> PasswordHash? { try read(accounts.password(uid: uid)) }

    /// What checks the codes of a second factor; nil for a phone.
    public func factorKey(_ factor: SecondFactor, of user: User) throws(AccountFailure) -> FactorKey? {
        try read(accounts.factorKey(factor, of: user))
    }

    /// - Returns: nil if it is unknown, used or expired.
    public func challenge(_ id: String, now: Timestamp) throws(AccountFailure) -> CodeChallenge? {
        try read(accounts.challenge(id, now: now))
    }

    public func attempts(of subject: AttemptSubject) throws(AccountFailure) -> Attempts? { try read(accounts.attempts(of: subject)) }

    /// The app's sign-in to a Firebase project.
    public func firebaseSession(app: String, project: String) throws(AccountFailure) -> FirebaseSession? {
        try read(accounts.firebaseSession(app: app, project: project))
    }

    /// How accounts came to users of Firebase projects.
    public func firebaseLinks() throws(AccountFailure) -> FirebaseLinks { try read(accounts.firebaseLinks()) }

    /// Whether the ID token with this hash was used for a sign-in before.
    public func isSpent(_ hash: [UInt8], now: Timestamp) throws(AccountFailure) -> Bool { try read(accounts.isSpent(hash, now: now)) }

    private func read<Value>(_ value: @autoclosure () throws(StoreError) -> Value) throws(AccountFailure) -> Value {
        try AccountFailure.wrapping(store: value())
    }

    /// Everything that the rules need to know about an identity.
    public func facts(for identity: Identity, app: String) throws(AccountFailure) -> AccountFacts {
        AccountFacts(
            current: try current(app: app), owner: try user(identity: identity.providerID, subject: identity.subject),
            namesakes: try identity.email.map { email throws(AccountFailure) in try users(email: email) } ?? [],
            held: try credential(providerID: identity.providerID, subject: identity.subject))
    }
}

/// Reads the accounts inside a transaction, as ``AccountSnapshot`` offers them.
public protocol AccountReading: AnyObject {
    func user(uid: String) throws(StoreError) -> User?
    func user(identity providerID: String, subject: String) throws(StoreError) -> User?
    func users(email: String) throws(StoreError) -> [User]
    func users(anyEmail email: String) throws(StoreError) -> [User]
    func current(app: String) throws(StoreError) -> (signIn: AppSignIn, user: User)?
    func anonymousApps() throws(StoreError) -> Int
    func credential(providerID: String, subject: String) throws(StoreError) -> StoredCredential?
    func password(uid: String) throws(StoreError) -> PasswordHash?
    func factorKey(_ factor: SecondFactor, of user: User) throws(StoreError) -> FactorKey?
    func challenge(_ id: String, now: Timestamp) throws(StoreError) -> CodeChallenge?
    func attempts(of subject: AttemptSubject) throws(StoreError) -> Attempts?
    func firebaseSession(app: String, project: String) throws(StoreError) -> FirebaseSession?
    func firebaseLinks() throws(StoreError) -> FirebaseLinks
    func isSpent(_ hash: [UInt8], now: Timestamp) throws(StoreError) -> Bool
}

/// The accounts as of one transaction, for a decision that nothing may interrupt.
///
/// It cannot be kept: it is lent to the deciding closure and is not copyable.
public typealias AccountSnapshot = any AccountReading & ~Copyable

/// Reads the accounts inside a transaction. It throws the same error as the rules, so that a decision has one.
public protocol AccountReading: ~Copyable {
    func user(uid: String) throws(AccountFailure) -> User?
    /// The user that an identity belongs to.
    func user(identity providerID: String, subject: String) throws(AccountFailure) -> User?
    /// Users whose own address it is and who can sign in, ignoring letter case, oldest first; several if addresses may be shared.
    func users(email: String) throws(AccountFailure) -> [User]
    /// Users whose own address it is, or whose account at a provider has it, ignoring letter case, oldest first.
    func users(anyEmail email: String) throws(AccountFailure) -> [User]
    /// The app's sign-in and its user.
    func current(app: AppName) throws(AccountFailure) -> (signIn: AppSignIn, user: User)?
    /// Apps whose current user is anonymous.
    func anonymousApps() throws(AccountFailure) -> Int
    /// Nil also for one that cannot be decrypted: every decision replaces or deletes what is stored, and a fresh grant repairs the row.
    func credential(providerID: String, subject: String) throws(AccountFailure) -> StoredCredential?
    /// All of one provider; unreadable ones are left out.
    func credentials(providerID: String) throws(AccountFailure) -> [StoredCredential]
    /// Users' identities at a provider that a hint may mean.
    func identities(providerID: String, meantBy hint: String) throws(AccountFailure) -> [Identity]
    func password(uid: String) throws(AccountFailure) -> PasswordHash?
    /// What checks the codes of a second factor; nil for a phone.
    func factorKey(_ factor: SecondFactor, of user: User) throws(AccountFailure) -> FactorKey?
    /// - Returns: nil if it is unknown, used or expired.
    func challenge(_ id: String, now: Timestamp) throws(AccountFailure) -> CodeChallenge?
    func attempts(of subject: AttemptSubject) throws(AccountFailure) -> Attempts?
    /// The app's sign-in to a Firebase project.
    func firebaseSession(app: AppName, project: String) throws(AccountFailure) -> FirebaseSession?
    /// Of all apps; unreadable ones are left out.
    func firebaseSessions(project: String) throws(AccountFailure) -> [FirebaseSession]
    /// How accounts came to users of Firebase projects.
    func firebaseLinks() throws(AccountFailure) -> FirebaseLinks
    /// Whether the ID token with this hash was used for a sign-in before.
    func isSpent(_ hash: [UInt8], now: Timestamp) throws(AccountFailure) -> Bool
}

extension AccountReading where Self: ~Copyable {
    /// Everything that the rules need to know about an identity.
    public func facts(for identity: Identity, app: AppName) throws(AccountFailure) -> AccountFacts {
        AccountFacts(
            current: try current(app: app), owner: try user(identity: identity.providerID, subject: identity.subject),
            namesakes: try identity.email.map { email throws(AccountFailure) in try users(email: email) } ?? [],
            held: try credential(providerID: identity.providerID, subject: identity.subject))
    }
}

import PosternCore

/// What decisions may read inside a transaction.
struct StoredAccounts: AccountReading, ~Copyable {
    let tables: OpenedStore

    func user(uid: String) throws(AccountFailure) -> User? { try read(tables.users.user(uid: uid)) }

    func user(identity providerID: String, subject: String) throws(AccountFailure) -> User? {
        try read(tables.users.user(providerID: providerID, subject: subject))
    }

    func users(email: String) throws(AccountFailure) -> [User] { try read(tables.users.users(email: email)) }

    func users(anyEmail email: String) throws(AccountFailure) -> [User] { try read(tables.users.users(anyEmail: email)) }

    func current(app: AppName) throws(AccountFailure) -> (signIn: AppSignIn, user: User)? { try read(tables.users.current(app: app)) }

    func anonymousApps() throws(AccountFailure) -> Int { try read(tables.users.anonymousApps()) }

    func credential(providerID: String, subject: String) throws(AccountFailure) -> StoredCredential? {
        try read(tables.credentials.readable(CredentialKey(providerID: providerID, subject: subject)))
    }

    func credentials(providerID: String) throws(AccountFailure) -> [StoredCredential] {
        try read(tables.credentials.all(providerID: providerID))
    }

    func identities(providerID: String, meantBy hint: String) throws(AccountFailure) -> [Identity] {
        try read(tables.users.identities(providerID: providerID, meantBy: hint))
    }

    func password(uid: String) throws(AccountFailure) -> PasswordHash? { try read(tables.passwords.hash(of: uid)) }

    func factorKey(_ factor: SecondFactor, of user: User) throws(AccountFailure) -> FactorKey? {
        try read(tables.secondFactors.key(of: factor.uid, uid: user.uid))
    }

    func challenge(_ id: String, now: Timestamp) throws(AccountFailure) -> CodeChallenge? {
        try read(tables.challenges.challenge(id, now: now))
    }

    func attempts(of subject: AttemptSubject) throws(AccountFailure) -> Attempts? { try read(tables.attempts.attempts(of: subject)) }

    func firebaseSession(app: AppName, project: String) throws(AccountFailure) -> FirebaseSession? {
        try read(tables.firebaseSessions.session(app: app, project: project))
    }

    func firebaseSessions(project: String) throws(AccountFailure) -> [FirebaseSession] {
        try read(tables.firebaseSessions.all(project: project))
    }

    func firebaseLinks() throws(AccountFailure) -> FirebaseLinks { try read(tables.firebaseLinks()) }

    func isSpent(_ hash: [UInt8], now: Timestamp) throws(AccountFailure) -> Bool {
        try read(SpentTokenList(settings: tables.settings).contains(hash, now: now))
    }

    private func read<Value>(_ value: @autoclosure () throws(StoreError) -> Value) throws(AccountFailure) -> Value {
        try AccountFailure.wrapping(store: value())
    }
}

import PosternCore

/// The accounts as they stand inside one transaction, for a decision that nothing may come between.
///
/// It cannot be kept: it is lent to the deciding closure and is not copyable.
public struct AccountSnapshot: ~Copyable {
    let users: UserTable
    let credentials: CredentialTable
    let passwords: PasswordTable
    let secondFactors: SecondFactorTable
    let firebaseSessions: FirebaseSessionTable

    public func user(uid: String) throws(StoreError) -> User? { try users.user(uid: uid) }

    /// The user that an identity belongs to.
    public func user(identity providerID: String, subject: String) throws(StoreError) -> User? {
        try users.user(providerID: providerID, subject: subject)
    }

    /// Those whose own address it is, letter case apart, oldest first; several where addresses may be shared.
    public func users(email: String) throws(StoreError) -> [User] { try users.users(email: email) }

    /// The app's sign-in and its user.
    public func current(app: String) throws(StoreError) -> (signIn: AppSignIn, user: User)? { try users.current(app: app) }

    public func credential(providerID: String, subject: String) throws(StoreError) -> StoredCredential? {
        try credentials.credential(providerID: providerID, subject: subject)
    }

    public func password(uid: String) throws(StoreError) -> PasswordHash? { try passwords.hash(of: uid) }

    /// What the codes of a second factor are checked with.
    public func factorSecret(_ factor: SecondFactor, of user: User) throws(StoreError) -> Secret? {
        try secondFactors.secret(of: factor.uid, uid: user.uid)
    }

    /// The app's sign-in to a Firebase project.
    public func firebaseSession(app: String, project: String) throws(StoreError) -> FirebaseSession? {
        try firebaseSessions.session(app: app, project: project)
    }

    /// Everything that the rules ask about an identity.
    public func facts(for identity: Identity, app: String) throws(StoreError) -> AccountFacts {
        AccountFacts(
            current: try current(app: app), owner: try user(identity: identity.providerID, subject: identity.subject),
            namesakes: try identity.email.map { email throws(StoreError) in try users(email: email) } ?? [],
            held: try credential(providerID: identity.providerID, subject: identity.subject))
    }
}

extension OpenedStore {
    var snapshot: AccountSnapshot {
        AccountSnapshot(
            users: users, credentials: credentials, passwords: passwords, secondFactors: secondFactors, firebaseSessions: firebaseSessions)
    }

    /// Inside a transaction.
    func apply(_ changes: AccountChanges) throws(StoreError) {
        if let uid = changes.deleteUser { try delete(user: uid) }
        if let user = changes.upsertUser {
            try users.upsert(user)
            switch changes.password {
            case .unchanged: break
            case .set(let hash): try passwords.set(hash, of: user.uid)
            case .removed: try passwords.delete(of: user.uid)
            }
            for (id, secret) in changes.factorSecrets { try secondFactors.setSecret(secret, of: id, uid: user.uid) }
            if changes.signsOutOtherApps { try users.signOutOthers(of: user.uid, than: changes.signIn?.app) }
        }
        if let signIn = changes.signIn { try users.setCurrent(signIn) }
        if let credential = changes.upsertCredential { try credentials.upsert(credential) }
        if let session = changes.firebaseSession { try firebaseSessions.set(session) }
    }

    private func delete(user uid: String) throws(StoreError) {
        for identity in try users.user(uid: uid)?.identities ?? [] {
            _ = try credentials.delete(providerID: identity.providerID, subject: identity.subject)
        }
        try users.delete(uid: uid)
    }
}

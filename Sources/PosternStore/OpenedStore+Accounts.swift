import PosternCore

/// What decisions may read inside a transaction.
extension OpenedStore: AccountReading {
    var snapshot: AccountSnapshot { AccountSnapshot(self) }

    func user(uid: String) throws(StoreError) -> User? { try users.user(uid: uid) }

    func user(identity providerID: String, subject: String) throws(StoreError) -> User? {
        try users.user(providerID: providerID, subject: subject)
    }

    func users(email: String) throws(StoreError) -> [User] { try users.users(email: email) }

    func users(anyEmail email: String) throws(StoreError) -> [User] { try users.users(anyEmail: email) }

    func current(app: String) throws(StoreError) -> (signIn: AppSignIn, user: User)? { try users.current(app: app) }

    func anonymousApps() throws(StoreError) -> Int { try users.anonymousApps() }

    func credential(providerID: String, subject: String) throws(StoreError) -> StoredCredential? {
        try credentials.credential(providerID: providerID, subject: subject)
    }

    func password(uid: String) throws(StoreError) -> PasswordHash? { try passwords.hash(of: uid) }

    func factorKey(_ factor: SecondFactor, of user: User) throws(StoreError) -> FactorKey? {
        try secondFactors.key(of: factor.uid, uid: user.uid)
    }

    func challenge(_ id: String, now: Timestamp) throws(StoreError) -> CodeChallenge? { try challenges.challenge(id, now: now) }

    func attempts(of subject: AttemptSubject) throws(StoreError) -> Attempts? { try attempts.attempts(of: subject) }

    func firebaseSession(app: String, project: String) throws(StoreError) -> FirebaseSession? {
        try firebaseSessions.session(app: app, project: project)
    }

    func isSpent(_ hash: [UInt8], now: Timestamp) throws(StoreError) -> Bool {
        try SpentTokenList(settings: settings).contains(hash, now: now)
    }

    /// To be called inside a transaction.
    ///
    /// - Returns: the credential that it wrote, with its generation; nil if it wrote none.
    func apply(_ changes: AccountChanges) throws(StoreError) -> StoredCredential? {
        if let uid = changes.deleteUser { try delete(user: uid) }
        for identity in changes.displaced {
            _ = try credentials.delete(providerID: identity.providerID, subject: identity.subject)
        }
        if let user = changes.upsertUser {
            try users.upsert(user)
            switch changes.password {
            case .unchanged: break
            case .set(let hash): try passwords.set(hash, of: user.uid)
            case .removed: try passwords.delete(of: user.uid)
            }
            for (id, secret) in changes.factorSecrets { try secondFactors.setSecret(secret, of: id, uid: user.uid) }
            if changes.signsOutOtherApps {
                try users.signOutOthers(of: user.uid, than: changes.signIn?.app)
                try challenges.deleteAll(of: user.uid)
            }
        }
        if let signIn = changes.signIn { try users.setCurrent(signIn) }
        if let token = changes.spends { try SpentTokenList(settings: settings).add(token.token, now: token.now) }
        let credential = try changes.upsertCredential.map { credential throws(StoreError) in try credentials.upsert(credential) }
        for (id, step) in changes.usedSteps { try secondFactors.setLastStep(step, of: id) }
        if let id = changes.deleteChallenge { try challenges.delete(id.reveal()) }
        if let challenge = changes.upsertChallenge { try challenges.upsert(challenge) }
        if let session = changes.firebaseSession { try firebaseSessions.set(session) }
        if let limit = changes.orphanLimit { try users.deleteOrphans(keeping: limit) }
        for (subject, count) in changes.attempts { try attempts.set(count, of: subject) }
        if let latest = changes.attempts.values.map(\.since).max() { try attempts.deleteOld(now: latest) }
        return credential
    }

    private func delete(user uid: String) throws(StoreError) {
        guard let user = try users.user(uid: uid) else { return }
        for identity in user.identities {
            _ = try credentials.delete(providerID: identity.providerID, subject: identity.subject)
        }
        try handles.deleteAll(of: user)
        try sessions.deleteResults(of: user)
        try users.delete(uid: uid)
    }
}

import PosternCore

extension OpenedStore {
    /// To be called inside a transaction.
    ///
    /// - Returns: the credential that it wrote, or whose keepers it changed, with its generation; nil if there is none.
    func apply(_ changes: AccountChanges) throws(StoreError) -> StoredCredential? {
        if let uid = changes.deleteUser { try delete(user: uid) }
        for key in changes.released { if let gone = try credentials.release(key) { try revoke(gone) } }
        if let user = changes.upsertUser {
            if changes.endsPending { try endPending(of: user) }
            try users.upsert(user)
            try users.takeAddress(for: user)
            switch changes.password {
            case .unchanged: break
            case .set(let hash): try passwords.set(hash, of: user.uid)
            case .removed: try passwords.delete(of: user.uid)
            }
            for (id, secret) in changes.factorSecrets { try secondFactors.setSecret(secret, of: id, uid: user.uid) }
            if let app = changes.signsOutUnseenAppsExcept { try users.signOutUnseen(uid: user.uid, except: app) }
            if changes.signsOutOtherApps { try users.signOutOthers(of: user.uid, than: changes.signIn?.app) }
        }
        if let signIn = changes.signIn { try users.setCurrent(signIn) }
        if let token = changes.spends { try SpentTokenList(settings: settings).add(token.token, now: token.now) }
        let credential: StoredCredential?
        switch changes.credential {
        case .grant(let fresh): credential = try credentials.upsert(fresh)
        case .keepers(let keepers, let key): credential = try credentials.setKeepers(keepers, of: key)
        case nil: credential = nil
        }
        for (id, step) in changes.usedSteps { try secondFactors.setLastStep(step, of: id) }
        if let id = changes.deleteChallenge { try challenges.delete(id.reveal()) }
        if let challenge = changes.upsertChallenge { try challenges.upsert(challenge) }
        if let session = changes.firebaseSession { _ = try set(session) }
        if let links = changes.firebaseLinks { try settings.set(Self.firebaseLinksName, to: links) }
        if let limit = changes.orphanLimit { try users.deleteOrphans(keeping: limit) }
        for (subject, count) in changes.attempts { try attempts.set(count, of: subject) }
        if let latest = changes.attempts.values.map(\.since).max() { try attempts.deleteOld(now: latest) }
        return credential
    }

    // MARK: What waits

    /// To be called inside a transaction, before the user is changed: it ends what is about accounts that are about to go, too.
    private func endPending(of user: User) throws(StoreError) {
        try challenges.deleteAll(of: user.uid)
        for version in [try users.user(uid: user.uid), user].compactMap({ $0 }) { try endHandles(of: version) }
        try handles.deleteAll(givenTo: user.uid, app: nil)
    }

    /// To be called inside a transaction: those that were given out, and those that come with a result that nobody has fetched yet.
    func endHandles(of user: User) throws(StoreError) {
        try handles.deleteAll(of: user)
        try sessions.deleteUnfetched(givingHandlesFor: user)
    }

    /// To be called inside a transaction: the app signs the user out.
    func endPending(of uid: String, app: AppName) throws(StoreError) {
        try challenges.deleteAll(of: uid, app: app)
        try handles.deleteAll(givenTo: uid, app: app)
    }

    /// To be called inside a transaction.
    func insert(_ handle: HandleRecord) throws(StoreError) {
        var handle = handle
        // A sign-in that cannot be read is nobody's.
        let here = (try? users.current(app: handle.app))??.user.uid
        let there = (try? firebaseSessions.session(app: handle.app))??.user.uid
        handle.uids = [here, there].compactMap(\.self)
        try handles.insert(handle)
    }

    // MARK: What is to be revoked

    private static let revocationsName = "revocations"

    /// One that cannot be read is of no use, and must not keep anything else from being written.
    func revocations() throws(StoreError) -> RevocationLedger {
        do throws(StoreError) { return try settings.value(Self.revocationsName) ?? RevocationLedger() } catch {
            guard error.kind == .damagedRow else { throw error }
            return RevocationLedger()
        }
    }

    /// To be called inside a transaction: nothing else knows this credential any more.
    func revoke(_ credential: StoredCredential) throws(StoreError) {
        try changeRevocations { $0.add(RevocationLedger.Entry(credential)) }
    }

    /// To be called inside a transaction.
    ///
    /// - Returns: the ledger as it is now.
    @discardableResult
    func changeRevocations(_ change: (inout RevocationLedger) -> Void) throws(StoreError) -> RevocationLedger {
        let before = try revocations()
        var ledger = before
        change(&ledger)
        if ledger != before { try settings.set(Self.revocationsName, to: ledger == RevocationLedger() ? nil : ledger) }
        return ledger
    }

    // MARK: Firebase

    private static let firebaseLinksName = "firebase-links"

    /// How accounts came to users of Firebase projects.
    func firebaseLinks() throws(StoreError) -> FirebaseLinks {
        try settings.value(Self.firebaseLinksName) ?? FirebaseLinks()
    }

    /// To be called inside a transaction.
    func changeFirebaseLinks(_ change: (inout FirebaseLinks) -> Void) throws(StoreError) {
        let before = try firebaseLinks()
        var links = before
        change(&links)
        if links != before { try settings.set(Self.firebaseLinksName, to: links) }
    }

    /// To be called inside a transaction. What the user began and has not finished becomes void in all apps, if that is wanted, or if the
    /// user has lost a way to sign in, or the address.
    func set(_ session: FirebaseSession, endsPending: Bool = false) throws(StoreError) -> FirebaseSession {
        var session = session
        let others = try firebaseSessions.all(ofUser: session.user.uid, project: session.project)
        if endsPending || (!session.isProvisional && others.contains { $0.hasLost(beside: session.user) }) {
            let generation = (others.map(\.generation) + [session.generation]).max() ?? 0
            session.generation = generation &+ 1
            for var other in others {
                try endHandles(of: other.user)
                if other.app == session.app { continue }
                // An account that is gone may have signed it in.
                if other.isUnseen {
                    try firebaseSessions.delete(app: other.app)
                    continue
                }
                other.generation = session.generation
                try firebaseSessions.set(other)
            }
            try endHandles(of: session.user)
            try handles.deleteAll(givenTo: session.user.uid, app: nil)
        }
        try firebaseSessions.set(session)
        return session
    }

    private func delete(user uid: String) throws(StoreError) {
        guard let user = try users.user(uid: uid) else { return }
        try handles.deleteAll(of: user)
        try sessions.deleteResults(of: user)
        try users.delete(uid: uid)
    }
}

import PosternCore
import StrictJSON

/// Users, their identities, and who is signed in to which app.
struct UserTable {
    let connection: Connection
    let sealer: Sealer

    private var secondFactors: SecondFactorTable { SecondFactorTable(connection: connection, sealer: sealer) }

    func count() throws(StoreError) -> Int {
        Int(try connection.first("SELECT count(*) FROM users") { (row: borrowing Row) throws(StoreError) in try row.integer(0) } ?? 0)
    }

    func user(uid: String) throws(StoreError) -> User? {
        let sealed = try connection.first("SELECT sealed FROM users WHERE uid = ?", [.text(uid)]) {
            (row: borrowing Row) throws(StoreError) in try row.blob(0)
        }
        guard let sealed else { return nil }
        var user: User = try sealer.open(sealed, at: Place(.user, uid))
        user.identities = try identities(uid: uid)
        user.secondFactors = try secondFactors.all(of: uid)
        return user
    }

    func user(providerID: String, subject: String) throws(StoreError) -> User? {
        let index = sealer.index(providerID: providerID, subject: subject)
        let found = try connection.first(
            "SELECT uid, sealed FROM identities WHERE provider_id = ? AND subject_index = ?", [.text(providerID), .blob(index)]
        ) { (row: borrowing Row) throws(StoreError) in (uid: try row.text(0), sealed: try row.blob(1)) }
        guard let found else { return nil }
        // Sealed together with the uid: an identity that was assigned to another user in the file cannot be opened here.
        let _: Identity = try sealer.open(found.sealed, at: place(providerID: providerID, subjectIndex: index, uid: found.uid))
        return try user(uid: found.uid)
    }

    /// Those of one provider, of all users; unreadable rows are left out.
    func identities(providerID: String, limit: Int) throws(StoreError) -> [Identity] {
        try connection.listing(
            "SELECT subject_index, uid, sealed FROM identities WHERE provider_id = ? LIMIT ?", [.text(providerID), .integer(Int64(limit))]
        ) { (row: borrowing Row) throws(StoreError) in
            let identityPlace = place(providerID: providerID, subjectIndex: try row.blob(0), uid: try row.text(1))
            return try sealer.open(try row.blob(2), at: identityPlace) as Identity
        }.values
    }

    /// If several users share an address, all of them, in the order of their creation.
    func users(email: String) throws(StoreError) -> [User] {
        let uids = try connection.query("SELECT uid FROM users WHERE email_index = ? ORDER BY rowid", [.blob(sealer.index(email: email))]) {
            (row: borrowing Row) throws(StoreError) in try row.text(0)
        }
        var users: [User] = []
        for uid in uids {
            if let user = try user(uid: uid) { users.append(user) }
        }
        return users
    }

    func current(app: String) throws(StoreError) -> (signIn: AppSignIn, user: User)? {
        let row = try connection.first("SELECT uid, sealed FROM current_users WHERE app = ?", [.text(app)]) {
            (row: borrowing Row) throws(StoreError) in (uid: try row.text(0), sealed: try row.blob(orNull: 1))
        }
        guard let row, let user = try user(uid: row.uid) else { return nil }
        guard let sealed = row.sealed else {
            // From an earlier version, which did not record the time: it counts as long ago.
            let signIn = AppSignIn(
                app: app, uid: row.uid, authenticatedAt: Timestamp(milliseconds: 0), providerID: user.providerIDs.first ?? "anonymous")
            return (signIn, user)
        }
        return (try sealer.open(sealed, at: place(app: app, uid: row.uid)), user)
    }

    /// To be called inside a transaction.
    func setCurrent(_ signIn: AppSignIn) throws(StoreError) {
        let sealed = try sealer.seal(signIn, at: place(app: signIn.app, uid: signIn.uid))
        try connection.run(
            "INSERT INTO current_users (app, uid, sealed) VALUES (?1, ?2, ?3) ON CONFLICT (app) DO UPDATE SET uid = ?2, sealed = ?3",
            [.text(signIn.app), .text(signIn.uid), .blob(sealed)])
    }

    /// - Returns: the user that was signed in to the app; nil if there was none.
    @discardableResult
    func signOut(app: String) throws(StoreError) -> String? {
        try connection.first("DELETE FROM current_users WHERE app = ? RETURNING uid", [.text(app)]) {
            (row: borrowing Row) throws(StoreError) in try row.text(0)
        }
    }

    /// To be called inside a transaction.
    func signOutOthers(of uid: String, than app: String?) throws(StoreError) {
        try connection.run("DELETE FROM current_users WHERE uid = ? AND app IS NOT ?", [.text(uid), app.map { .text($0) } ?? .null])
    }

    /// To be called inside a transaction. Identities, passwords, second factors and the sign-ins of apps are deleted with it.
    func delete(uid: String) throws(StoreError) { try connection.run("DELETE FROM users WHERE uid = ?", [.text(uid)]) }

    /// Sealed together with the uid: if an app was assigned to another user in the file, nobody is signed in to it.
    private func place(app: String, uid: String) -> Place { Place(.appSignIn, Array(app.utf8), Array(uid.utf8)) }

    /// To be called inside a transaction.
    ///
    /// - Throws: ``StoreError/Kind/conflict`` if an identity belongs to another user, or two are of one provider.
    func upsert(_ user: User) throws(StoreError) {
        var profile = user
        profile.identities = []
        profile.secondFactors = []
        let emailIndex = SQLValue.blob(orNull: user.email.map { sealer.index(email: $0) })
        try connection.run(
            """
            INSERT INTO users (uid, email_index, sealed, is_anonymous) VALUES (?1, ?2, ?3, ?4)
            ON CONFLICT (uid) DO UPDATE SET email_index = ?2, sealed = ?3, is_anonymous = ?4
            """,
            [
                .text(user.uid), emailIndex, .blob(try sealer.seal(profile, at: Place(.user, user.uid))),
                .integer(user.isAnonymous ? 1 : 0),
            ])
        // Removed first, so that one identity of a provider can be replaced by another of the same provider.
        try connection.run("DELETE FROM identities WHERE uid = ?", [.text(user.uid)])
        for (position, identity) in user.identities.enumerated() {
            try insert(identity, uid: user.uid, position: position)
        }
        try secondFactors.replace(of: user)
    }

    /// The primary key ensures that an identity has one user: the second insert gets a conflict, whatever was looked up before.
    private func insert(_ identity: Identity, uid: String, position: Int) throws(StoreError) {
        let index = sealer.index(providerID: identity.providerID, subject: identity.subject)
        let sealed = try sealer.seal(identity, at: place(providerID: identity.providerID, subjectIndex: index, uid: uid))
        try connection.run(
            "INSERT INTO identities (provider_id, subject_index, uid, position, sealed, email_index) VALUES (?, ?, ?, ?, ?, ?)",
            [
                .text(identity.providerID), .blob(index), .text(uid), .integer(Int64(position)), .blob(sealed),
                .blob(orNull: identity.email.map { sealer.index(email: $0) }),
            ])
    }

    private func identities(uid: String) throws(StoreError) -> [Identity] {
        let rows = try connection.query(
            "SELECT provider_id, subject_index, sealed FROM identities WHERE uid = ? ORDER BY position", [.text(uid)]
        ) { (row: borrowing Row) throws(StoreError) in (providerID: try row.text(0), index: try row.blob(1), sealed: try row.blob(2)) }
        var identities: [Identity] = []
        for row in rows {
            identities.append(try sealer.open(row.sealed, at: place(providerID: row.providerID, subjectIndex: row.index, uid: uid)))
        }
        return identities
    }

    private func place(providerID: String, subjectIndex: [UInt8], uid: String) -> Place {
        Place(.identity, Array(providerID.utf8), subjectIndex, Array(uid.utf8))
    }
}

extension UserTable {
    /// The users with this address, either their own or reported by a provider for a linked account, in the order of their creation.
    func users(anyEmail email: String) throws(StoreError) -> [User] {
        let uids = try connection.query(
            """
            SELECT uid FROM users WHERE email_index = ?1 OR uid IN (SELECT uid FROM identities WHERE email_index = ?1) ORDER BY rowid
            """, [.blob(sealer.index(email: email))]
        ) { (row: borrowing Row) throws(StoreError) in try row.text(0) }
        var users: [User] = []
        for uid in uids {
            if let user = try user(uid: uid) { users.append(user) }
        }
        return users
    }

    /// Apps whose current user is anonymous.
    func anonymousApps() throws(StoreError) -> Int {
        let count = try connection.first("SELECT count(*) FROM current_users JOIN users USING (uid) WHERE is_anonymous = 1") {
            (row: borrowing Row) throws(StoreError) in try row.integer(0)
        }
        return Int(count ?? 0)
    }

    /// To be called inside a transaction. Anonymous users have no accounts at providers, so no other data of theirs exists.
    func deleteOrphans(keeping limit: Int) throws(StoreError) {
        try connection.run(
            """
            DELETE FROM users WHERE uid IN (
                SELECT uid FROM users WHERE is_anonymous = 1 AND uid NOT IN (SELECT uid FROM current_users)
                ORDER BY rowid DESC LIMIT -1 OFFSET ?)
            """, [.integer(Int64(limit))])
    }
}

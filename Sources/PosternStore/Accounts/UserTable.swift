import PosternCore
import StrictJSON

/// Users, their identities, and who is signed in to which app.
struct UserTable {
    let connection: Connection
    let sealer: Sealer

    private var secondFactors: SecondFactorTable { SecondFactorTable(connection: connection, sealer: sealer) }

    func count() throws(StoreError) -> Int {
        Int(try connection.first("SELECT count(*) FROM users", read: Row.onlyInteger) ?? 0)
    }

    func user(uid: String) throws(StoreError) -> User? {
        let row = try connection.first("SELECT \(StoredRow.columns) FROM users WHERE uid = ?", [.text(uid)], read: StoredRow.init)
        guard let row else { return nil }
        var user: User = try sealer.open(row.sealed, at: row.place)
        user.identities = try identities(uid: uid)
        user.secondFactors = try secondFactors.all(of: uid)
        return user
    }

    func user(providerID: String, subject: String) throws(StoreError) -> User? {
        let index = sealer.index(providerID: providerID, subject: subject)
        let found = try connection.first(
            "SELECT \(StoredIdentity.columns) FROM identities WHERE provider_id = ? AND subject_index = ?",
            [.text(providerID), .blob(index)], read: StoredIdentity.init)
        guard let found else { return nil }
        // Sealed together with the uid: an identity that was assigned to another user in the file cannot be opened here.
        let _: Identity = try sealer.open(found.sealed, at: found.place)
        return try user(uid: found.uid)
    }

    /// The identities at a provider that a hint may mean: the account with that name, those of users with that address, and as many of the
    /// others as can be searched quickly for their other names.
    func identities(providerID: String, meantBy hint: String, glance: Int = 256) throws(StoreError) -> [Identity] {
        let owners = try [user(providerID: providerID, subject: hint)].compactMap { $0 } + users(email: hint)
        return try owners.compactMap { $0.identity(at: providerID) } + identities(providerID: providerID, limit: glance)
    }

    /// Those of one provider, of all users; unreadable rows are left out.
    func identities(providerID: String, limit: Int) throws(StoreError) -> [Identity] {
        try connection.listing(
            "SELECT \(StoredIdentity.columns) FROM identities WHERE provider_id = ? LIMIT ?",
            [.text(providerID), .integer(Int64(limit))], read: openedIdentity
        ).values
    }

    /// If several users share an address, all of them, in the order of their creation. An anonymous user's address is nobody's yet.
    func users(email: String) throws(StoreError) -> [User] {
        try oldestFirst(
            connection.query("SELECT uid FROM users WHERE email_index = ?", [.blob(sealer.index(email: email))], read: Row.onlyText)
        ).filter(\.hasWayIn)
    }

    /// To be called inside a transaction: whoever can sign in with an address takes it from the anonymous users who were given it.
    func takeAddress(for user: User) throws(StoreError) {
        guard user.hasWayIn, let email = user.email else { return }
        let uids = try connection.query(
            "SELECT uid FROM users WHERE email_index = ? AND is_anonymous = 1 AND uid <> ?",
            [.blob(sealer.index(email: email)), .text(user.uid)], read: Row.onlyText)
        for uid in uids {
            // One that cannot be read is given to nobody.
            guard var anonymous = try? self.user(uid: uid), !anonymous.hasWayIn else { continue }
            (anonymous.email, anonymous.addressProof) = (nil, .none)
            try upsert(anonymous)
        }
    }

    /// By the sealed time, because the order of the rows is not authenticated.
    private func oldestFirst(_ uids: [String]) throws(StoreError) -> [User] {
        var users: [User] = []
        for uid in uids {
            if let user = try user(uid: uid) { users.append(user) }
        }
        return users.count > 1 ? users.sorted { ($0.createdAt, $0.uid) < ($1.createdAt, $1.uid) } : users
    }

    func current(app: AppName) throws(StoreError) -> (signIn: AppSignIn, user: User)? {
        let row = try connection.first("SELECT uid, sealed FROM current_users WHERE app = ?", [.text(app.text)]) {
            (row: borrowing Row) throws(StoreError) in (uid: try row.text(0), sealed: try row.blob(1))
        }
        guard let row, let user = try user(uid: row.uid) else { return nil }
        return (try sealer.open(row.sealed, at: place(app: app, uid: row.uid)), user)
    }

    /// To be called inside a transaction.
    func setCurrent(_ signIn: AppSignIn) throws(StoreError) {
        let sealed = try sealer.seal(signIn, at: place(app: signIn.app, uid: signIn.uid))
        try connection.run(
            "INSERT INTO current_users (app, uid, sealed) VALUES (?1, ?2, ?3) ON CONFLICT (app) DO UPDATE SET uid = ?2, sealed = ?3",
            [.text(signIn.app.text), .text(signIn.uid), .blob(sealed)])
    }

    /// Signing out must be possible, whatever is damaged.
    ///
    /// - Returns: the user that was signed in to the app; nil if there was none, or that cannot be read.
    @discardableResult
    func signOut(app: AppName) throws(StoreError) -> String? {
        let uid = try connection.first("DELETE FROM current_users WHERE app = ? RETURNING uid, sealed", [.text(app.text)]) {
            (row: borrowing Row) throws(StoreError) -> String? in
            guard let uid = try? row.text(0), let sealed = try? row.blob(1),
                (try? sealer.open(sealed, at: place(app: app, uid: uid)) as JSONObject) != nil
            else { return nil }
            return uid
        }
        return uid ?? nil
    }

    /// To be called inside a transaction.
    func signOutOthers(of uid: String, than app: AppName?) throws(StoreError) {
        try connection.run("DELETE FROM current_users WHERE uid = ? AND app IS NOT ?", [.text(uid), app.map { .text($0.text) } ?? .null])
    }

    /// To be called inside a transaction. Signs the user out of the apps in which nobody ever showed to be the user.
    func signOutUnseen(uid: String, except app: AppName) throws(StoreError) {
        let rows = try connection.query(
            "SELECT app, sealed FROM current_users WHERE uid = ? AND app <> ?", [.text(uid), .text(app.text)]
        ) { (row: borrowing Row) throws(StoreError) in (app: try row.text(0), sealed: try row.blob(1)) }
        for row in rows {
            // One that cannot be opened signs nobody in.
            let place = place(app: AppName(row.app), uid: uid)
            guard let signIn: AppSignIn = try? sealer.open(row.sealed, at: place), signIn.isUnseen else { continue }
            try connection.run("DELETE FROM current_users WHERE app = ?", [.text(row.app)])
        }
    }

    /// To be called inside a transaction. Identities, passwords, second factors and the sign-ins of apps are deleted with it.
    func delete(uid: String) throws(StoreError) { try connection.run("DELETE FROM users WHERE uid = ?", [.text(uid)]) }

    /// Sealed together with the uid: if an app was assigned to another user in the file, nobody is signed in to it.
    private func place(app: AppName, uid: String) -> SealedColumn { SealedColumn(.appSignIn, Array(app.text.utf8), Array(uid.utf8)) }

    /// To be called inside a transaction.
    ///
    /// - Throws: ``StoreError/Kind/conflict`` if an identity belongs to another user, or two are of one provider.
    func upsert(_ user: User) throws(StoreError) {
        var profile = user
        profile.identities = []
        profile.secondFactors = []
        let emailIndex = user.email.map { sealer.index(email: $0) }
        let place = StoredRow.place(uid: user.uid, emailIndex: emailIndex, isAnonymous: user.isAnonymous)
        try connection.run(
            """
            INSERT INTO users (uid, email_index, is_anonymous, sealed) VALUES (?1, ?2, ?3, ?4)
            ON CONFLICT (uid) DO UPDATE SET email_index = ?2, is_anonymous = ?3, sealed = ?4
            """,
            [
                .text(user.uid), .blob(orNull: emailIndex), .integer(user.isAnonymous ? 1 : 0),
                .blob(try sealer.seal(profile, at: place)),
            ])
        // Removed first, so that one identity of a provider can be replaced by another of the same provider.
        try connection.run("DELETE FROM identities WHERE uid = ?", [.text(user.uid)])
        for (position, identity) in user.identities.enumerated() {
            try insert(identity, uid: user.uid, position: Int64(position))
        }
        try secondFactors.replace(of: user)
    }

    /// The primary key ensures that an identity has one user: the second insert gets a conflict, whatever was looked up before.
    private func insert(_ identity: Identity, uid: String, position: Int64) throws(StoreError) {
        let index = sealer.index(providerID: identity.providerID, subject: identity.subject)
        let emailIndex = identity.email.map { sealer.index(email: $0) }
        let place = StoredIdentity.place(
            providerID: identity.providerID, subjectIndex: index, uid: uid, position: position, emailIndex: emailIndex)
        try connection.run(
            "INSERT INTO identities (provider_id, subject_index, uid, position, email_index, sealed) VALUES (?, ?, ?, ?, ?, ?)",
            [
                .text(identity.providerID), .blob(index), .text(uid), .integer(position), .blob(orNull: emailIndex),
                .blob(try sealer.seal(identity, at: place)),
            ])
    }

    private func identities(uid: String) throws(StoreError) -> [Identity] {
        try connection.query(
            "SELECT \(StoredIdentity.columns) FROM identities WHERE uid = ? ORDER BY position", [.text(uid)], read: openedIdentity)
    }

    private func openedIdentity(_ row: borrowing Row) throws(StoreError) -> Identity {
        let row = try StoredIdentity(row)
        return try sealer.open(row.sealed, at: row.place)
    }
}

extension UserTable {
    /// The profile is sealed together with all other columns: an address that was given to another user in the file leads to nobody.
    private struct StoredRow {
        static let columns = "users.uid, users.email_index, users.is_anonymous, users.sealed"

        let place: SealedColumn
        let uid: String
        let sealed: [UInt8]

        init(_ row: borrowing Row) throws(StoreError) {
            uid = try row.text(0)
            place = Self.place(uid: uid, emailIndex: try row.blob(orNull: 1), isAnonymous: try row.flag(2))
            sealed = try row.blob(3)
        }

        static func place(uid: String, emailIndex: [UInt8]?, isAnonymous: Bool) -> SealedColumn {
            SealedColumn(.user, Array(uid.utf8), emailIndex ?? [], SealedColumn.part(isAnonymous ? 1 : 0))
        }
    }

    private struct StoredIdentity {
        static let columns = "provider_id, subject_index, uid, position, email_index, sealed"

        let place: SealedColumn
        let uid: String
        let sealed: [UInt8]

        init(_ row: borrowing Row) throws(StoreError) {
            uid = try row.text(2)
            place = Self.place(
                providerID: try row.text(0), subjectIndex: try row.blob(1), uid: uid, position: try row.integer(3),
                emailIndex: try row.blob(orNull: 4))
            sealed = try row.blob(5)
        }

        static func place(providerID: String, subjectIndex: [UInt8], uid: String, position: Int64, emailIndex: [UInt8]?) -> SealedColumn {
            SealedColumn(.identity, Array(providerID.utf8), subjectIndex, Array(uid.utf8), SealedColumn.part(position), emailIndex ?? [])
        }
    }
}

extension UserTable {
    /// The users with this address, either their own or reported by a provider for a linked account, in the order of their creation.
    func users(anyEmail email: String) throws(StoreError) -> [User] {
        try oldestFirst(
            connection.query(
                """
                SELECT uid FROM users WHERE email_index = ?1 OR uid IN (SELECT uid FROM identities WHERE email_index = ?1)
                """, [.blob(sealer.index(email: email))], read: Row.onlyText))
    }

    /// Apps whose current user is anonymous; unreadable rows are left out. The rules allow few of them.
    func anonymousApps() throws(StoreError) -> Int {
        try connection.listing(
            "SELECT \(StoredRow.columns), app, current_users.sealed FROM current_users JOIN users USING (uid) WHERE is_anonymous = 1"
        ) { (row: borrowing Row) throws(StoreError) in
            let uid = try openedAnonymous(row)
            return try sealer.open(try row.blob(5), at: place(app: AppName(try row.text(4)), uid: uid)) as JSONObject
        }.values.count
    }

    /// To be called inside a transaction. Anonymous users have no accounts at providers, so no other data of theirs exists.
    ///
    /// A row is opened first: somebody else whose column was changed in the file stays.
    func deleteOrphans(keeping limit: Int) throws(StoreError) {
        let orphans = try connection.listing(
            """
            SELECT \(StoredRow.columns) FROM users WHERE is_anonymous = 1 AND uid NOT IN (SELECT uid FROM current_users)
            ORDER BY rowid DESC LIMIT -1 OFFSET ?
            """, [.integer(Int64(limit))], read: openedAnonymous)
        for uid in orphans.values { try delete(uid: uid) }
    }

    private func openedAnonymous(_ row: borrowing Row) throws(StoreError) -> String {
        let row = try StoredRow(row)
        _ = try sealer.open(row.sealed, at: row.place) as JSONObject
        return row.uid
    }
}

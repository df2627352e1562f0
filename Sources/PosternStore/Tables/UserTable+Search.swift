import PosternCore

extension UserTable {
    /// Those whose own address it is, or a provider's word for an account of theirs; in the order in which they were made.
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

    /// Inside a transaction. Anonymous users have no accounts at providers, so nothing else of them is anywhere.
    func deleteOrphans(keeping limit: Int) throws(StoreError) {
        try connection.run(
            """
            DELETE FROM users WHERE uid IN (
                SELECT uid FROM users WHERE is_anonymous = 1 AND uid NOT IN (SELECT uid FROM current_users)
                ORDER BY rowid DESC LIMIT -1 OFFSET ?)
            """, [.integer(Int64(limit))])
    }
}

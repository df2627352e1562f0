import PosternCore

/// The password hashes of users who have a password.
struct PasswordTable: SealedTable {
    let connection: Connection
    let sealer: Sealer

    func hash(of uid: String) throws(StoreError) -> PasswordHash? {
        try first("SELECT sealed FROM passwords WHERE uid = ?", [.text(uid)], at: SealedColumn(.password, uid))
    }

    /// To be called inside a transaction.
    func set(_ hash: PasswordHash, of uid: String) throws(StoreError) {
        try connection.run(
            "INSERT INTO passwords (uid, sealed) VALUES (?1, ?2) ON CONFLICT (uid) DO UPDATE SET sealed = ?2",
            [.text(uid), .blob(try sealer.seal(hash, at: SealedColumn(.password, uid)))])
    }

    /// To be called inside a transaction.
    func delete(of uid: String) throws(StoreError) { try connection.run("DELETE FROM passwords WHERE uid = ?", [.text(uid)]) }
}

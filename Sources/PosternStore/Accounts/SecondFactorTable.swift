import PosternCore

/// Second factors, and separately the secrets that verify their codes, each with the codes that are used up.
struct SecondFactorTable {
    let connection: Connection
    let sealer: Sealer

    /// In the order of their enrolment.
    func all(of uid: String) throws(StoreError) -> [SecondFactor] {
        try connection.query("SELECT id, position, sealed FROM second_factors WHERE uid = ? ORDER BY position", [.text(uid)]) {
            (row: borrowing Row) throws(StoreError) in
            try sealer.open(try row.blob(2), at: place(try row.text(0), uid: uid, position: try row.integer(1)))
        }
    }

    /// To be called inside a transaction. Secrets of factors that stay are not changed.
    func replace(of user: User) throws(StoreError) {
        let kept = Set(user.secondFactors.map(\.uid))
        let present = try connection.query("SELECT id FROM second_factors WHERE uid = ?", [.text(user.uid)], read: Row.onlyText)
        for id in present where !kept.contains(id) { try connection.run("DELETE FROM second_factors WHERE id = ?", [.text(id)]) }
        for (position, factor) in user.secondFactors.enumerated() {
            let position = Int64(position)
            try connection.run(
                """
                INSERT INTO second_factors (id, uid, position, sealed) VALUES (?1, ?2, ?3, ?4)
                ON CONFLICT (id) DO UPDATE SET position = ?3, sealed = ?4 WHERE uid = ?2
                """,
                [
                    .text(factor.uid), .text(user.uid), .integer(position),
                    .blob(try sealer.seal(factor, at: place(factor.uid, uid: user.uid, position: position))),
                ])
        }
    }

    /// Nil for a factor without one, such as a phone.
    func key(of id: String, uid: String) throws(StoreError) -> FactorKey? {
        let sealed = try connection.first(
            "SELECT secret FROM second_factors WHERE id = ? AND uid = ?", [.text(id), .text(uid)], read: Row.onlyBlobOrNull)
        guard let sealed = sealed ?? nil else { return nil }
        return try sealer.open(sealed, at: keyPlace(id, uid: uid))
    }

    /// To be called inside a transaction. None of its codes is used up.
    func setSecret(_ secret: Secret, of id: String, uid: String) throws(StoreError) {
        try set(FactorKey(secret: secret, lastStep: nil), of: id, uid: uid)
    }

    /// To be called inside a transaction. Never goes back: a code works once.
    ///
    /// - Parameter step: the time step of the last accepted one-time password.
    func setLastStep(_ step: Int64, of id: String) throws(StoreError) {
        let uid = try connection.first("SELECT uid FROM second_factors WHERE id = ?", [.text(id)], read: Row.onlyText)
        guard let uid, var key = try key(of: id, uid: uid) else { return }
        key.lastStep = max(key.lastStep ?? step, step)
        try set(key, of: id, uid: uid)
    }

    private func set(_ key: FactorKey, of id: String, uid: String) throws(StoreError) {
        let sealed = try sealer.seal(key, at: keyPlace(id, uid: uid))
        try connection.run(
            "UPDATE second_factors SET secret = ? WHERE id = ? AND uid = ?", [.blob(sealed), .text(id), .text(uid)])
    }

    private func place(_ id: String, uid: String, position: Int64) -> SealedColumn {
        SealedColumn(.secondFactor, Array(id.utf8), Array(uid.utf8), SealedColumn.part(position))
    }

    private func keyPlace(_ id: String, uid: String) -> SealedColumn { SealedColumn(.secondFactorSecret, Array(id.utf8), Array(uid.utf8)) }
}

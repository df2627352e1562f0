import PosternCore

/// Second factors, and separately the secrets that verify their codes.
struct SecondFactorTable {
    let connection: Connection
    let sealer: Sealer

    /// In the order of their enrolment.
    func all(of uid: String) throws(StoreError) -> [SecondFactor] {
        let rows = try connection.query("SELECT id, sealed FROM second_factors WHERE uid = ? ORDER BY position", [.text(uid)]) {
            (row: borrowing Row) throws(StoreError) in (id: try row.text(0), sealed: try row.blob(1))
        }
        var factors: [SecondFactor] = []
        for row in rows { factors.append(try sealer.open(row.sealed, at: place(.secondFactor, uid, row.id))) }
        return factors
    }

    /// To be called inside a transaction. Secrets of factors that stay are not changed.
    func replace(of user: User) throws(StoreError) {
        let kept = Set(user.secondFactors.map(\.uid))
        let present = try connection.query("SELECT id FROM second_factors WHERE uid = ?", [.text(user.uid)]) {
            (row: borrowing Row) throws(StoreError) in try row.text(0)
        }
        for id in present where !kept.contains(id) { try connection.run("DELETE FROM second_factors WHERE id = ?", [.text(id)]) }
        for (position, factor) in user.secondFactors.enumerated() {
            try connection.run(
                """
                INSERT INTO second_factors (id, uid, position, sealed) VALUES (?1, ?2, ?3, ?4)
                ON CONFLICT (id) DO UPDATE SET position = ?3, sealed = ?4 WHERE uid = ?2
                """,
                [
                    .text(factor.uid), .text(user.uid), .integer(Int64(position)),
                    .blob(try sealer.seal(factor, at: place(.secondFactor, user.uid, factor.uid))),
                ])
        }
    }

    /// Nil for a factor without one, such as a phone.
    func secret(of id: String, uid: String) throws(StoreError) -> Secret? {
        let sealed = try connection.first("SELECT secret FROM second_factors WHERE id = ? AND uid = ?", [.text(id), .text(uid)]) {
            (row: borrowing Row) throws(StoreError) in try row.blob(orNull: 0)
        }
        guard let sealed = sealed ?? nil else { return nil }
        let record: SealedSecret = try sealer.open(sealed, at: place(.secondFactorSecret, uid, id))
        return record.secret
    }

    /// To be called inside a transaction.
    func setSecret(_ secret: Secret, of id: String, uid: String) throws(StoreError) {
        let sealed = try sealer.seal(SealedSecret(secret: secret), at: place(.secondFactorSecret, uid, id))
        try connection.run(
            "UPDATE second_factors SET secret = ? WHERE id = ? AND uid = ?", [.blob(sealed), .text(id), .text(uid)])
    }

    /// The time step of the last accepted one-time password.
    func lastStep(of id: String, uid: String) throws(StoreError) -> Int64? {
        let step = try connection.first("SELECT last_step FROM second_factors WHERE id = ? AND uid = ?", [.text(id), .text(uid)]) {
            (row: borrowing Row) throws(StoreError) in try row.integer(orNull: 0)
        }
        return step ?? nil
    }

    /// To be called inside a transaction. Never goes back: a code works once.
    func setLastStep(_ step: Int64, of id: String) throws(StoreError) {
        try connection.run(
            "UPDATE second_factors SET last_step = max(coalesce(last_step, -1), ?) WHERE id = ?", [.integer(step), .text(id)])
    }

    private func place(_ column: Place.Column, _ uid: String, _ id: String) -> Place {
        Place(column, Array(id.utf8), Array(uid.utf8))
    }
}

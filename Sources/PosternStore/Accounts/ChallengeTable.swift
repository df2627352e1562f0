import PosternCore
import StrictJSON

/// First factors that wait for a second one, and second factors that have yet to be confirmed. They are deleted with their user.
struct ChallengeTable {
    let connection: Connection
    let sealer: Sealer

    /// To be called inside a transaction.
    func upsert(_ challenge: CodeChallenge) throws(StoreError) {
        let index = sealer.index(challenge: challenge.id.reveal())
        try connection.run(
            """
            INSERT INTO challenges (challenge_index, uid, expires_at, sealed) VALUES (?1, ?2, ?3, ?4)
            ON CONFLICT (challenge_index) DO UPDATE SET sealed = ?4 WHERE uid = ?2
            """,
            [
                .blob(index), .text(challenge.uid), .integer(challenge.expiresAt.milliseconds),
                .blob(try sealer.seal(challenge, at: place(index, challenge.uid))),
            ])
        // Each may contain a profile of a mebibyte: a caller that repeats its request loses the first ones.
        try connection.run(
            """
            DELETE FROM challenges WHERE uid = ?1 AND challenge_index IN
                (SELECT challenge_index FROM challenges WHERE uid = ?1 ORDER BY expires_at DESC, rowid DESC LIMIT -1 OFFSET ?2)
            """, [.text(challenge.uid), .integer(Int64(CodeChallenge.limitPerUser))])
    }

    func challenge(_ id: String, now: Timestamp) throws(StoreError) -> CodeChallenge? {
        let index = sealer.index(challenge: id)
        let found = try connection.first(
            "SELECT uid, expires_at, sealed FROM challenges WHERE challenge_index = ? AND expires_at > ?",
            [.blob(index), .integer(now.milliseconds)]
        ) { (row: borrowing Row) throws(StoreError) in
            (uid: try row.text(0), expiresAt: try row.integer(1), sealed: try row.blob(2))
        }
        guard let found else { return nil }
        var challenge: CodeChallenge = try sealer.open(found.sealed, at: place(index, found.uid))
        (challenge.id, challenge.uid, challenge.expiresAt) = (Secret(id), found.uid, Timestamp(milliseconds: found.expiresAt))
        return challenge
    }

    func delete(_ id: String) throws(StoreError) {
        try connection.run("DELETE FROM challenges WHERE challenge_index = ?", [.blob(sealer.index(challenge: id))])
    }

    func deleteAll(of uid: String) throws(StoreError) { try connection.run("DELETE FROM challenges WHERE uid = ?", [.text(uid)]) }

    /// Those of the user in one app.
    func deleteAll(of uid: String, app: AppName) throws(StoreError) {
        let rows = try connection.query("SELECT challenge_index, sealed FROM challenges WHERE uid = ?", [.text(uid)]) {
            (row: borrowing Row) throws(StoreError) in (index: try row.blob(0), sealed: try row.blob(1))
        }
        for row in rows {
            // One that cannot be opened continues nothing, and expires in minutes.
            guard let record: JSONObject = try? sealer.open(row.sealed, at: place(row.index, uid)), record.isOf(app) else { continue }
            try connection.run("DELETE FROM challenges WHERE challenge_index = ?", [.blob(row.index)])
        }
    }

    func deleteExpired(now: Timestamp) throws(StoreError) {
        try connection.run("DELETE FROM challenges WHERE expires_at <= ?", [.integer(now.milliseconds)])
    }

    /// Sealed together with the uid: a challenge that was assigned to another user in the file cannot be opened.
    private func place(_ index: [UInt8], _ uid: String) -> SealedColumn { SealedColumn(.challenge, index, Array(uid.utf8)) }
}

import PosternCore

/// How often something was tried recently; for whom or what is stored only as a blind index.
struct AttemptTable: SealedTable {
    let connection: Connection
    let sealer: Sealer

    /// Longer than any limit remembers.
    private static let retentionSeconds: Int64 = 7 * 86_400

    func attempts(of subject: AttemptSubject) throws(StoreError) -> Attempts? {
        let index = sealer.index(attemptsOf: subject.text)
        return try first("SELECT sealed FROM attempts WHERE subject_index = ?", [.blob(index)], at: SealedColumn(.attempts, index))
    }

    /// To be called inside a transaction. A count of 0 is deleted.
    func set(_ attempts: Attempts, of subject: AttemptSubject) throws(StoreError) {
        let index = sealer.index(attemptsOf: subject.text)
        guard attempts.count > 0 else {
            try connection.run("DELETE FROM attempts WHERE subject_index = ?", [.blob(index)])
            return
        }
        try connection.run(
            """
            INSERT INTO attempts (subject_index, last_at, sealed) VALUES (?1, ?2, ?3)
            ON CONFLICT (subject_index) DO UPDATE SET last_at = ?2, sealed = ?3
            """,
            [.blob(index), .integer(attempts.since.milliseconds), .blob(try sealer.seal(attempts, at: SealedColumn(.attempts, index)))])
    }

    func deleteOld(now: Timestamp) throws(StoreError) {
        let limit = now.adding(seconds: -Self.retentionSeconds)
        try connection.run("DELETE FROM attempts WHERE last_at <= ?", [.integer(limit.milliseconds)])
    }
}

import PosternCore

/// How often something was tried recently; for whom or what is stored only as a blind index.
struct AttemptTable {
    let connection: Connection
    let sealer: Sealer

    /// Longer than any limit remembers.
    private static let retentionSeconds: Int64 = 7 * 86_400

    func attempts(of subject: AttemptSubject) throws(StoreError) -> Attempts? {
        try connection.first(
            "SELECT count, last_at FROM attempts WHERE subject_index = ?", [.blob(sealer.index(attemptsOf: subject.text))]
        ) { (row: borrowing Row) throws(StoreError) in
            Attempts(count: try row.integer(0), since: Timestamp(milliseconds: try row.integer(1)))
        }
    }

    /// To be called inside a transaction. A count of 0 is deleted.
    func set(_ attempts: Attempts, of subject: AttemptSubject) throws(StoreError) {
        let index = SQLValue.blob(sealer.index(attemptsOf: subject.text))
        guard attempts.count > 0 else {
            try connection.run("DELETE FROM attempts WHERE subject_index = ?", [index])
            return
        }
        try connection.run(
            """
            INSERT INTO attempts (subject_index, count, last_at) VALUES (?1, ?2, ?3)
            ON CONFLICT (subject_index) DO UPDATE SET count = ?2, last_at = ?3
            """, [index, .integer(attempts.count), .integer(attempts.since.milliseconds)])
    }

    func deleteOld(now: Timestamp) throws(StoreError) {
        let limit = now.adding(seconds: -Self.retentionSeconds)
        try connection.run("DELETE FROM attempts WHERE last_at <= ?", [.integer(limit.milliseconds)])
    }
}

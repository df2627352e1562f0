import PosternCore
import StrictJSON

/// Credential handles that were given out and not used yet.
struct HandleTable {
    let connection: Connection
    let sealer: Sealer

    /// Inside a transaction.
    func insert(_ record: HandleRecord) throws(StoreError) {
        let index = sealer.index(handle: record.handle.reveal())
        try connection.run(
            "INSERT INTO handles (handle_index, expires_at, sealed) VALUES (?, ?, ?)",
            [
                .blob(index), .integer(record.expiresAt.milliseconds), .blob(try sealer.seal(record.record, at: Place(.handle, index))),
            ])
    }

    /// Inside a transaction. Gives the record once, and nil ever after.
    func take(_ handle: String, now: Timestamp) throws(StoreError) -> HandleRecord? {
        try deleteExpired(now: now)
        guard let record = try record(handle, now: now) else { return nil }
        try delete(handle)
        return record
    }

    /// What the handle stands for; nil if it is unknown, used or expired.
    func record(_ handle: String, now: Timestamp) throws(StoreError) -> HandleRecord? {
        let index = sealer.index(handle: handle)
        let found = try connection.first("SELECT expires_at, sealed FROM handles WHERE handle_index = ?", [.blob(index)]) {
            (row: borrowing Row) throws(StoreError) in (expiresAt: try row.integer(0), sealed: try row.blob(1))
        }
        guard let found, found.expiresAt > now.milliseconds else { return nil }
        let document: JSONObject = try sealer.open(found.sealed, at: Place(.handle, index))
        do throws(JSONMemberError) {
            return try HandleRecord(record: document, handle: handle, expiresAt: Timestamp(milliseconds: found.expiresAt))
        } catch {
            throw StoreError(.damagedRow, file: sealer.file, reason: "what a handle stands for is not readable: \(error)")
        }
    }

    func delete(_ handle: String) throws(StoreError) {
        try connection.run("DELETE FROM handles WHERE handle_index = ?", [.blob(sealer.index(handle: handle))])
    }

    func deleteExpired(now: Timestamp) throws(StoreError) {
        try connection.run("DELETE FROM handles WHERE expires_at <= ?", [.integer(now.milliseconds)])
    }
}

extension HandleTable {
    /// Inside a transaction. Handles that stand for an account of the user's; there are never more than a few minutes gave out.
    func deleteAll(of user: User) throws(StoreError) {
        let rows = try connection.query("SELECT handle_index, sealed FROM handles") {
            (row: borrowing Row) throws(StoreError) in (index: try row.blob(0), sealed: try row.blob(1))
        }
        for row in rows {
            // What does not open stands for nothing, and is over in minutes.
            guard let document: JSONObject = try? sealer.open(row.sealed, at: Place(.handle, row.index)),
                let credential: CompletedSignIn = try? document.requiredRecord("credential"), credential.isOf(user)
            else { continue }
            try connection.run("DELETE FROM handles WHERE handle_index = ?", [.blob(row.index)])
        }
    }
}

extension SessionTable {
    /// Inside a transaction. What a finished sign-in of the user's has to deliver is not delivered any more.
    func deleteResults(of user: User) throws(StoreError) {
        let rows = try connection.query("SELECT id, outcome FROM sessions WHERE outcome IS NOT NULL") {
            (row: borrowing Row) throws(StoreError) in (id: try row.text(0), outcome: try row.blob(1))
        }
        for row in rows {
            guard let outcome: SignInOutcome = try? sealer.open(row.outcome, at: Place(.sessionOutcome, row.id)), outcome.isOf(user)
            else { continue }
            try delete(row.id)
        }
    }
}

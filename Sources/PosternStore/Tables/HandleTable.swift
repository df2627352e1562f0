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

    /// What the handle stands for; nil where it is unknown, used or expired.
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

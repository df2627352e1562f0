import PosternCore
import StrictJSON

/// Credential handles that were handed out and not used yet.
struct HandleTable {
    let connection: Connection
    let sealer: Sealer

    /// To be called inside a transaction.
    func insert(_ record: HandleRecord) throws(StoreError) {
        let index = sealer.index(handle: record.handle.reveal())
        try connection.run(
            "INSERT INTO handles (handle_index, expires_at, sealed) VALUES (?, ?, ?)",
            [
                .blob(index), .integer(record.expiresAt.milliseconds),
                .blob(try sealer.seal(record, at: SealedColumn(.handle, index))),
            ])
    }

    /// To be called inside a transaction. Returns the record once, and nil after that.
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
        var record: HandleRecord = try sealer.open(found.sealed, at: SealedColumn(.handle, index))
        (record.handle, record.expiresAt) = (Secret(handle), Timestamp(milliseconds: found.expiresAt))
        return record
    }

    func delete(_ handle: String) throws(StoreError) {
        try connection.run("DELETE FROM handles WHERE handle_index = ?", [.blob(sealer.index(handle: handle))])
    }

    func deleteExpired(now: Timestamp) throws(StoreError) {
        try connection.run("DELETE FROM handles WHERE expires_at <= ?", [.integer(now.milliseconds)])
    }
}

extension HandleTable {
    /// To be called inside a transaction. Deletes the handles for an account of the user; there are never more than some minutes' worth.
    func deleteAll(of user: User) throws(StoreError) {
        try deleteAll { (record: JSONObject) in
            guard let credential: CompletedSignIn = try? record.value("credential") else { return false }
            return credential.isOf(user)
        }
    }

    /// To be called inside a transaction. Deletes those that a program got when its app was signed in as this user.
    ///
    /// - Parameter app: nil for all apps.
    func deleteAll(givenTo uid: String, app: AppName?) throws(StoreError) {
        try deleteAll { $0["uids"]?.arrayValue?.contains(.string(uid)) == true && (app.map($0.isOf) ?? true) }
    }

    private func deleteAll(where isMeant: (JSONObject) -> Bool) throws(StoreError) {
        let rows = try connection.query("SELECT handle_index, sealed FROM handles") {
            (row: borrowing Row) throws(StoreError) in (index: try row.blob(0), sealed: try row.blob(1))
        }
        for row in rows {
            // One that cannot be opened stands for nothing, and expires in minutes.
            guard let document: JSONObject = try? sealer.open(row.sealed, at: SealedColumn(.handle, row.index)), isMeant(document) else {
                continue
            }
            try connection.run("DELETE FROM handles WHERE handle_index = ?", [.blob(row.index)])
        }
    }
}

extension SessionTable {
    /// To be called inside a transaction. Results of the user's finished sign-ins are no longer delivered.
    func deleteResults(of user: User) throws(StoreError) { try deleteResults { outcome, _ in outcome.isOf(user) } }

    /// To be called inside a transaction. As ``deleteResults(of:)``, if nobody has fetched them and a handle would come with them.
    func deleteUnfetched(givingHandlesFor user: User) throws(StoreError) {
        try deleteResults { outcome, isDelivered in !isDelivered && outcome.credentialToHandOut?.isOf(user) ?? false }
    }

    private func deleteResults(where isMeant: (SignInOutcome, _ isDelivered: Bool) -> Bool) throws(StoreError) {
        let rows = try connection.listing("SELECT id, is_delivered, outcome FROM sessions WHERE outcome IS NOT NULL") {
            (row: borrowing Row) throws(StoreError) in
            (id: try row.text(0), isDelivered: try row.flag(1), outcome: try row.blob(2))
        }
        for row in rows.values {
            let place = SealedColumn.outcome(of: row.id, isDelivered: row.isDelivered)
            guard let outcome: SignInOutcome = try? sealer.open(row.outcome, at: place), isMeant(outcome, row.isDelivered) else { continue }
            try delete(row.id)
        }
    }
}

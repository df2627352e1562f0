import PosternCore
import StrictJSON

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

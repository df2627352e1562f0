import PosternCore

/// What of a committed transaction can be lost.
enum Durability: String {
    /// Nothing.
    case full = "FULL"
    /// In a power cut, unless a ``full`` one followed. Not in a crash of the process.
    case survivesProcess = "NORMAL"
}

extension Connection {
    /// All of the body's changes, or none. They are on disk when this returns, unless their durability is lower.
    func transaction<Value>(
        _ durability: Durability = .full, _ body: () throws(StoreError) -> Value
    ) throws(StoreError) -> Value {
        wantedDurability = durability
        defer { wantedDurability = .full }
        try begin()
        let value: Value
        do throws(StoreError) { value = try body() } catch {
            abandon()
            throw error
        }
        try commit()
        return value
    }

    /// As ``transaction(_:)``, for a decision about accounts: if it throws, its error is rethrown, with nothing changed.
    func decision<Value>(_ body: () throws(AccountFailure) -> Value) throws(AccountFailure) -> Value {
        try AccountFailure.wrapping(store: begin())
        let value: Value
        do throws(AccountFailure) { value = try body() } catch {
            abandon()
            throw error
        }
        try AccountFailure.wrapping(store: commit())
        return value
    }

    /// `IMMEDIATE`: a transaction that could not be written in the end fails here, before anything was decided.
    private func begin() throws(StoreError) { try run("BEGIN IMMEDIATE") }

    private func commit() throws(StoreError) {
        do throws(StoreError) { try run("COMMIT") } catch {
            abandon()
            throw error
        }
    }

    private func abandon() {
        // If it cannot be rolled back, nothing changes for the caller: it was not committed, and the next BEGIN will fail.
        if isInTransaction { try? execute("ROLLBACK") }
    }
}

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
    ///
    /// - Parameter failure: turns the store's own errors into the body's. What the body throws is rethrown, with nothing changed.
    func transaction<Value, Failure: Error>(
        _ durability: Durability = .full, failure: (StoreError) -> Failure, _ body: () throws(Failure) -> Value
    ) throws(Failure) -> Value {
        wantedDurability = durability
        defer { wantedDurability = .full }
        // `IMMEDIATE`: a transaction that could not be written in the end fails here, before anything was decided.
        do throws(StoreError) { try run("BEGIN IMMEDIATE") } catch { throw failure(error) }
        let value: Value
        do throws(Failure) { value = try body() } catch {
            abandon()
            throw error
        }
        do throws(StoreError) { try run("COMMIT") } catch {
            abandon()
            throw failure(error)
        }
        return value
    }

    func transaction<Value>(_ durability: Durability = .full, _ body: () throws(StoreError) -> Value) throws(StoreError) -> Value {
        try transaction(durability, failure: { $0 }, body)
    }

    private func abandon() {
        // If it cannot be rolled back, nothing changes for the caller: it was not committed, and the next BEGIN will fail.
        if isInTransaction { try? execute("ROLLBACK") }
    }
}

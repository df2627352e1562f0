/// The rows of a table that open, and what is wrong with those that do not: one bad row hides no other.
public struct Listing<Value: Sendable>: Sendable {
    public var values: [Value] = []
    /// Each of the kind ``StoreError/Kind/damagedRow``.
    public var damaged: [StoreError] = []

    public init() {}
}

extension Connection {
    /// Reads every row that can be read.
    func listing<Value>(
        _ sql: String, _ values: [SQLValue] = [], read: (borrowing Row) throws(StoreError) -> Value
    ) throws(StoreError) -> Listing<Value> {
        var listing = Listing<Value>()
        _ = try query(sql, values) { (row: borrowing Row) throws(StoreError) in
            do throws(StoreError) { listing.values.append(try read(row)) } catch {
                guard error.kind == .damagedRow else { throw error }
                listing.damaged.append(error)
            }
        }
        return listing
    }
}

import PosternCore

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

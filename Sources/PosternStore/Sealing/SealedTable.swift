import PosternCore

/// A table with sealed values.
protocol SealedTable {
    var connection: Connection { get }
    var sealer: Sealer { get }
}

extension SealedTable {
    /// Opens the sealed value that a statement finds, in the only column that it reads.
    func first<Value: Record>(_ sql: String, _ values: [SQLValue], at place: SealedColumn) throws(StoreError) -> Value? {
        guard let sealed = try connection.first(sql, values, read: Row.onlyBlob) else { return nil }
        return try sealer.open(sealed, at: place)
    }
}

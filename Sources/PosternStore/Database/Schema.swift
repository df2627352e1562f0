import PosternCore

/// The program and the version that a database file belongs to.
enum Schema {
    /// "PoSt", in the file's header: distinguishes our files from those of other programs.
    static let applicationID: Int64 = 0x506F_5374

    /// The `user_version` of a store with ``script``. Stores with 1 to 3 were made before the first release, and are not read.
    static let version: Int64 = 4

    static func version(of connection: Connection) throws(StoreError) -> Int64 {
        try connection.pragma("user_version")
    }
}

extension Connection {
    /// The number that a pragma returns.
    func pragma(_ name: String) throws(StoreError) -> Int64 {
        guard let value = try first("PRAGMA \(name)", read: Row.onlyInteger) else {
            throw StoreError(.internal, file: file, reason: "SQLite does not answer about \(name)")
        }
        return value
    }
}

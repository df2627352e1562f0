import PosternCore

/// The program and the version that a database file belongs to.
enum Schema {
    /// "PoSt", in the file's header: distinguishes our files from those of other programs.
    static let applicationID: Int64 = 0x506F_5374

    /// Brings the schema up to date, each step in its own transaction, so that a crash leaves a complete version.
    static func migrate(_ connection: Connection, sealer: Sealer, with migrations: [Migration]) throws(StoreError) {
        let version = try version(of: connection)
        for migration in migrations where migration.version > version {
            try connection.transaction { () throws(StoreError) in
                try apply(migration, to: connection)
                try migration.rewrite(connection, sealer)
            }
        }
    }

    /// To be called inside a transaction.
    static func apply(_ migration: Migration, to connection: Connection) throws(StoreError) {
        try connection.execute(migration.script)
        // A pragma accepts no bound values; the number is ours. The pragma is part of the transaction, because the header is.
        try connection.execute("PRAGMA user_version = \(migration.version)")
    }

    static func version(of connection: Connection) throws(StoreError) -> Int64 {
        try connection.pragma("user_version")
    }
}

extension Connection {
    /// The number that a pragma returns.
    func pragma(_ name: String) throws(StoreError) -> Int64 {
        guard let value = try first("PRAGMA \(name)", read: { (row: borrowing Row) throws(StoreError) in try row.integer(0) }) else {
            throw StoreError(.internal, file: file, reason: "SQLite does not answer about \(name)")
        }
        return value
    }
}

/// One step of the schema. A released step is never changed; later changes are new steps.
struct Migration: Sendable {
    /// The `user_version` of a store that has it: 1 for the first step, then one more each.
    let version: Int64
    let script: String
    /// Changes values that must be decrypted first; run after the script, in the same transaction.
    let rewrite: @Sendable (Connection, Sealer) throws(StoreError) -> Void

    init(
        version: Int64, script: String = "",
        rewrite: @escaping @Sendable (Connection, Sealer) throws(StoreError) -> Void = { _, _ throws(StoreError) in }
    ) {
        self.version = version
        self.script = script
        self.rewrite = rewrite
    }

    static let all = [Migration.first, .accounts, .addressProofs]
}

extension [Migration] {
    var latest: Int64 { map(\.version).max() ?? 0 }
}

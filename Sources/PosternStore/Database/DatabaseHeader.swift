import PosternCore

/// The first 100 bytes of a database file, read before SQLite may change it (SQLite's file format, section 1.3).
struct DatabaseHeader {
    static let byteCount = 100
    private static let magic = Array("SQLite format 3\0".utf8)

    let userVersion: Int64
    let applicationID: Int64

    /// Nil if it is not a SQLite database, or has a file format that SQLite would only read, or not know.
    init?(_ bytes: [UInt8]) {
        guard bytes.count == Self.byteCount, bytes.starts(with: Self.magic) else { return nil }
        func number(at offset: Int) -> Int64 {
            Int64(Int32(truncatingIfNeeded: bytes[offset..<offset + 4].reduce(0) { $0 << 8 | UInt32($1) }))
        }
        guard (1...2).contains(bytes[18]), (1...2).contains(bytes[19]), (0...4).contains(number(at: 44)) else { return nil }
        userVersion = number(at: 60)
        applicationID = number(at: 68)
    }

    /// Refuses a file that is not ours, or has another schema.
    func check(file: String) throws(StoreError) {
        // Both zero: a database in which nothing has been written yet.
        guard applicationID == Schema.applicationID || (applicationID == 0 && userVersion == 0), userVersion >= 0 else {
            throw StoreError(
                .damaged, file: file, reason: "this is another program's database, or its header is damaged",
                advice: "restore a backup, or move the file away to start with a new store")
        }
        guard userVersion <= Schema.version else {
            throw StoreError(
                .newerSchema, file: file,
                reason: "the store has schema \(userVersion), but this version supports at most \(Schema.version)")
        }
        guard userVersion == Schema.version || userVersion == 0 else {
            throw StoreError(
                .olderSchema, file: file,
                reason: "the store has schema \(userVersion), from before the first release, and this version reads only \(Schema.version)")
        }
    }
}

extension DatabaseHeader {
    init(userVersion: Int64, applicationID: Int64) {
        self.userVersion = userVersion
        self.applicationID = applicationID
    }
}

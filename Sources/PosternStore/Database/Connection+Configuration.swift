import CSQLite
import PosternCore

extension Connection {
    /// Settings that every connection needs, before anything is read.
    func configure() throws(StoreError) {
        // One daemon uses the file, so the lock is taken once and kept. The index of the log is then in our own memory: no `-shm` file, and
        // no mapped page that could fail when the disk is full.
        try execute("PRAGMA locking_mode = EXCLUSIVE")
        try execute("PRAGMA busy_timeout = \(Self.busyTimeoutMilliseconds)")
        try execute("PRAGMA synchronous = FULL")
        try execute("PRAGMA foreign_keys = ON")
        // Deleted data is overwritten.
        try execute("PRAGMA secure_delete = ON")
        // A file is not a program: its schema may not call functions, and is checked as it is read.
        try execute("PRAGMA trusted_schema = OFF")
        try execute("PRAGMA cell_size_check = ON")
        try setOption(SQLITE_DBCONFIG_DEFENSIVE, true)
        try setOption(SQLITE_DBCONFIG_ENABLE_TRIGGER, false)
        try setOption(SQLITE_DBCONFIG_ENABLE_VIEW, false)
        // Until the file has been accepted, closing it changes nothing in it.
        try setOption(SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true)
        setLimit(SQLITE_LIMIT_LENGTH, Self.longestValue)
        // No plaintext in a temporary directory.
        try execute("PRAGMA temp_store = MEMORY")
        try setCache(kibibytes: Self.cacheKibibytes)
    }

    private func setCache(kibibytes: Int) throws(StoreError) { try execute("PRAGMA cache_size = -\(kibibytes)") }

    /// How long to wait for another program that reads the file, such as a backup.
    private static let busyTimeoutMilliseconds = 2000
    /// Much larger than a session with a profile document of the largest size, but smaller than a length that a damaged file might claim.
    private static let longestValue: Int32 = 16 * 1024 * 1024
    /// More pages than a sign-in needs. Pages that are read again come from the system's own cache, in microseconds.
    private static let cacheKibibytes = 128
    /// For the check, which looks up each row in each index: with few pages in memory it reads the same ones again and again.
    private static let checkCacheKibibytes = 2048
    /// Pages of 4 KiB in the log after which it is written back.
    private static let checkpointPages = 256

    func switchToWriteAheadLog() throws(StoreError) {
        // A copy made by other means may have another mode; in that case this changes the file.
        if try journalMode() != "wal" {
            try requireWhole()
            try execute("PRAGMA journal_mode = WAL")
            guard try journalMode() == "wal" else {
                throw StoreError(.cannotOpen, file: file, reason: "the file system cannot hold a database with a write-ahead log")
            }
        }
        try execute("PRAGMA wal_autocheckpoint = \(Self.checkpointPages)")
        // A log that has grown is truncated again.
        try execute("PRAGMA journal_size_limit = \(Self.checkpointPages * 4096)")
    }

    func allowCheckpointOnClose() throws(StoreError) { try setOption(SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, false) }

    /// A file with up to this many pages is checked when it is opened, which takes less than a millisecond: a user's store has 30 to 100.
    /// With a larger one only changes wait for the check.
    static let smallFilePages: Int64 = 256

    var isSmall: Bool { get throws(StoreError) { try pragma("page_count") <= Self.smallFilePages } }

    /// Reads all of the file: every page is reachable, in order, and in only one place, and the indexes match the tables.
    func integrityCheck() throws(StoreError) {
        try setCache(kibibytes: Self.checkCacheKibibytes)
        defer {
            // If this fails, the cache stays larger, which does no harm.
            try? setCache(kibibytes: Self.cacheKibibytes)
            emptyCache()
        }
        let findings = try query("PRAGMA integrity_check(1)", read: Row.onlyText)
        guard findings == ["ok"] else {
            // SQLite writes a heading, followed by a line feed.
            let first = findings.first.map { $0.parts(separator: "\n").joined(separator: " ") }
            throw StoreError(.damaged, file: file, reason: "the database is corrupt: \(first ?? "no word about it")")
        }
    }

    var isEmpty: Bool {
        get throws(StoreError) {
            try first("SELECT count(*) FROM sqlite_master", read: Row.onlyInteger) == 0
        }
    }
}

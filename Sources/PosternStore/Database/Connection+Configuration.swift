import CSQLite
import PosternCore

extension Connection {
    /// Settings that every connection needs, before anything is read.
    func configure() throws(StoreError) {
        // One daemon uses the file, so the lock is taken once and kept. The index of the log is then in memory of our own:
        // no `-shm` file, and no page of a mapped file that could fail under us when the disk is full.
        try execute("PRAGMA locking_mode = EXCLUSIVE")
        try execute("PRAGMA busy_timeout = \(Self.busyTimeoutMilliseconds)")
        try execute("PRAGMA synchronous = FULL")
        try execute("PRAGMA foreign_keys = ON")
        // What is deleted is overwritten.
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
        // Nothing in plain sight in a temporary directory.
        try execute("PRAGMA temp_store = MEMORY")
        try setCache(kibibytes: Self.cacheKibibytes)
    }

    private func setCache(kibibytes: Int) throws(StoreError) { try execute("PRAGMA cache_size = -\(kibibytes)") }

    /// Another program that reads the file, a backup for instance, is waited for this long.
    private static let busyTimeoutMilliseconds = 2000
    /// A session with a profile document of the largest size fits many times; a length that a damaged file claims does not.
    private static let longestValue: Int32 = 16 * 1024 * 1024
    /// More pages than a sign-in touches. What is read again comes out of the system's own cache, in microseconds.
    private static let cacheKibibytes = 128
    /// During the check, which looks each row up in each index: with few pages in memory it reads the same ones again and again.
    private static let checkCacheKibibytes = 2048
    /// Pages of 4 KiB in the log after which it is written back.
    private static let checkpointPages = 256

    func switchToWriteAheadLog() throws(StoreError) {
        // A copy made by other means may have another mode; then this changes the file.
        if try journalMode() != "wal" {
            try requireWhole()
            try execute("PRAGMA journal_mode = WAL")
            guard try journalMode() == "wal" else {
                throw StoreError(.cannotOpen, file: file, reason: "the file system cannot hold a database with a write-ahead log")
            }
        }
        try execute("PRAGMA wal_autocheckpoint = \(Self.checkpointPages)")
        // A log that grew once does not stay so.
        try execute("PRAGMA journal_size_limit = \(Self.checkpointPages * 4096)")
    }

    func allowCheckpointOnClose() throws(StoreError) { try setOption(SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, false) }

    /// A file of so many pages is checked while it is opened, which takes less than a millisecond: a user's store has 30 to 100.
    /// With a larger one only changes wait for the check.
    static let smallFilePages: Int64 = 256

    var isSmall: Bool { get throws(StoreError) { try pragma("page_count") <= Self.smallFilePages } }

    /// Reads all of the file: every page is reachable, in order, and in no two places, and the indexes say what the tables say.
    func integrityCheck() throws(StoreError) {
        try setCache(kibibytes: Self.checkCacheKibibytes)
        defer {
            // If that fails, the cache stays larger, which harms nothing.
            try? setCache(kibibytes: Self.cacheKibibytes)
            emptyCache()
        }
        let findings = try query("PRAGMA integrity_check(1)") { (row: borrowing Row) throws(StoreError) in try row.text(0) }
        guard findings == ["ok"] else {
            throw StoreError(.damaged, file: file, reason: "the database is corrupt: \(findings.first ?? "no word about it")")
        }
    }

    var isEmpty: Bool {
        get throws(StoreError) {
            try first("SELECT count(*) FROM sqlite_master") { (row: borrowing Row) throws(StoreError) in try row.integer(0) } == 0
        }
    }
}

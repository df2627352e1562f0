import CSQLite
import PosternCore

/// Owns one SQLite connection and its prepared statements.
///
/// Not thread-safe: created on one thread, it is handed to the store's thread and stays there.
final class Connection {
    let file: String
    private let handle: OpaquePointer
    /// Of the file that was opened; nil if it disappeared at once.
    private let identity: FileIdentity?
    private var statements: [String: Statement] = [:]
    private(set) var wholeness = Wholeness.unknown
    /// Closing it may write the log back into the file.
    private var isAccepted = false
    /// The current setting of ``configure()``, and the one that the next change needs.
    private var durability = Durability.full
    var wantedDurability = Durability.full
    /// Held as long as the connection is open: until then no other daemon may use the directory.
    private let lock: DirectoryLock

    /// Opens an existing file; it does not create one.
    init(opening file: String, lock: DirectoryLock) throws(StoreError) {
        var opened: OpaquePointer?
        // Without SQLite's mutexes: one thread at a time uses the connection.
        let result = sqlite3_open_v2(file, &opened, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, nil)
        guard let opened else { throw StoreError(.outOfMemory, file: file, reason: "out of memory") }
        guard result == SQLITE_OK else {
            let error = StoreError.sqlite(sqlite3_extended_errcode(opened), systemError: sqlite3_system_errno(opened), file: file)
            sqlite3_close_v2(opened)
            throw error
        }
        handle = opened
        identity = FileIdentity(of: file)
        self.file = file
        self.lock = lock
        sqlite3_extended_result_codes(handle, 1)
        // SQLite falls back to read-only access without an error.
        guard sqlite3_db_readonly(handle, "main") == 0 else {
            throw StoreError(.readOnly, file: file, reason: "the store cannot be written")
        }
    }

    deinit {
        statements.removeAll()
        sqlite3_close_v2(handle)
    }

    /// - Parameter option: `SQLITE_DBCONFIG_…`, one that is on or off.
    func setOption(_ option: Int32, _ isOn: Bool) throws(StoreError) {
        let result = postern_sqlite3_set_option(handle, option, isOn ? 1 : 0)
        guard result == SQLITE_OK else { throw failure(result) }
    }

    /// - Parameter limit: `SQLITE_LIMIT_…`.
    func setLimit(_ limit: Int32, _ value: Int32) { sqlite3_limit(handle, limit, value) }

    /// Runs a statement whose rows, if any, do not matter.
    ///
    /// - Returns: how many rows it inserted, updated or deleted; undefined for other statements.
    @discardableResult
    func run(_ sql: String, _ values: [SQLValue] = []) throws(StoreError) -> Int {
        _ = try query(sql, values) { (_: borrowing Row) throws(StoreError) in }
        return Int(sqlite3_changes(handle))
    }

    /// Runs statements that are needed once: any number of them, not kept prepared.
    func execute(_ script: String) throws(StoreError) { try check(sqlite3_exec(handle, script, nil, nil, nil)) }

    /// Reads every row.
    ///
    /// Before a statement that changes the file, the whole file is checked.
    func query<Value>(
        _ sql: String, _ values: [SQLValue] = [], read: (borrowing Row) throws(StoreError) -> Value
    ) throws(StoreError) -> [Value] {
        if case .damaged(let error) = wholeness { throw error }
        let statement = try prepared(sql)
        if !statement.isReadOnly { try prepareToWrite() }
        return try rows(of: statement, values, read: read)
    }

    private func rows<Value>(
        of statement: Statement, _ values: [SQLValue] = [], read: (borrowing Row) throws(StoreError) -> Value
    ) throws(StoreError) -> [Value] {
        defer { statement.reset() }
        try check(statement.bind(values))
        var found: [Value] = []
        while true {
            switch statement.step() {
            case SQLITE_ROW:
                rowsRead += 1
                found.append(try read(statement.row(in: file)))
            case SQLITE_DONE: return found
            case let result: throw failure(result)
            }
        }
    }

    /// Reads the first row, if there is one.
    func first<Value>(
        _ sql: String, _ values: [SQLValue] = [], read: (borrowing Row) throws(StoreError) -> Value
    ) throws(StoreError) -> Value? {
        try query(sql, values, read: read).first
    }

    /// Pages of the file that were read since it was opened: a cost that does not depend on how busy the machine is.
    var pagesRead: Int {
        var (current, highest): (Int32, Int32) = (0, 0)
        sqlite3_db_status(handle, SQLITE_DBSTATUS_CACHE_MISS, &current, &highest, 0)
        return Int(current)
    }

    /// Rows that statements returned since it was opened.
    private(set) var rowsRead = 0

    /// True between `BEGIN` and the end of the transaction; SQLite itself may end it after an error.
    var isInTransaction: Bool { sqlite3_get_autocommit(handle) == 0 }

    /// The result of the integrity check.
    enum Wholeness {
        /// It has not run.
        case unknown
        case whole
        case damaged(StoreError)
    }

    /// Checks the whole file, unless that was done. A damaged one answers nothing from then on.
    func requireWhole() throws(StoreError) {
        switch wholeness {
        case .whole: return
        case .damaged(let error): throw error
        case .unknown: break
        }
        do throws(StoreError) { try integrityCheck() } catch {
            if error.kind == .damaged { wholeness = .damaged(error) }
            throw error
        }
        wholeness = .whole
        if isAccepted { try allowCheckpointOnClose() }
    }

    /// The file is ours, and its key is known.
    func accept() throws(StoreError) {
        isAccepted = true
        if case .whole = wholeness { try allowCheckpointOnClose() }
    }

    /// Not with ``query(_:_:read:)``: SQLite treats the statement as one that changes the file.
    func journalMode() throws(StoreError) -> String? {
        try rows(of: prepared("PRAGMA journal_mode"), read: Row.onlyText).first
    }

    /// Drops all cached pages.
    func emptyCache() { sqlite3_db_release_memory(handle) }

    private func prepareToWrite() throws(StoreError) {
        guard !isInTransaction else { return }
        try requireInPlace()
        try requireWhole()
        guard durability != wantedDurability else { return }
        // Not kept prepared: SQLite applies it when it prepares the statement.
        try execute("PRAGMA synchronous = \(wantedDurability.rawValue)")
        durability = wantedDurability
    }

    /// Changes in a file that was deleted are lost with the process, and nobody would notice until then.
    private func requireInPlace() throws(StoreError) {
        guard let identity, FileIdentity(of: file) == identity else {
            throw StoreError(
                .io, file: file, reason: "the file was removed or replaced while the store was open",
                advice: "restart the daemon")
        }
    }

    private func prepared(_ sql: String) throws(StoreError) -> Statement {
        if let statement = statements[sql] { return statement }
        var made: OpaquePointer?
        let result = sqlite3_prepare_v3(handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &made, nil)
        // Our statements fit our tables: if one does not, the tables are not the ones that were created.
        guard result != SQLITE_ERROR else {
            throw StoreError(.damaged, file: file, reason: "the tables were changed: \(String(cString: sqlite3_errmsg(handle)))")
        }
        try check(result)
        guard let made else { throw StoreError(.internal, file: file, reason: "a statement is empty") }
        let statement = Statement(adopting: made)
        statements[sql] = statement
        return statement
    }

    private func check(_ result: Int32) throws(StoreError) {
        guard result == SQLITE_OK else { throw failure(result) }
    }

    private func failure(_ result: Int32) -> StoreError {
        .sqlite(result, systemError: sqlite3_system_errno(handle), message: String(cString: sqlite3_errmsg(handle)), file: file)
    }
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

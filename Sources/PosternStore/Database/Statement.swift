import CSQLite

/// Owns one prepared statement.
final class Statement {
    private let handle: OpaquePointer

    init(adopting handle: OpaquePointer) { self.handle = handle }

    deinit { sqlite3_finalize(handle) }

    /// Each result is `SQLITE_OK` or an error code.
    func bind(_ values: [SQLValue]) -> Int32 {
        for (offset, value) in values.enumerated() {
            let result = bind(value, at: Int32(offset) + 1)
            guard result == SQLITE_OK else { return result }
        }
        // A forgotten parameter would silently be NULL.
        return sqlite3_bind_parameter_count(handle) == Int32(values.count) ? SQLITE_OK : SQLITE_RANGE
    }

    private func bind(_ value: SQLValue, at index: Int32) -> Int32 {
        switch value {
        case .null: return sqlite3_bind_null(handle, index)
        case .integer(let number): return sqlite3_bind_int64(handle, index, number)
        case .text(let text):
            return text.withCString {
                sqlite3_bind_text64(handle, index, $0, UInt64(text.utf8.count), postern_sqlite3_transient(), UInt8(SQLITE_UTF8))
            }
        // An empty array may have no address, which SQLite would treat as NULL.
        case .blob(let bytes) where bytes.isEmpty: return sqlite3_bind_zeroblob(handle, index, 0)
        case .blob(let bytes):
            return bytes.withUnsafeBytes {
                sqlite3_bind_blob64(handle, index, $0.baseAddress, UInt64($0.count), postern_sqlite3_transient())
            }
        }
    }

    /// The statement does not change the file.
    var isReadOnly: Bool { sqlite3_stmt_readonly(handle) != 0 }

    func step() -> Int32 { sqlite3_step(handle) }

    /// Prepares it for the next use; bound values, secrets among them, are released.
    func reset() {
        sqlite3_reset(handle)
        sqlite3_clear_bindings(handle)
    }

    func row(in file: String) -> Row { Row(statement: handle, file: file) }
}

import CSQLite
import PosternCore

/// A statement's current row; valid until its next step.
///
/// The type of every column is checked: a file that was tampered with can contain anything anywhere.
struct Row: ~Copyable {
    fileprivate let statement: OpaquePointer
    fileprivate let file: String

    init(statement: OpaquePointer, file: String) {
        self.statement = statement
        self.file = file
    }

    func integer(_ column: Int32) throws(StoreError) -> Int64 {
        try check(column, is: SQLITE_INTEGER)
        return sqlite3_column_int64(statement, column)
    }

    /// 0 or 1.
    func flag(_ column: Int32) throws(StoreError) -> Bool {
        switch try integer(column) {
        case 0: return false
        case 1: return true
        default: throw StoreError(.damagedRow, file: file, reason: "a value is neither yes nor no")
        }
    }

    func text(_ column: Int32) throws(StoreError) -> String {
        try check(column, is: SQLITE_TEXT)
        return String(decoding: bytes(column, from: UnsafeRawPointer(sqlite3_column_text(statement, column))), as: UTF8.self)
    }

    func blob(_ column: Int32) throws(StoreError) -> [UInt8] {
        try check(column, is: SQLITE_BLOB)
        return Array(bytes(column, from: sqlite3_column_blob(statement, column)))
    }

    func blob(orNull column: Int32) throws(StoreError) -> [UInt8]? {
        sqlite3_column_type(statement, column) == SQLITE_NULL ? nil : try blob(column)
    }

    private func bytes(_ column: Int32, from address: UnsafeRawPointer?) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(start: address, count: address == nil ? 0 : Int(sqlite3_column_bytes(statement, column)))
    }

    private func check(_ column: Int32, is type: Int32) throws(StoreError) {
        guard sqlite3_column_type(statement, column) == type else {
            throw StoreError(.damagedRow, file: file, reason: "a value has a type that this program never writes there")
        }
    }
}

/// How to read a row of one column.
extension Row {
    static func onlyInteger(_ row: borrowing Row) throws(StoreError) -> Int64 { try row.integer(0) }
    static func onlyText(_ row: borrowing Row) throws(StoreError) -> String { try row.text(0) }
    static func onlyBlob(_ row: borrowing Row) throws(StoreError) -> [UInt8] { try row.blob(0) }
    static func onlyBlobOrNull(_ row: borrowing Row) throws(StoreError) -> [UInt8]? { try row.blob(orNull: 0) }
}

/// A value to be bound to a statement.
enum SQLValue {
    case null
    case integer(Int64)
    case text(String)
    case blob([UInt8])

    static func blob(orNull bytes: [UInt8]?) -> SQLValue { bytes.map { .blob($0) } ?? .null }
}

import CSQLite
import Glibc
import PosternCore

extension StoreError {
    // SQLITE_IOERR_SHORT_READ and SQLITE_IOERR_NOMEM: macros with operators, which Swift does not import.
    private static let shortRead = SQLITE_IOERR | (2 << 8)
    private static let outOfMemory = SQLITE_IOERR | (12 << 8)

    /// - Parameters:
    ///   - code: an extended result code.
    ///   - systemError: `sqlite3_system_errno`, which distinguishes a full disk from a broken one.
    ///   - message: SQLite's own message about the statement. It names tables and columns, never values: those are bound.
    static func sqlite(_ code: Int32, systemError: Int32 = 0, message: String? = nil, file: String) -> StoreError {
        let kind: Kind =
            switch code & 0xFF {
            case SQLITE_CORRUPT, SQLITE_NOTADB, SQLITE_FORMAT: .damaged
            case SQLITE_FULL: .full
            case SQLITE_IOERR where [ENOSPC, EDQUOT, EFBIG].contains(systemError): .full
            // The file was truncated, and the disk is fine.
            case SQLITE_IOERR where code == shortRead: .damaged
            case SQLITE_IOERR where code == outOfMemory: .outOfMemory
            case SQLITE_IOERR: .io
            case SQLITE_READONLY: .readOnly
            case SQLITE_CANTOPEN, SQLITE_PERM, SQLITE_AUTH: .cannotOpen
            case SQLITE_BUSY, SQLITE_LOCKED: .busy
            case SQLITE_NOMEM: .outOfMemory
            case SQLITE_CONSTRAINT: .conflict
            default: .internal
            }
        var reason = String(cString: sqlite3_errstr(code))
        switch kind {
        case .conflict, .internal: if let message { reason = message }
        case .io, .full, .cannotOpen: if systemError != 0 { reason += " (\(String(cString: strerror(systemError))))" }
        default: break
        }
        return StoreError(kind, file: file, reason: "\(reason), SQLite result \(code)")
    }
}

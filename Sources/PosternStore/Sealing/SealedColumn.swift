/// The place of a sealed value. It cannot be opened anywhere else.
struct SealedColumn {
    enum Column: String {
        case keyCheck = "meta.key_check"
        case setting = "settings.sealed"
        case user = "users.sealed"
        case identity = "identities.sealed"
        case credential = "credentials.sealed"
        case sessionRequest = "sessions.request"
        case sessionFlowSecrets = "sessions.flow_secrets"
        case sessionOutcome = "sessions.outcome"
        case sessionState = "session_states.sealed"
        case handle = "handles.sealed"
        case appSignIn = "current_users.sealed"
        case password = "passwords.sealed"
        case secondFactor = "second_factors.sealed"
        case secondFactorSecret = "second_factors.secret"
        case firebaseSession = "firebase_sessions.sealed"
        case challenge = "challenges.sealed"
        case attempts = "attempts.sealed"
    }

    let column: Column
    /// The row's identity, and other columns that the value is bound to: for example an identity to its user. If one of them was changed in
    /// the file, the value cannot be opened.
    let row: [[UInt8]]

    init(_ column: Column, _ row: [UInt8]...) {
        self.column = column
        self.row = row
    }

    init(_ column: Column, _ row: String) { self.init(column, Array(row.utf8)) }

    /// A column with a number, as a part of a place.
    static func part(_ number: Int64) -> [UInt8] { withUnsafeBytes(of: number.bigEndian, Array.init) }

    var associatedData: [UInt8] { lengthPrefixed([Array("postern store 1".utf8), Array(column.rawValue.utf8)] + row) }
}

extension SealedColumn: CustomStringConvertible {
    /// For use in a sentence. Of the row only a setting's name, which is ours.
    var description: String {
        column == .setting ? "\(column.rawValue) (\(String(decoding: row.joined(), as: UTF8.self)))" : column.rawValue
    }
}

/// Each part with its length before it, so that no two lists of parts give the same bytes.
func lengthPrefixed(_ parts: [[UInt8]]) -> [UInt8] {
    parts.flatMap { part in withUnsafeBytes(of: UInt64(part.count).bigEndian, Array.init) + part }
}

/// A position in a text. Both count from 1; a column is one Unicode scalar wide.
public struct TOMLPosition: Sendable, Hashable {
    public var line: Int
    public var column: Int
}

/// A value and where its text begins; for a table, the position of its header or its first key.
public struct TOMLValue: Sendable {
    public enum Content: Sendable {
        case string(String)
        case integer(Int64)
        case float(Double)
        case boolean(Bool)
        /// Checked, and kept as written.
        case dateTime(TOMLDateTime)
        case array([TOMLValue])
        case table(TOMLTable)
    }

    public var content: Content
    public var position: TOMLPosition

    /// The name of the value's type for error messages; never its content.
    public var typeName: String {
        switch content {
        case .string: "a string"
        case .integer: "an integer"
        case .float: "a float"
        case .boolean: "a boolean"
        case .dateTime: "a date or time"
        case .array: "an array"
        case .table: "a table"
        }
    }
}

/// A date, a time or both (RFC 3339, with the shorter forms of TOML).
public struct TOMLDateTime: Sendable, Hashable {
    public enum Kind: Sendable, Hashable {
        case offsetDateTime, localDateTime, localDate, localTime
    }

    public var kind: Kind
    public var text: String
}

/// Keys and values in the order of the text.
public struct TOMLTable: Sendable {
    public struct Member: Sendable {
        public var key: String
        /// The position of the key; for a table, where it was first named.
        public var keyPosition: TOMLPosition
        public var value: TOMLValue
    }

    /// No key occurs twice.
    public let members: [Member]

    /// Linear: the tables here have few members.
    public subscript(key: String) -> TOMLValue? { members.first { $0.key == key }?.value }
}

/// Why a text is not TOML that we take. Says where and names keys, never a value.
public struct TOMLParseError: Error, Hashable, Sendable, CustomStringConvertible {
    public enum Reason: Hashable, Sendable {
        // The text as a whole.
        case tooLarge(limit: Int)
        case invalidUTF8
        case controlCharacter
        case bareCarriageReturn
        case byteOrderMark

        // Keys and tables.
        case expectedKey
        case expectedEquals
        case unterminatedHeader
        case expectedLineEnd
        case duplicateKey(String)
        case duplicateTable(String)
        case notATable(String)
        case closedTable(String)
        case notAnArrayOfTables(String)
        case tooDeep(limit: Int)

        // Values.
        case expectedValue
        case unknownWord
        case unterminatedString
        case invalidEscape
        case unterminatedArray
        case expectedComma(in: String)
        case unterminatedInlineTable
        case newlineInInlineTable
        case trailingCommaInInlineTable
        case invalidNumber
        case leadingZero
        case numberTooLong(limit: Int)
        case integerTooLarge
        case invalidDateTime
    }

    public var reason: Reason
    public var position: TOMLPosition

    public init(reason: Reason, position: TOMLPosition) {
        self.reason = reason
        self.position = position
    }

    public var description: String { "line \(position.line), column \(position.column): \(reason.sentence)" }
}

extension TOMLParseError.Reason {
    /// Lower case, without a final period.
    public var sentence: String {
        switch self {
        case .tooLarge(let limit): "the file is larger than \(limit) bytes"
        case .invalidUTF8: "not UTF-8; save the file in that encoding"
        case .controlCharacter: "a control character; in a basic string write it as \\uXXXX"
        case .bareCarriageReturn: "a carriage return without a line feed; lines end in a line feed, or in both"
        case .byteOrderMark: "a byte order mark; save the file as UTF-8 without one"
        case .expectedKey: "a key is expected here: letters, digits, - and _, or anything in quotes"
        case .expectedEquals: "an equals sign is expected after the key"
        case .unterminatedHeader: "the table header does not end as it should, in ] or ]]"
        case .expectedLineEnd: "more text where the line should end"
        case .duplicateKey(let key): "the key \(key) stands twice in one table"
        case .duplicateTable(let key): "the table \(key) was defined before"
        case .notATable(let key): "\(key) has a value that is not a table, so nothing can be put into it"
        case .closedTable(let key): "the table \(key) was completed before, and nothing can be added to it here"
        case .notAnArrayOfTables(let key): "\(key) was defined before, and not as an array of tables"
        case .tooDeep(let limit): "nested more than \(limit) deep"
        case .expectedValue: "a value is expected here"
        case .unknownWord: "neither a number, a date, true nor false; text goes in quotes"
        case .unterminatedString: "the string that begins here has no end"
        case .invalidEscape: "a backslash that begins no escape sequence; write two for one, or use single quotes"
        case .unterminatedArray: "the array that begins here has no end"
        case .expectedComma(let place): "a comma is expected here, or the end of the \(place)"
        case .unterminatedInlineTable: "the inline table that begins here has no end"
        case .newlineInInlineTable: "an inline table must stand on one line"
        case .trailingCommaInInlineTable: "an inline table must not end in a comma"
        case .invalidNumber: "not a number as TOML writes it"
        case .leadingZero: "a number must not begin with a zero"
        case .numberTooLong(let limit): "a number of more than \(limit) characters"
        case .integerTooLarge: "an integer that does not fit in 64 bits"
        case .invalidDateTime: "not a date or time as TOML writes it, or one that does not exist"
        }
    }
}

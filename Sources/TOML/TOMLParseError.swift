/// Why a text is not TOML that we accept. Gives the position and names keys, never a value.
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
        case .bareCarriageReturn: "a carriage return without a line feed; end lines with a line feed, or with both"
        case .byteOrderMark: "a byte order mark; save the file as UTF-8 without one"
        case .expectedKey: "a key is expected here: letters, digits, - and _, or anything in quotes"
        case .expectedEquals: "an equals sign is expected after the key"
        case .unterminatedHeader: "the table header must end with ] or ]]"
        case .expectedLineEnd: "more text where the line should end"
        case .duplicateKey(let key): "the key \(key) appears twice in one table"
        case .duplicateTable(let key): "the table \(key) was defined before"
        case .notATable(let key): "\(key) has a value that is not a table, so nothing can be added to it"
        case .closedTable(let key): "the table \(key) was completed before, and nothing can be added to it here"
        case .notAnArrayOfTables(let key): "\(key) was defined before, and not as an array of tables"
        case .tooDeep(let limit): "nested more than \(limit) deep"
        case .expectedValue: "a value is expected here"
        case .unknownWord: "neither a number, a date, true nor false; text goes in quotes"
        case .unterminatedString: "the string that begins here is not closed"
        case .invalidEscape: "an invalid escape sequence; write two backslashes for one, or use single quotes"
        case .unterminatedArray: "the array that begins here is not closed"
        case .expectedComma(let place): "a comma is expected here, or the end of the \(place)"
        case .unterminatedInlineTable: "the inline table that begins here is not closed"
        case .newlineInInlineTable: "an inline table must be on one line"
        case .trailingCommaInInlineTable: "an inline table must not end in a comma"
        case .invalidNumber: "not a valid TOML number"
        case .leadingZero: "a number must not begin with a zero"
        case .numberTooLong(let limit): "a number of more than \(limit) characters"
        case .integerTooLarge: "an integer that does not fit in 64 bits"
        case .invalidDateTime: "not a valid TOML date or time, or one that does not exist"
        }
    }
}

/// Why a text is not TOML that we accept. Gives the position and names keys, never a value.
public struct TOMLParseError: Error, Hashable, Sendable, CustomStringConvertible {
    public struct Reason: Error, Hashable {
        /// Lower case, without a final period.
        public let sentence: String

        private init(_ sentence: String) { self.sentence = sentence }
    }

    public var reason: Reason
    public var position: TOMLPosition

    public var description: String { "line \(position.line), column \(position.column): \(reason.sentence)" }
}

/// The text as a whole.
extension TOMLParseError.Reason {
    static func tooLarge(limit: Int) -> Self { Self("the file is larger than \(limit) bytes") }
    static let invalidUTF8 = Self("not UTF-8; save the file in that encoding")
    static let controlCharacter = Self("a control character; in a basic string write it as \\uXXXX")
    static let bareCarriageReturn = Self("a carriage return without a line feed; end lines with a line feed, or with both")
    static let byteOrderMark = Self("a byte order mark; save the file as UTF-8 without one")
}

/// Keys and tables.
extension TOMLParseError.Reason {
    static let expectedKey = Self("a key is expected here: letters, digits, - and _, or anything in quotes")
    static let expectedEquals = Self("an equals sign is expected after the key")
    static let unterminatedHeader = Self("the table header must end with ] or ]]")
    static let expectedLineEnd = Self("more text where the line should end")
    static func duplicateKey(_ key: String) -> Self { Self("the key \(key) appears twice in one table") }
    static func duplicateTable(_ key: String) -> Self { Self("the table \(key) was defined before") }
    static func notATable(_ key: String) -> Self { Self("\(key) has a value that is not a table, so nothing can be added to it") }
    static func closedTable(_ key: String) -> Self { Self("the table \(key) was completed before, and nothing can be added to it here") }
    static func notAnArrayOfTables(_ key: String) -> Self { Self("\(key) was defined before, and not as an array of tables") }
    static func tooDeep(limit: Int) -> Self { Self("nested more than \(limit) deep") }
}

/// Values.
extension TOMLParseError.Reason {
    static let expectedValue = Self("a value is expected here")
    static let unknownWord = Self("neither a number, a date, true nor false; text goes in quotes")
    static let unterminatedString = Self("the string that begins here is not closed")
    static let invalidEscape = Self("an invalid escape sequence; write two backslashes for one, or use single quotes")
    static let unterminatedArray = Self("the array that begins here is not closed")
    static func expectedComma(in place: String) -> Self { Self("a comma is expected here, or the end of the \(place)") }
    static let unterminatedInlineTable = Self("the inline table that begins here is not closed")
    static let newlineInInlineTable = Self("an inline table must be on one line")
    static let trailingCommaInInlineTable = Self("an inline table must not end in a comma")
    static let invalidNumber = Self("not a valid TOML number")
    static let leadingZero = Self("a number must not begin with a zero")
    static func numberTooLong(limit: Int) -> Self { Self("a number of more than \(limit) characters") }
    static let integerTooLarge = Self("an integer that does not fit in 64 bits")
    static let invalidDateTime = Self("not a valid TOML date or time, or one that does not exist")
}

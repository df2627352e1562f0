/// Why a text is not JSON that we take. Says where, never what stood there.
public struct JSONParseError: Error, Hashable, Sendable, CustomStringConvertible {
    public enum Reason: String, Sendable {
        case empty = "there is no value"
        case unexpectedEnd = "it ends too early"
        case unexpectedByte = "an unexpected character"
        case trailingBytes = "more text after the value"
        case tooDeep = "it is nested too deeply"
        case duplicateKey = "a key stands twice in one object"
        case invalidNumber = "a number that is not JSON"
        case numberTooLong = "a number with too many digits"
        case invalidEscape = "an invalid escape sequence"
        case invalidUTF8 = "text that is not UTF-8"
        case controlCharacter = "a bare control character in a string"
    }

    public var reason: Reason
    /// Bytes from the start.
    public var offset: Int

    public init(reason: Reason, offset: Int) {
        self.reason = reason
        self.offset = offset
    }

    public var description: String { "not valid JSON: \(reason.rawValue), at byte \(offset)" }
}

/// A JSON value (RFC 8259), as strict as this project needs it: no duplicate keys, no lone surrogates,
/// no invalid UTF-8, bounded depth.
public enum JSON: Sendable, Hashable {
    case null
    case bool(Bool)
    /// A number without fraction or exponent that fits 64 bits.
    case integer(Int64)
    /// Any other number, as it was written: a profile document is passed on unchanged.
    case decimal(String)
    case string(String)
    case array([JSON])
    case object(JSONObject)
}

extension JSON {
    public var stringValue: String? { if case .string(let value) = self { value } else { nil } }
    public var boolValue: Bool? { if case .bool(let value) = self { value } else { nil } }
    public var arrayValue: [JSON]? { if case .array(let value) = self { value } else { nil } }
    public var objectValue: JSONObject? { if case .object(let value) = self { value } else { nil } }
    public var integerValue: Int64? { if case .integer(let value) = self { value } else { nil } }

    /// An integer or decimal as a floating-point number; nil if it is not a number.
    public var doubleValue: Double? {
        switch self {
        case .integer(let value): Double(value)
        case .decimal(let text): Double(text)
        default: nil
        }
    }

    /// The name of the value's type for error messages; never its content.
    public var typeName: String {
        switch self {
        case .null: "null"
        case .bool: "a boolean"
        case .integer, .decimal: "a number"
        case .string: "a string"
        case .array: "an array"
        case .object: "an object"
        }
    }
}

extension JSON {
    /// Deeper than any legitimate message, and far below what the parser's stack can take.
    public static let defaultDepthLimit = 64

    /// Reads exactly one value; white space around it is allowed. The time is linear in the number of bytes.
    ///
    /// - Throws: ``JSONParseError``; a byte order mark, comments and trailing commas are refused too.
    public init(parsing bytes: UnsafeRawBufferPointer, depthLimit: Int = JSON.defaultDepthLimit) throws(JSONParseError) {
        var parser = JSONParser(bytes, depthLimit: depthLimit)
        self = try parser.document()
    }

    public init(parsing bytes: [UInt8], depthLimit: Int = JSON.defaultDepthLimit) throws(JSONParseError) {
        // Not every supported compiler passes typed throws through the closure of `withUnsafeBytes`.
        let result: Result<JSON, JSONParseError> = bytes.withUnsafeBytes { buffer in
            do throws(JSONParseError) { return .success(try JSON(parsing: buffer, depthLimit: depthLimit)) } catch {
                return .failure(error)
            }
        }
        self = try result.get()
    }

    public init(parsing text: String, depthLimit: Int = JSON.defaultDepthLimit) throws(JSONParseError) {
        try self.init(parsing: Array(text.utf8), depthLimit: depthLimit)
    }
}

extension JSON: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral,
    ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral, ExpressibleByNilLiteral
{
    public init(stringLiteral value: String) { self = .string(value) }
    public init(integerLiteral value: Int64) { self = .integer(value) }
    public init(booleanLiteral value: Bool) { self = .bool(value) }
    public init(arrayLiteral elements: JSON...) { self = .array(elements) }
    public init(dictionaryLiteral elements: (String, JSON)...) {
        var object = JSONObject()
        for (key, value) in elements { object[key] = value }
        self = .object(object)
    }
    public init(nilLiteral: ()) { self = .null }
}

/// A JSON value (RFC 8259), as strict as this project needs it: no duplicate keys, no lone surrogates,
/// no invalid UTF-8, bounded depth.
public enum JSON: Sendable, Hashable {
    case null
    case bool(Bool)
    /// A number without fraction or exponent that fits 64 bits.
    case integer(Int64)
    /// Any other number, as it was written: a profile document is handed on as it came.
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

    /// Integer or decimal as a floating-point number; nil for what is no number.
    public var doubleValue: Double? {
        switch self {
        case .integer(let value): Double(value)
        case .decimal(let text): Double(text)
        default: nil
        }
    }

    /// Names the value's type for an error text; never its content.
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

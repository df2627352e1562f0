/// A value in a message, which can be read from and written as JSON.
public protocol JSONConvertible: Sendable {
    init(json: JSON) throws(JSONMemberError)
    var json: JSON { get }
    /// Appends the value as JSON text: the same text as from ``json``, without building that.
    func serialize(into bytes: inout [UInt8])
}

extension JSONConvertible {
    public func serialize(into bytes: inout [UInt8]) { json.serialize(into: &bytes) }
}

extension JSON: JSONConvertible {
    public init(json: JSON) { self = json }
    public var json: JSON { self }
}

extension JSONObject: JSONConvertible {
    public init(json: JSON) throws(JSONMemberError) {
        guard case .object(let value) = json else { throw .wrongType("an object", json) }
        self = value
    }
    public var json: JSON { .object(self) }
}

extension String: JSONConvertible {
    public init(json: JSON) throws(JSONMemberError) {
        guard case .string(let value) = json else { throw .wrongType("a string", json) }
        self = value
    }
    public var json: JSON { .string(self) }
    public func serialize(into bytes: inout [UInt8]) { JSON.serialize(self, into: &bytes) }
}

extension Bool: JSONConvertible {
    public init(json: JSON) throws(JSONMemberError) {
        guard case .bool(let value) = json else { throw .wrongType("a boolean", json) }
        self = value
    }
    public var json: JSON { .bool(self) }
}

extension Int: JSONConvertible {
    public init(json: JSON) throws(JSONMemberError) {
        guard case .integer(let value) = json, let exact = Int(exactly: value) else { throw .wrongType("an integer", json) }
        self = exact
    }
    public var json: JSON { .integer(Int64(self)) }
}

extension Int64: JSONConvertible {
    public init(json: JSON) throws(JSONMemberError) {
        guard case .integer(let value) = json else { throw .wrongType("an integer", json) }
        self = value
    }
    public var json: JSON { .integer(self) }
}

extension Array: JSONConvertible where Element: JSONConvertible {
    // Most calls have one, such as scopes.
    #if compiler(>=6.3)
    @specialized(where Element == String)
    #endif
    public init(json: JSON) throws(JSONMemberError) {
        guard case .array(let elements) = json else { throw .wrongType("an array", json) }
        self = []
        reserveCapacity(elements.count)
        for (index, element) in elements.enumerated() {
            do throws(JSONMemberError) { append(try Element(json: element)) } catch { throw error.inside("[\(index)]") }
        }
    }
    public var json: JSON { .array(map { $0.json }) }
    public func serialize(into bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "["))
        var isFirst = true
        for element in self {
            if isFirst { isFirst = false } else { bytes.append(UInt8(ascii: ",")) }
            element.serialize(into: &bytes)
        }
        bytes.append(UInt8(ascii: "]"))
    }
}

extension Dictionary: JSONConvertible where Key == String, Value: JSONConvertible {
    public init(json: JSON) throws(JSONMemberError) {
        guard case .object(let object) = json else { throw .wrongType("an object", json) }
        self = [:]
        for (key, value) in object.members {
            do throws(JSONMemberError) { self[key] = try Value(json: value) } catch { throw error.inside(key) }
        }
    }
    /// In key order, so that equal dictionaries give equal texts.
    public var json: JSON {
        var object = JSONObject()
        for key in keys.sorted() { object[key] = self[key]?.json }
        return .object(object)
    }
    public func serialize(into bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "{"))
        var isFirst = true
        for (key, value) in count < 2 ? Array(self) : sorted(by: { $0.key < $1.key }) {
            if isFirst { isFirst = false } else { bytes.append(UInt8(ascii: ",")) }
            JSON.serialize(key, into: &bytes)
            bytes.append(UInt8(ascii: ":"))
            value.serialize(into: &bytes)
        }
        bytes.append(UInt8(ascii: "}"))
    }
}

/// Enumerations whose raw values are words of the interface.
extension JSONConvertible where Self: RawRepresentable & CaseIterable, RawValue == String {
    public init(json: JSON) throws(JSONMemberError) {
        let word = try String(json: json)
        guard let value = Self(rawValue: word) else {
            let words = Self.allCases.map(\.rawValue).joined(separator: ", ")
            throw JSONMemberError(path: "", reason: .notAllowed("must be one of \(words)"))
        }
        self = value
    }
    public var json: JSON { .string(rawValue) }
}

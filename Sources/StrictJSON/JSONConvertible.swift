/// A member that is missing, has another type, or is not known. Names the member, never its value.
public struct JSONMemberError: Error, Hashable, Sendable, CustomStringConvertible {
    public enum Reason: Hashable, Sendable {
        case missing
        case unknown
        case wrongType(expected: String, found: String)
        /// A value of the right type that is none of those allowed; the sentence says which are.
        case notAllowed(String)
    }

    /// Names from the outside in, joined by full stops: `credential.handle`.
    public var path: String
    public var reason: Reason

    public init(path: String, reason: Reason) {
        self.path = path
        self.reason = reason
    }

    func inside(_ outer: String) -> JSONMemberError {
        JSONMemberError(path: path.isEmpty ? outer : "\(outer).\(path)", reason: reason)
    }

    public var description: String {
        switch reason {
        case .missing: "\(path) is missing"
        case .unknown: "\(path) is not known here"
        case .wrongType(let expected, let found): "\(path) must be \(expected), but is \(found)"
        case .notAllowed(let sentence): "\(path) \(sentence)"
        }
    }
}

/// A value that stands in a message: it knows its way from JSON and to JSON.
public protocol JSONConvertible: Sendable {
    init(json: JSON) throws(JSONMemberError)
    var json: JSON { get }
}

extension JSONMemberError {
    static func wrongType(_ expected: String, _ found: JSON) -> JSONMemberError {
        JSONMemberError(path: "", reason: .wrongType(expected: expected, found: found.typeName))
    }
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
    public init(json: JSON) throws(JSONMemberError) {
        guard case .array(let elements) = json else { throw .wrongType("an array", json) }
        self = []
        reserveCapacity(elements.count)
        for (index, element) in elements.enumerated() {
            do throws(JSONMemberError) { append(try Element(json: element)) } catch { throw error.inside("[\(index)]") }
        }
    }
    // A key path would be made anew at every call here.
    public var json: JSON { .array(map { $0.json }) }
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
}

/// Enumerations whose cases are the words of the interface.
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

extension JSONObject {
    /// The member, or nil where it is missing or null.
    public func optional<Value: JSONConvertible>(_ key: String, as type: Value.Type = Value.self) throws(JSONMemberError) -> Value? {
        guard let json = self[key], json != .null else { return nil }
        do throws(JSONMemberError) { return try Value(json: json) } catch { throw error.inside(key) }
    }

    public func required<Value: JSONConvertible>(_ key: String, as type: Value.Type = Value.self) throws(JSONMemberError) -> Value {
        guard let value = try optional(key, as: type) else { throw JSONMemberError(path: key, reason: .missing) }
        return value
    }

    /// Refuses a member that is not in the list: a mistyped optional parameter must not pass in silence.
    public func allowOnly(_ known: [String]) throws(JSONMemberError) {
        for member in members where !known.contains(member.key) {
            throw JSONMemberError(path: member.key, reason: .unknown)
        }
    }

    /// Sets the member where there is a value; leaves it out where there is none.
    public mutating func set(_ key: String, _ value: (any JSONConvertible)?) {
        if let value { self[key] = value.json }
    }
}

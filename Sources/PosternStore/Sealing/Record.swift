import PosternCore
import StrictJSON

/// A value that is stored as a sealed JSON document.
///
/// Its members are named by hand rather than derived: data on disk must stay readable when a type's source is rearranged. Unknown members are
/// ignored, so that a later version may add some.
protocol Record: Stored {
    init(record: JSONObject) throws(JSONMemberError)
    var record: JSONObject { get }
}

/// A record that names its members once: the same list reads and writes them.
protocol MemberRecord: Record {
    init(members: inout RecordMembers<Self>) throws(JSONMemberError)
}

extension MemberRecord {
    init(record: JSONObject) throws(JSONMemberError) {
        var members = RecordMembers<Self>(of: record)
        try self.init(members: &members)
    }

    var record: JSONObject {
        var members = RecordMembers(of: self)
        // Makes the value again, of its own members, and notes each. Whatever the value is refused for, all of them are noted by then.
        _ = try? Self(members: &members)
        return members.record
    }
}

/// The members of a record, each of which is read from it or written into it as it is named.
struct RecordMembers<Value> {
    private(set) var record: JSONObject
    /// Nil if it is read.
    private let written: Value?

    init(of record: JSONObject) { (self.record, written) = (record, nil) }

    init(of value: Value) { (record, written) = (JSONObject(), value) }

    mutating func callAsFunction<Member: Stored>(_ key: String, _ member: (Value) -> Member) throws(JSONMemberError) -> Member {
        guard let written else { return try record.value(key) }
        let value = member(written)
        record[key] = value.stored
        return value
    }

    /// A member that is left out if it has its usual value.
    mutating func callAsFunction<Member: Stored & Equatable>(
        _ key: String, _ member: (Value) -> Member, usually usual: Member
    ) throws(JSONMemberError) -> Member {
        try self(key) { (value: Value) -> Member? in member(value) == usual ? nil : member(value) } ?? usual
    }

    mutating func callAsFunction(_ key: String, _ member: (Value) -> [UInt8]) throws(JSONMemberError) -> [UInt8] {
        try self(key) { Secret(member($0)) }.revealBytes()
    }
}

/// What a member of a record can be.
protocol Stored {
    /// What it is if it is missing; nil if it must not be.
    static var missing: Self? { get }
    init(stored: JSON) throws(JSONMemberError)
    /// Nil if it is left out.
    var stored: JSON? { get }
}

extension Stored {
    static var missing: Self? { nil }
}

extension Stored where Self: JSONConvertible {
    init(stored: JSON) throws(JSONMemberError) { try self.init(json: stored) }
    var stored: JSON? { json }
}

/// A word that this version must know.
extension Stored where Self: RawRepresentable<String> {
    init(stored: JSON) throws(JSONMemberError) {
        guard let value = Self(rawValue: try String(json: stored)) else {
            throw JSONMemberError(path: "", reason: .notAllowed("is unknown"))
        }
        self = value
    }
    var stored: JSON? { .string(rawValue) }
}

extension Bool: Stored {}
extension Int: Stored {}
extension Int64: Stored {}
extension String: Stored {}
extension Dictionary: Stored where Key == String, Value: JSONConvertible {}

extension Record {
    init(stored: JSON) throws(JSONMemberError) { try self.init(record: try JSONObject(json: stored)) }
    var stored: JSON? { .object(record) }
}

/// A document that means nothing here.
extension JSONObject: Record {
    init(record: JSONObject) { self = record }
    var record: JSONObject { self }
}

/// As milliseconds.
extension Timestamp: Stored {
    init(stored: JSON) throws(JSONMemberError) { self.init(milliseconds: try Int64(json: stored)) }
    var stored: JSON? { .integer(milliseconds) }
}

extension AppName: Stored {
    init(stored: JSON) throws(JSONMemberError) { self.init(try String(json: stored)) }
    var stored: JSON? { .string(text) }
}

extension JSONObject {
    /// Whether a record is an app's.
    func isOf(_ app: AppName) -> Bool { self["app"]?.stringValue.map { AppName($0) == app } ?? false }
}

/// As base64url: a token may be any bytes.
extension Secret: Stored {
    convenience init(stored: JSON) throws(JSONMemberError) {
        guard let bytes = Base64URL.decode(try String(json: stored)) else {
            throw JSONMemberError(path: "", reason: .notAllowed("must be base64url"))
        }
        self.init(bytes)
    }
    var stored: JSON? { .string(withBytes { Base64URL.encode($0) }) }
}

extension Optional: Stored where Wrapped: Stored {
    static var missing: Wrapped?? { .some(nil) }
    init(stored: JSON) throws(JSONMemberError) { self = try Wrapped(stored: stored) }
    var stored: JSON? { self?.stored ?? nil }
}

extension Array: Stored where Element: Stored {
    init(stored: JSON) throws(JSONMemberError) {
        self = []
        for (index, element) in try [JSON](json: stored).enumerated() {
            do throws(JSONMemberError) { append(try Element(stored: element)) } catch { throw error.inside("[\(index)]") }
        }
    }
    var stored: JSON? { .array(compactMap(\.stored)) }
}

/// For a record with cases, which have different members.
extension JSONObject {
    /// - Throws: if one of them is missing.
    func require(_ members: [String]) throws(JSONMemberError) {
        if let missing = members.first(where: { (self[$0] ?? .null) == .null }) { throw JSONMemberError(path: missing, reason: .missing) }
    }

    mutating func set(stored members: KeyValuePairs<String, any Stored>) {
        for (key, value) in members { self[key] = value.stored }
    }

    init(stored members: KeyValuePairs<String, any Stored>) {
        self.init()
        set(stored: members)
    }

    func value<Value: Stored>(_ key: String, as type: Value.Type = Value.self) throws(JSONMemberError) -> Value {
        switch self[key] {
        case nil, .null:
            guard let missing = Value.missing else { throw JSONMemberError(path: key, reason: .missing) }
            return missing
        case let json?:
            do throws(JSONMemberError) { return try Value(stored: json) } catch { throw error.inside(key) }
        }
    }
}

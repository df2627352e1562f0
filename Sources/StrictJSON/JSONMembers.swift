/// An object in a message. It is written as text without a tree in between: each call writes a reply, and its secrets should not be copied
/// into strings.
public protocol JSONMembers: Sendable {
    var object: JSONObject { get }
    /// Appends the object as text.
    func serializeObject(into bytes: inout [UInt8])
}

/// A member of an object; left out if it has no value.
public struct JSONMember: Sendable {
    let key: StaticString
    let value: (any JSONConvertible)?

    /// - Parameter key: ASCII without characters that JSON escapes.
    public init(_ key: StaticString, _ value: (any JSONConvertible)?) {
        self.key = key
        self.value = value
    }
}

/// An object whose members are known to its type, which names them once. Each key must be in the list only once.
public protocol JSONMemberList: JSONMembers {
    var memberList: [JSONMember] { get }
}

extension JSONMemberList {
    public func serializeObject(into bytes: inout [UInt8]) {
        let members = memberList
        bytes.append(UInt8(ascii: "{"))
        var isFirst = true
        // By index: a loop over the members themselves would copy each one.
        for index in members.indices where members[index].value != nil {
            if isFirst { isFirst = false } else { bytes.append(UInt8(ascii: ",")) }
            let key = members[index].key
            bytes.append(UInt8(ascii: "\""))
            bytes.append(contentsOf: UnsafeBufferPointer(start: key.utf8Start, count: key.utf8CodeUnitCount))
            bytes.append(UInt8(ascii: "\""))
            bytes.append(UInt8(ascii: ":"))
            members[index].value?.serialize(into: &bytes)
        }
        bytes.append(UInt8(ascii: "}"))
    }

    public var object: JSONObject {
        JSONObject(uniqueMembers: memberList.compactMap { member in member.value.map { (member.key.description, $0.json) } })
    }
}

extension JSON {
    /// Appends the object that consists of the members.
    public static func serialize(members: some JSONMembers, into bytes: inout [UInt8]) { members.serializeObject(into: &bytes) }
}

extension JSONObject: JSONMembers {
    public var object: JSONObject { self }
    public func serializeObject(into bytes: inout [UInt8]) { serialize(into: &bytes) }
}

extension JSONObject {
    /// The member, or nil if it is missing or null.
    #if compiler(>=6.3)
    @specialized(where Value == String)
    @specialized(where Value == [String])
    #endif
    public func optional<Value: JSONConvertible>(_ key: String, as type: Value.Type = Value.self) throws(JSONMemberError) -> Value? {
        guard let json = self[key] else { return nil }
        if case .null = json { return nil }
        do throws(JSONMemberError) { return try Value(json: json) } catch { throw error.inside(key) }
    }

    public func required<Value: JSONConvertible>(_ key: String, as type: Value.Type = Value.self) throws(JSONMemberError) -> Value {
        guard let value = try optional(key, as: type) else { throw JSONMemberError(path: key, reason: .missing) }
        return value
    }

    /// Refuses a member that is not in the list: a mistyped optional parameter must not be ignored silently.
    public func allowOnly(_ known: [String]) throws(JSONMemberError) {
        for member in members where !known.contains(member.key) {
            throw JSONMemberError(path: member.key, reason: .unknown)
        }
    }
}

extension JSONObject {
    public mutating func set(_ key: String, _ value: some JSONConvertible) { self[key] = value.json }

    /// Sets the member if there is a value; leaves it out if there is none.
    public mutating func set(_ key: String, _ value: (some JSONConvertible)?) {
        if let value { set(key, value) }
    }
}

/// Receives the members of an object one after another: to build the object itself, or its text.
public protocol JSONMemberSink {
    mutating func set(_ key: String, _ value: some JSONConvertible)
}

extension JSONMemberSink {
    /// Sets the member if there is a value; leaves it out if there is none.
    public mutating func set(_ key: String, _ value: (some JSONConvertible)?) {
        if let value { set(key, value) }
    }
}

/// A value that is an object in a message.
///
/// It names its members once, and is written as text without a tree in between: each call writes a reply, and its secrets should not be
/// copied into strings.
public protocol JSONMembers: Sendable {
    func write(to members: inout some JSONMemberSink)
    /// Appends the object as text.
    func serializeObject(into bytes: inout [UInt8])
}

extension JSONMembers {
    public func serializeObject(into bytes: inout [UInt8]) {
        var text = JSONObjectText(bytes: [])
        swap(&text.bytes, &bytes)
        text.bytes.append(UInt8(ascii: "{"))
        write(to: &text)
        text.bytes.append(UInt8(ascii: "}"))
        swap(&text.bytes, &bytes)
    }

    public var object: JSONObject {
        var object = JSONObject()
        write(to: &object)
        return object
    }
}

extension JSON {
    /// Appends the object that consists of the members.
    public static func serialize(members: some JSONMembers, into bytes: inout [UInt8]) { members.serializeObject(into: &bytes) }
}

/// Writes members as they arrive. Each key must be set only once.
private struct JSONObjectText: JSONMemberSink {
    var bytes: [UInt8]
    var isEmpty = true

    mutating func set(_ key: String, _ value: some JSONConvertible) {
        if isEmpty { isEmpty = false } else { bytes.append(UInt8(ascii: ",")) }
        JSON.serialize(key, into: &bytes)
        bytes.append(UInt8(ascii: ":"))
        value.serialize(into: &bytes)
    }
}

extension JSONObject: JSONMembers {
    public func write(to members: inout some JSONMemberSink) {
        for member in self.members { members.set(member.key, member.value) }
    }
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

extension JSONObject: JSONMemberSink {
    public mutating func set(_ key: String, _ value: some JSONConvertible) { self[key] = value.json }
}

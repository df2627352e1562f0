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
}

extension JSONObject: JSONMemberSink {
    public mutating func set(_ key: String, _ value: some JSONConvertible) { self[key] = value.json }
}

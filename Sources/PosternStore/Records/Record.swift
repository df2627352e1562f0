import StrictJSON

/// A value that is kept in a sealed JSON document.
///
/// Written by hand rather than derived: what is on disk must stay readable when a type's source is rearranged. Members that
/// are not known are passed over, so that a later version may add some.
protocol Record {
    init(record: JSONObject) throws(JSONMemberError)
    var record: JSONObject { get }
}

extension JSONObject {
    mutating func set(_ key: String, record: (some Record)?) {
        if let record { self[key] = .object(record.record) }
    }

    func optionalRecord<Value: Record>(_ key: String, as type: Value.Type = Value.self) throws(JSONMemberError) -> Value? {
        guard let document = try optional(key, as: JSONObject.self) else { return nil }
        do throws(JSONMemberError) { return try Value(record: document) } catch { throw error.below(key) }
    }

    func requiredRecord<Value: Record>(_ key: String, as type: Value.Type = Value.self) throws(JSONMemberError) -> Value {
        guard let value = try optionalRecord(key, as: type) else { throw JSONMemberError(path: key, reason: .missing) }
        return value
    }

    /// None where there is no such member, as in what an earlier version wrote.
    func optionalRecords<Value: Record>(_ key: String, as type: Value.Type = Value.self) throws(JSONMemberError) -> [Value] {
        guard self[key] != nil else { return [] }
        return try requiredRecords(key)
    }

    func requiredRecords<Value: Record>(_ key: String, as type: Value.Type = Value.self) throws(JSONMemberError) -> [Value] {
        var values: [Value] = []
        for document in try required(key, as: [JSONObject].self) {
            do throws(JSONMemberError) { values.append(try Value(record: document)) } catch { throw error.below(key) }
        }
        return values
    }
}

extension JSONMemberError {
    func below(_ key: String) -> JSONMemberError { JSONMemberError(path: "\(key).\(path)", reason: reason) }
}

import PosternCore
import StrictJSON

/// A value that is stored as a sealed JSON document.
///
/// Written by hand rather than derived: data on disk must stay readable when a type's source is rearranged. Unknown members are ignored, so
/// that a later version may add some.
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

/// Moments as milliseconds, secrets as base64url: a token may be any bytes.
extension JSONObject {
    mutating func set(_ key: String, moment: Timestamp?) { set(key, moment?.milliseconds) }

    func optionalMoment(_ key: String) throws(JSONMemberError) -> Timestamp? {
        try optional(key, as: Int64.self).map(Timestamp.init(milliseconds:))
    }

    func requiredMoment(_ key: String) throws(JSONMemberError) -> Timestamp {
        Timestamp(milliseconds: try required(key))
    }

    mutating func set(_ key: String, secret: Secret?) {
        set(key, secret?.withBytes { Base64URL.encode($0) })
    }

    func optionalSecret(_ key: String) throws(JSONMemberError) -> Secret? {
        guard let text = try optional(key, as: String.self) else { return nil }
        guard let bytes = Base64URL.decode(text) else {
            throw JSONMemberError(path: key, reason: .notAllowed("must be base64url"))
        }
        return Secret(bytes)
    }

    func requiredSecret(_ key: String) throws(JSONMemberError) -> Secret {
        guard let secret = try optionalSecret(key) else { throw JSONMemberError(path: key, reason: .missing) }
        return secret
    }
}

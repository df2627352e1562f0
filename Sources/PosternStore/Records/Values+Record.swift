import PosternCore
import StrictJSON

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

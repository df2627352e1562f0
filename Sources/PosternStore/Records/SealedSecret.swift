import PosternCore
import StrictJSON

/// A secret that stands alone in its column.
struct SealedSecret: Record {
    var secret: Secret

    init(secret: Secret) { self.secret = secret }

    init(record: JSONObject) throws(JSONMemberError) { secret = try record.requiredSecret("secret") }

    var record: JSONObject {
        var record = JSONObject()
        record.set("secret", secret: secret)
        return record
    }
}

import PosternCore
import StrictJSON

extension OAuth1Token: Record {
    init(record: JSONObject) throws(JSONMemberError) {
        self.init(token: try record.requiredSecret("token"), secret: try record.requiredSecret("secret"))
    }

    var record: JSONObject {
        var record = JSONObject()
        record.set("token", secret: token)
        record.set("secret", secret: secret)
        return record
    }
}

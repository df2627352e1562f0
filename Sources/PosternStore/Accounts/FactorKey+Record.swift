import PosternCore
import StrictJSON

extension FactorKey: Record {
    init(record: JSONObject) throws(JSONMemberError) {
        self.init(secret: try record.requiredSecret("secret"), lastStep: try record.optional("lastStep"))
    }

    var record: JSONObject {
        var record = JSONObject()
        record.set("secret", secret: secret)
        record.set("lastStep", lastStep)
        return record
    }
}

import PosternCore
import StrictJSON

extension ProviderBinding: Record {
    init(record: JSONObject) throws(JSONMemberError) {
        self.init(
            clientID: try record.required("clientID"), authority: try record.required("authority"),
            tokenOrigin: try record.optional("tokenOrigin"))
    }

    var record: JSONObject {
        var record = JSONObject()
        record.set("clientID", clientID)
        record.set("authority", authority)
        record.set("tokenOrigin", tokenOrigin)
        return record
    }
}

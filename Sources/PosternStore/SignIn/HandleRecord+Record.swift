import PosternCore
import StrictJSON

extension HandleRecord {
    init(record: JSONObject, handle: String, expiresAt: Timestamp) throws(JSONMemberError) {
        self.init(
            handle: Secret(handle), providerID: try record.required("providerID"), binding: try record.requiredRecord("binding"),
            credential: try record.requiredRecord("credential"), app: try record.required("app"),
            uids: try record.required("uids"), expiresAt: expiresAt)
    }

    var record: JSONObject {
        var record = JSONObject()
        record.set("providerID", providerID)
        record.set("binding", record: binding)
        record.set("credential", record: credential)
        record.set("app", app)
        record.set("uids", uids)
        return record
    }
}

import PosternCore
import StrictJSON

extension Attempts: Record {
    init(record: JSONObject) throws(JSONMemberError) {
        self.init(count: try record.required("count"), since: try record.requiredMoment("since"))
    }

    var record: JSONObject {
        var record = JSONObject()
        record.set("count", count)
        record.set("since", moment: since)
        return record
    }
}

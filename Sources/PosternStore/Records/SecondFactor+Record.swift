import PosternCore
import StrictJSON

extension SecondFactor: Record {
    init(record: JSONObject) throws(JSONMemberError) {
        guard let kind = Kind(rawValue: try record.required("kind")) else {
            throw JSONMemberError(path: "kind", reason: .notAllowed("is none that is known here"))
        }
        self.init(
            kind: kind, uid: try record.required("uid"), displayName: try record.optional("displayName"),
            phoneNumber: try record.optional("phoneNumber"), enrolledAt: try record.requiredMoment("enrolledAt"))
    }

    var record: JSONObject {
        var record = JSONObject()
        record.set("kind", kind.rawValue)
        record.set("uid", uid)
        record.set("displayName", displayName)
        record.set("phoneNumber", phoneNumber)
        record.set("enrolledAt", moment: enrolledAt)
        return record
    }
}

import PosternCore
import StrictJSON

extension AppSignIn: Record {
    init(record: JSONObject) throws(JSONMemberError) {
        self.init(
            app: try record.required("app"), uid: try record.required("uid"),
            authenticatedAt: try record.requiredMoment("authenticatedAt"), providerID: try record.required("providerID"),
            secondFactor: try record.optional("secondFactor"))
    }

    var record: JSONObject {
        var record = JSONObject()
        record.set("app", app)
        record.set("uid", uid)
        record.set("authenticatedAt", moment: authenticatedAt)
        record.set("providerID", providerID)
        record.set("secondFactor", secondFactor)
        return record
    }
}

import PosternCore
import StrictJSON

extension SignInQuestion: Record {
    init(record: JSONObject) throws(JSONMemberError) {
        let intent: String = try record.required("intent")
        guard let intent = Intent(rawValue: intent) else {
            throw JSONMemberError(path: "intent", reason: .notAllowed("is none that is known here"))
        }
        self.init(
            providerID: try record.required("providerID"), intent: intent, app: try record.required("app"),
            scopes: try record.required("scopes"), parameters: try record.required("parameters"),
            loginHint: try record.optional("loginHint"), linksTo: try record.optional("linksTo"))
    }

    var record: JSONObject {
        var record = JSONObject()
        record.set("providerID", providerID)
        record.set("intent", intent.rawValue)
        record.set("app", app)
        record.set("scopes", scopes)
        record.set("parameters", parameters)
        record.set("loginHint", loginHint)
        record.set("linksTo", linksTo)
        return record
    }
}

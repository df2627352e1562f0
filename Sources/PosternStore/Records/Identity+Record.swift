import PosternCore
import StrictJSON

extension Identity: Record {
    init(record: JSONObject) throws(JSONMemberError) {
        self.init(
            providerID: try record.required("providerID"), subject: try record.required("subject"),
            displayName: try record.optional("displayName"), email: try record.optional("email"),
            emailVerified: try record.required("emailVerified"), photoURL: try record.optional("photoURL"),
            username: try record.optional("username"))
    }

    var record: JSONObject {
        var record = JSONObject()
        record.set("providerID", providerID)
        record.set("subject", subject)
        record.set("displayName", displayName)
        record.set("email", email)
        record.set("emailVerified", emailVerified)
        record.set("photoURL", photoURL)
        record.set("username", username)
        return record
    }
}

extension ProviderProfile: Record {
    init(record: JSONObject) throws(JSONMemberError) {
        self.init(identity: try record.requiredRecord("identity"), document: try record.required("document"))
    }

    var record: JSONObject {
        var record = JSONObject()
        record.set("identity", record: identity)
        record.set("document", document)
        return record
    }
}

import PosternCore
import StrictJSON

extension Identity: Record {
    init(record: JSONObject) throws(JSONMemberError) {
        self.init(
            providerID: try record.required("providerID"), subject: try record.required("subject"),
            displayName: try record.optional("displayName"), email: try record.optional("email"),
            emailVerified: try record.optional("emailVerified"), photoURL: try record.optional("photoURL"),
            username: try record.optional("username"))
        link = try record.optionalRecord("link")
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
        record.set("link", record: link)
        return record
    }
}

extension IdentityLink: Record {
    init(record: JSONObject) throws(JSONMemberError) {
        self.init(
            at: try record.requiredMoment("at"), signIn: try record.required("signIn"), isProved: try record.required("isProved"))
    }

    var record: JSONObject {
        var record = JSONObject()
        record.set("at", moment: at)
        record.set("signIn", signIn)
        record.set("isProved", isProved)
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

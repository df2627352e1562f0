import PosternCore
import StrictJSON

extension User: Record {
    init(record: JSONObject) throws(JSONMemberError) {
        self.init(
            uid: try record.required("uid"), isAnonymous: try record.required("isAnonymous"),
            displayName: try record.optional("displayName"), email: try record.optional("email"),
            emailVerified: try record.required("emailVerified"), photoURL: try record.optional("photoURL"),
            identities: try record.requiredRecords("identities"), hasPassword: try record.optional("hasPassword") ?? false,
            secondFactors: try record.optionalRecords("secondFactors"), createdAt: try record.requiredMoment("createdAt"),
            lastSignInAt: try record.requiredMoment("lastSignInAt"))
    }

    var record: JSONObject {
        var record = JSONObject()
        record.set("uid", uid)
        record.set("isAnonymous", isAnonymous)
        record.set("displayName", displayName)
        record.set("email", email)
        record.set("emailVerified", emailVerified)
        record.set("photoURL", photoURL)
        record.set("identities", identities.map(\.record))
        record.set("hasPassword", hasPassword)
        record.set("secondFactors", secondFactors.map(\.record))
        record.set("createdAt", moment: createdAt)
        record.set("lastSignInAt", moment: lastSignInAt)
        return record
    }
}

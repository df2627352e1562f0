import PosternCore
import StrictJSON

/// Without the generation, which stands in a column of its own, to be compared in a statement.
extension StoredCredential {
    init(record: JSONObject, generation: Int64) throws(JSONMemberError) {
        self.init(
            providerID: try record.required("providerID"), subject: try record.required("subject"),
            displayName: try record.optional("displayName"), binding: try record.requiredRecord("binding"),
            grant: try record.requiredRecord("grant"), generation: generation)
    }

    var record: JSONObject {
        var record = JSONObject()
        record.set("providerID", providerID)
        record.set("subject", subject)
        record.set("displayName", displayName)
        record.set("binding", record: binding)
        record.set("grant", record: grant)
        return record
    }
}

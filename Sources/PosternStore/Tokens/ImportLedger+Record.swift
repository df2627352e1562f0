import PosternCore
import StrictJSON

extension ImportLedger: Record {
    init(record: JSONObject) throws(JSONMemberError) { self.init(entries: try record.requiredRecords("imports")) }

    var record: JSONObject {
        var record = JSONObject()
        record.set("imports", entries.map(\.record))
        return record
    }
}

extension ImportLedger.Entry: Record {
    init(record: JSONObject) throws(JSONMemberError) {
        self.init(
            hash: try record.requiredSecret("hash").revealBytes(), providerID: try record.required("providerID"),
            binding: try record.requiredRecord("binding"), at: try record.requiredMoment("at"),
            subject: try record.optional("subject"), successor: try record.optionalRecord("successor"),
            awaitsAnswer: try record.optional("awaitsAnswer") ?? false)
    }

    var record: JSONObject {
        var record = JSONObject()
        record.set("hash", secret: Secret(hash))
        record.set("providerID", providerID)
        record.set("binding", record: binding)
        record.set("at", moment: at)
        record.set("subject", subject)
        record.set("successor", record: successor)
        if awaitsAnswer { record.set("awaitsAnswer", true) }
        return record
    }
}

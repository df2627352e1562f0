import PosternCore
import StrictJSON

extension AttentionLedger: Record {
    init(record: JSONObject) throws(JSONMemberError) {
        let told = try record.requiredRecords("credentials", as: ReportedCredential.self)
        self.init(entries: Dictionary(told.map { ($0.account, $0.entry) }, uniquingKeysWith: { $1 }))
    }

    var record: JSONObject {
        var record = JSONObject()
        record.set("credentials", entries.map { ReportedCredential(account: $0.key, entry: $0.value).record })
        return record
    }
}

private struct ReportedCredential: Record {
    var account: AttentionLedger.Account
    var entry: AttentionLedger.Entry

    init(account: AttentionLedger.Account, entry: AttentionLedger.Entry) {
        self.account = account
        self.entry = entry
    }

    init(record: JSONObject) throws(JSONMemberError) {
        account = AttentionLedger.Account(providerID: try record.required("providerID"), subject: try record.required("subject"))
        entry = AttentionLedger.Entry()
        guard let state = CredentialStatus.State(rawValue: try record.required("state")) else {
            throw JSONMemberError(path: "state", reason: .notAllowed("is unknown"))
        }
        entry.state = state
        entry.noticedAt = try record.optionalMoment("noticedAt")
        entry.isNoticed = try record.required("isNoticed")
        entry.trouble.lostScopes = try record.required("lostScopes")
        if let reason = try record.optional("refusal", as: String.self) {
            entry.trouble.refusal = CredentialTrouble.Refusal(generation: try record.required("refusedGeneration"), reason: reason)
        }
    }

    var record: JSONObject {
        var record = JSONObject()
        record.set("providerID", account.providerID)
        record.set("subject", account.subject)
        record.set("state", entry.state.rawValue)
        record.set("noticedAt", moment: entry.noticedAt)
        record.set("isNoticed", entry.isNoticed)
        record.set("lostScopes", entry.trouble.lostScopes)
        record.set("refusal", entry.trouble.refusal?.reason)
        record.set("refusedGeneration", entry.trouble.refusal?.generation)
        return record
    }
}

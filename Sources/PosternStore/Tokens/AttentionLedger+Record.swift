import PosternCore
import StrictJSON

extension AttentionLedger: MemberRecord {
    init(members: inout RecordMembers<Self>) throws(JSONMemberError) {
        let reported = try members("credentials") { $0.entries.map { ReportedCredential(account: $0.key, entry: $0.value) } }
        self.init(entries: Dictionary(reported.map { ($0.account, $0.entry) }, uniquingKeysWith: { $1 }))
    }
}

private struct ReportedCredential {
    var account: CredentialKey
    var entry: AttentionLedger.Entry
}

extension ReportedCredential: MemberRecord {
    init(members: inout RecordMembers<Self>) throws(JSONMemberError) {
        account = try CredentialKey(
            providerID: members("providerID", \.account.providerID), subject: members("subject", \.account.subject))
        entry = AttentionLedger.Entry()
        entry.state = try members("state", \.entry.state)
        entry.noticedAt = try members("noticedAt", \.entry.noticedAt)
        entry.isNoticed = try members("isNoticed", \.entry.isNoticed)
        entry.trouble.lostScopes = try members("lostScopes", \.entry.trouble.lostScopes)
        let reason: String? = try members("refusal", \.entry.trouble.refusal?.reason)
        let generation: Int64? = try members("refusedGeneration", \.entry.trouble.refusal?.generation)
        let isOfAccessToken: Bool? = try members("refusedAccessToken", \.entry.trouble.refusal?.isOfAccessToken)
        guard let reason else { return }
        guard let generation else { throw JSONMemberError(path: "refusedGeneration", reason: .missing) }
        entry.trouble.refusal = CredentialTrouble.Refusal(
            generation: generation, reason: reason, isOfAccessToken: isOfAccessToken ?? false)
    }
}

extension CredentialStatus.State: Stored {}

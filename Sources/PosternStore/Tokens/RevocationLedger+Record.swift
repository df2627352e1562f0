import PosternCore
import StrictJSON

extension RevocationLedger: MemberRecord {
    init(members: inout RecordMembers<Self>) throws(JSONMemberError) {
        self.init(entries: try members("revocations", \.entries), dropped: try members("dropped", \.dropped, usually: 0))
    }
}

extension RevocationLedger.Entry: MemberRecord {
    init(members: inout RecordMembers<Self>) throws(JSONMemberError) {
        try self.init(
            providerID: members("providerID", \.providerID), subject: members("subject", \.subject), binding: members("binding", \.binding),
            grant: members("grant", \.grant), firstAskedAt: members("firstAskedAt", \.firstAskedAt),
            lastAskedAt: members("lastAskedAt", \.lastAskedAt))
    }
}

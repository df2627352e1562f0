import PosternCore
import StrictJSON

extension ImportLedger: MemberRecord {
    init(members: inout RecordMembers<Self>) throws(JSONMemberError) { self.init(entries: try members("imports", \.entries)) }
}

extension ImportLedger.Entry: MemberRecord {
    init(members: inout RecordMembers<Self>) throws(JSONMemberError) {
        try self.init(
            hash: members("hash", \.hash), providerID: members("providerID", \.providerID), binding: members("binding", \.binding),
            at: members("at", \.at), subject: members("subject", \.subject), successor: members("successor", \.successor),
            awaitsAnswer: members("awaitsAnswer", \.awaitsAnswer, usually: false))
    }
}

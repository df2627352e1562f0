import PosternCore
import StrictJSON

/// Without the handle and its time, which have their own columns.
extension HandleRecord: MemberRecord {
    init(members: inout RecordMembers<Self>) throws(JSONMemberError) {
        try self.init(
            handle: Secret(""), providerID: members("providerID", \.providerID), binding: members("binding", \.binding),
            credential: members("credential", \.credential), app: members("app", \.app), uids: members("uids", \.uids),
            expiresAt: Timestamp(milliseconds: 0), sharesIDToken: members("sharesIDToken", \.sharesIDToken))
    }
}

import PosternCore
import StrictJSON

extension OAuth1Token: MemberRecord {
    init(members: inout RecordMembers<Self>) throws(JSONMemberError) {
        try self.init(token: members("token", \.token), secret: members("secret", \.secret))
    }
}

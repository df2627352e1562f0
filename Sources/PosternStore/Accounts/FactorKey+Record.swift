import PosternCore
import StrictJSON

extension FactorKey: MemberRecord {
    init(members: inout RecordMembers<Self>) throws(JSONMemberError) {
        try self.init(secret: members("secret", \.secret), lastStep: members("lastStep", \.lastStep))
    }
}

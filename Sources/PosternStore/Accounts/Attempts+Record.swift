import PosternCore
import StrictJSON

extension Attempts: MemberRecord {
    init(members: inout RecordMembers<Self>) throws(JSONMemberError) {
        try self.init(count: members("count", \.count), since: members("since", \.since))
    }
}

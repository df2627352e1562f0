import PosternCore
import StrictJSON

/// Kept until the code is answered, so that after a restart the user does not have to type it again.
extension DeviceAuthorization: MemberRecord {
    init(members: inout RecordMembers<Self>) throws(JSONMemberError) {
        try self.init(
            deviceCode: members("deviceCode", \.deviceCode), userCode: members("userCode", \.userCode),
            verificationURI: members("verificationURI", \.verificationURI),
            verificationURIComplete: members("verificationURIComplete", \.verificationURIComplete),
            expiresAt: members("expiresAt", \.expiresAt), intervalSeconds: members("intervalSeconds", \.intervalSeconds))
    }
}

import PosternCore
import StrictJSON

extension CompletedSignIn: MemberRecord {
    init(members: inout RecordMembers<Self>) throws(JSONMemberError) {
        try self.init(
            grant: members("grant", \.grant), profile: members("profile", \.profile), proof: members("proof", \.proof),
            rawNonce: members("rawNonce", \.rawNonce), user: members("user", \.user), isNewUser: members("isNewUser", \.isNewUser),
            pendingToken: members("pendingToken", \.pendingToken), signedInAs: members("signedInAs", \.signedInAs))
    }
}

extension Proof: MemberRecord {
    init(members: inout RecordMembers<Self>) throws(JSONMemberError) {
        try self.init(members("way", \.way), seenAt: members("seenAt", \.seenAt), at: members("origin", \.origin))
    }
}

extension Proof.Way: Stored {}

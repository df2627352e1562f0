import PosternCore
import PosternCrypto
import StrictJSON

extension UserTokenKeys: MemberRecord {
    init(members: inout RecordMembers<Self>) throws(JSONMemberError) {
        try self.init(signing: members("signing", \.signing), next: members("next", \.next), retired: members("retired", \.retired))
    }
}

extension UserTokenKeys.Entry: MemberRecord {
    init(members: inout RecordMembers<Self>) throws(JSONMemberError) {
        let key = try UserTokenKey(
            privateKeyPEM: members("privateKeyPEM", \.key.privateKeyPEM), x: members("x", \.key.x), y: members("y", \.key.y),
            cryptography: OpenSSLCryptography())
        let since = try members("since", \.since)
        guard let key else { throw JSONMemberError(path: "x", reason: .notAllowed("must have 32 bytes, as must y")) }
        self.init(key: key, since: since)
    }
}

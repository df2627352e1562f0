import PosternCore
import StrictJSON

extension Identity: MemberRecord {
    init(members: inout RecordMembers<Self>) throws(JSONMemberError) {
        try self.init(
            providerID: members("providerID", \.providerID), subject: members("subject", \.subject),
            displayName: members("displayName", \.displayName), email: members("email", \.email),
            emailVerified: members("emailVerified", \.emailVerified), photoURL: members("photoURL", \.photoURL),
            username: members("username", \.username))
        link = try members("link", \.link)
    }
}

extension IdentityLink: MemberRecord {
    init(members: inout RecordMembers<Self>) throws(JSONMemberError) {
        try self.init(
            at: members("at", \.at), signIn: members("signIn", \.signIn), isProved: members("isProved", \.isProved),
            isOfNobody: members("isOfNobody", \.isOfNobody))
    }
}

extension ProviderProfile: MemberRecord {
    init(members: inout RecordMembers<Self>) throws(JSONMemberError) {
        try self.init(identity: members("identity", \.identity), document: members("document", \.document))
    }
}

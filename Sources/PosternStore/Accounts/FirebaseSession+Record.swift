import PosternCore
import StrictJSON

extension FirebaseSession: MemberRecord {
    init(members: inout RecordMembers<Self>) throws(JSONMemberError) {
        try self.init(
            id: members("id", \.id), app: members("app", \.app), project: members("project", \.project), user: members("user", \.user),
            tokens: members("tokens", \.tokens), isProvisional: members("isProvisional", \.isProvisional),
            presentAt: members("presentAt", \.presentAt), generation: members("generation", \.generation))
    }
}

extension FirebaseLinks: MemberRecord {
    init(members: inout RecordMembers<Self>) throws(JSONMemberError) { self.init(entries: try members("links", \.entries)) }
}

extension FirebaseLinks.Entry: MemberRecord {
    init(members: inout RecordMembers<Self>) throws(JSONMemberError) {
        try self.init(
            project: members("project", \.project), uid: members("uid", \.uid), providerID: members("providerID", \.providerID),
            link: members("link", \.link))
    }
}

extension FirebaseTokens: MemberRecord {
    init(members: inout RecordMembers<Self>) throws(JSONMemberError) {
        try self.init(
            idToken: members("idToken", \.idToken), refreshToken: members("refreshToken", \.refreshToken),
            expiresAt: members("expiresAt", \.expiresAt), uid: members("uid", \.uid), audience: members("audience", \.audience),
            authenticatedAt: members("authenticatedAt", \.authenticatedAt), signInProvider: members("signInProvider", \.signInProvider),
            secondFactor: members("secondFactor", \.secondFactor))
    }
}

extension FirebaseRefusal: MemberRecord {
    init(members: inout RecordMembers<Self>) throws(JSONMemberError) {
        try self.init(
            FirebaseErrorCode(rawValue: members("code", \.code.rawValue)) ?? .internalError, word: members("word", \.word),
            detail: members("detail", \.detail), retryAfterSeconds: members("retryAfterSeconds", \.retryAfterSeconds))
    }
}

import PosternCore
import PosternCrypto
import StrictJSON

extension User: MemberRecord {
    init(members: inout RecordMembers<Self>) throws(JSONMemberError) {
        try self.init(
            uid: members("uid", \.uid), isAnonymous: members("isAnonymous", \.isAnonymous),
            displayName: members("displayName", \.displayName), email: members("email", \.email),
            addressProof: members("addressProof", \.addressProof), photoURL: members("photoURL", \.photoURL),
            identities: members("identities", \.identities), hasPassword: members("hasPassword", \.hasPassword),
            secondFactors: members("secondFactors", \.secondFactors), createdAt: members("createdAt", \.createdAt),
            lastSignInAt: members("lastSignInAt", \.lastSignInAt), hasOwner: members("hasOwner", \.hasOwner),
            generation: members("generation", \.generation))
    }
}

extension AddressProof: Stored {}

extension PasswordHash: MemberRecord {
    init(members: inout RecordMembers<Self>) throws(JSONMemberError) {
        try self.init(
            parameters: Parameters(
                cost: members("cost", \.parameters.cost), blockSize: members("blockSize", \.parameters.blockSize),
                parallelization: members("parallelization", \.parameters.parallelization)),
            salt: members("salt", \.salt), hash: members("hash", \.hash), changedAt: members("changedAt", \.changedAt))
        guard
            Scrypt.accepts(cost: parameters.cost, blockSize: parameters.blockSize, parallelization: parameters.parallelization)
        else { throw JSONMemberError(path: "cost", reason: .notAllowed("asks for more work than any password needs")) }
    }
}

extension SecondFactor: MemberRecord {
    init(members: inout RecordMembers<Self>) throws(JSONMemberError) {
        try self.init(
            kind: members("kind", \.kind), uid: members("uid", \.uid), displayName: members("displayName", \.displayName),
            phoneNumber: members("phoneNumber", \.phoneNumber), enrolledAt: members("enrolledAt", \.enrolledAt))
    }
}

extension SecondFactor.Kind: Stored {}

extension AppSignIn: MemberRecord {
    init(members: inout RecordMembers<Self>) throws(JSONMemberError) {
        try self.init(
            id: members("id", \.id), app: members("app", \.app), uid: members("uid", \.uid),
            authenticatedAt: members("authenticatedAt", \.authenticatedAt), providerID: members("providerID", \.providerID),
            secondFactor: members("secondFactor", \.secondFactor))
    }
}

extension PageOwner: MemberRecord {
    init(members: inout RecordMembers<Self>) throws(JSONMemberError) {
        try self.init(signIn: members("signIn", \.signIn), generation: members("generation", \.generation))
    }
}

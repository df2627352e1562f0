import PosternCore
import StrictJSON

/// Without the id, the user and the time, which have their own columns.
extension CodeChallenge: MemberRecord {
    init(members: inout RecordMembers<Self>) throws(JSONMemberError) {
        try self.init(
            id: Secret(""), uid: "", generation: members("generation", \.generation), app: members("app", \.app),
            owner: members("owner", \.owner), purpose: members("purpose", \.purpose), expiresAt: Timestamp(milliseconds: 0),
            wrongCodes: members("wrongCodes", \.wrongCodes), sent: members("sent", \.sent))
    }
}

extension CodeChallenge.Purpose: Record {
    init(record: JSONObject) throws(JSONMemberError) {
        if let factor = try record.value("factor", as: SecondFactor?.self) {
            self = .enrolment(factor, secret: try record.value("secret"))
        } else if let completed = try record.value("completed", as: CompletedSignIn?.self) {
            self = .provider(completed, try record.value("binding"), try record.value("intent"))
        } else {
            self = .password(try record.value("intent"))
        }
    }

    var record: JSONObject {
        switch self {
        case .provider(let completed, let binding, let intent):
            JSONObject(stored: ["intent": intent, "completed": completed, "binding": binding])
        case .password(let intent): JSONObject(stored: ["intent": intent])
        case .enrolment(let factor, let secret): JSONObject(stored: ["factor": factor, "secret": secret])
        }
    }
}

extension SentCode: MemberRecord {
    init(members: inout RecordMembers<Self>) throws(JSONMemberError) {
        try self.init(
            factor: members("factor", \.factor), salt: members("salt", \.salt), hash: members("hash", \.hash),
            expiresAt: members("expiresAt", \.expiresAt))
    }
}

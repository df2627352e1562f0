import PosternCore
import StrictJSON

/// A challenge without what has its own column.
struct ChallengeRecord: Record {
    private let app: String
    private let owner: PageOwner?
    private let purpose: CodeChallenge.Purpose
    private let wrongCodes: Int
    private let sent: SentCode?

    init(_ challenge: CodeChallenge) {
        app = challenge.app
        owner = challenge.owner
        purpose = challenge.purpose
        wrongCodes = challenge.wrongCodes
        sent = challenge.sent
    }

    init(record: JSONObject) throws(JSONMemberError) {
        app = try record.required("app")
        owner = try record.optionalRecord("owner")
        purpose = try record.requiredRecord("purpose")
        wrongCodes = try record.required("wrongCodes")
        sent = try record.optionalRecord("sent")
    }

    var record: JSONObject {
        var record = JSONObject()
        record.set("app", app)
        record.set("owner", record: owner)
        record.set("purpose", record: purpose)
        record.set("wrongCodes", wrongCodes)
        record.set("sent", record: sent)
        return record
    }

    func challenge(id: String, uid: String, expiresAt: Timestamp) -> CodeChallenge {
        CodeChallenge(
            id: Secret(id), uid: uid, app: app, owner: owner, purpose: purpose, expiresAt: expiresAt, wrongCodes: wrongCodes, sent: sent)
    }
}

extension CodeChallenge.Purpose: Record {
    init(record: JSONObject) throws(JSONMemberError) {
        if let factor = try record.optionalRecord("factor", as: SecondFactor.self) {
            self = .enrolment(factor, secret: try record.optionalSecret("secret"))
            return
        }
        guard let intent = Intent(rawValue: try record.required("intent")) else {
            throw JSONMemberError(path: "intent", reason: .notAllowed("is unknown"))
        }
        if let completed = try record.optionalRecord("completed", as: CompletedSignIn.self) {
            self = .provider(completed, try record.requiredRecord("binding"), intent)
        } else {
            self = .password(intent)
        }
    }

    var record: JSONObject {
        var record = JSONObject()
        switch self {
        case .provider(let completed, let binding, let intent):
            record.set("intent", intent.rawValue)
            record.set("completed", record: completed)
            record.set("binding", record: binding)
        case .password(let intent): record.set("intent", intent.rawValue)
        case .enrolment(let factor, let secret):
            record.set("factor", record: factor)
            record.set("secret", secret: secret)
        }
        return record
    }
}

extension SentCode: Record {
    init(record: JSONObject) throws(JSONMemberError) {
        self.init(
            factor: try record.required("factor"), salt: try record.requiredSecret("salt").revealBytes(),
            hash: try record.requiredSecret("hash"), expiresAt: try record.requiredMoment("expiresAt"))
    }

    var record: JSONObject {
        var record = JSONObject()
        record.set("factor", factor)
        record.set("salt", secret: Secret(salt))
        record.set("hash", secret: hash)
        record.set("expiresAt", moment: expiresAt)
        return record
    }
}

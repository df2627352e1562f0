import PosternCore
import StrictJSON

extension CompletedSignIn: Record {
    init(record: JSONObject) throws(JSONMemberError) {
        self.init(
            grant: try record.requiredRecord("grant"), profile: try record.requiredRecord("profile"),
            proof: try record.requiredRecord("proof"), rawNonce: try record.optionalSecret("rawNonce"),
            user: try record.optionalRecord("user"),
            isNewUser: try record.required("isNewUser"), pendingToken: try record.optionalSecret("pendingToken"),
            signedInAs: try record.optionalRecord("signedInAs"))
    }

    var record: JSONObject {
        var record = JSONObject()
        record.set("grant", record: grant)
        record.set("profile", record: profile)
        record.set("proof", record: proof)
        record.set("rawNonce", secret: rawNonce)
        record.set("user", record: user)
        record.set("isNewUser", isNewUser)
        record.set("pendingToken", secret: pendingToken)
        record.set("signedInAs", record: signedInAs)
        return record
    }
}

extension CredentialProof: Record {
    init(record: JSONObject) throws(JSONMemberError) {
        guard let kind = Kind(rawValue: try record.required("kind")) else {
            throw JSONMemberError(path: "kind", reason: .notAllowed("is unknown"))
        }
        self.init(kind, at: try record.requiredMoment("moment"))
    }

    var record: JSONObject {
        var record = JSONObject()
        record.set("kind", kind.rawValue)
        record.set("moment", moment: moment)
        return record
    }
}

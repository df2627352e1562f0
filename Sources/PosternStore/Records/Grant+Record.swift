import PosternCore
import StrictJSON

extension Grant: Record {
    init(record: JSONObject) throws(JSONMemberError) {
        self.init(
            accessToken: try record.requiredSecret("accessToken"), tokenType: try record.required("tokenType"),
            expiresAt: try record.optionalMoment("expiresAt"), refreshToken: try record.optionalSecret("refreshToken"),
            refreshTokenExpiresAt: try record.optionalMoment("refreshTokenExpiresAt"), idToken: try record.optionalSecret("idToken"),
            scopes: try record.required("scopes"), obtainedAt: try record.requiredMoment("obtainedAt"),
            proofKey: try record.optionalRecord("proofKey"),
            tokenSecret: try record.optionalSecret("tokenSecret"))
    }

    var record: JSONObject {
        var record = JSONObject()
        record.set("accessToken", secret: accessToken)
        record.set("tokenType", tokenType)
        record.set("expiresAt", moment: expiresAt)
        record.set("refreshToken", secret: refreshToken)
        record.set("refreshTokenExpiresAt", moment: refreshTokenExpiresAt)
        record.set("idToken", secret: idToken)
        record.set("scopes", scopes)
        record.set("obtainedAt", moment: obtainedAt)
        record.set("proofKey", record: proofKey)
        record.set("tokenSecret", secret: tokenSecret)
        return record
    }
}

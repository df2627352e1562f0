import PosternCore
import StrictJSON

extension FirebaseSession: Record {
    init(record: JSONObject) throws(JSONMemberError) {
        self.init(
            id: try record.required("id"), app: try record.required("app"), project: try record.required("project"),
            user: try record.requiredRecord("user"), tokens: try record.requiredRecord("tokens"),
            isProvisional: try record.required("isProvisional"), presentAt: try record.requiredMoment("presentAt"),
            generation: try record.required("generation"))
    }

    var record: JSONObject {
        var record = JSONObject()
        record.set("id", id)
        record.set("app", app)
        record.set("project", project)
        record.set("user", record: user)
        record.set("tokens", record: tokens)
        record.set("isProvisional", isProvisional)
        record.set("presentAt", moment: presentAt)
        record.set("generation", generation)
        return record
    }
}

extension FirebaseLinks: Record {
    init(record: JSONObject) throws(JSONMemberError) { self.init(entries: try record.requiredRecords("links")) }

    var record: JSONObject {
        var record = JSONObject()
        record.set("links", entries.map(\.record))
        return record
    }
}

extension FirebaseLinks.Entry: Record {
    init(record: JSONObject) throws(JSONMemberError) {
        self.init(
            project: try record.required("project"), uid: try record.required("uid"), providerID: try record.required("providerID"),
            link: try record.requiredRecord("link"))
    }

    var record: JSONObject {
        var record = JSONObject()
        record.set("project", project)
        record.set("uid", uid)
        record.set("providerID", providerID)
        record.set("link", record: link)
        return record
    }
}

extension FirebaseTokens: Record {
    init(record: JSONObject) throws(JSONMemberError) {
        self.init(
            idToken: try record.requiredSecret("idToken"), refreshToken: try record.requiredSecret("refreshToken"),
            expiresAt: try record.requiredMoment("expiresAt"), uid: try record.required("uid"), audience: try record.required("audience"),
            authenticatedAt: try record.requiredMoment("authenticatedAt"), signInProvider: try record.required("signInProvider"),
            secondFactor: try record.optional("secondFactor"))
    }

    var record: JSONObject {
        var record = JSONObject()
        record.set("idToken", secret: idToken)
        record.set("refreshToken", secret: refreshToken)
        record.set("expiresAt", moment: expiresAt)
        record.set("uid", uid)
        record.set("audience", audience)
        record.set("authenticatedAt", moment: authenticatedAt)
        record.set("signInProvider", signInProvider)
        record.set("secondFactor", secondFactor)
        return record
    }
}

extension FirebaseRefusal: Record {
    init(record: JSONObject) throws(JSONMemberError) {
        self.init(
            FirebaseErrorCode(rawValue: try record.required("code")) ?? .internalError, word: try record.optional("word"),
            detail: try record.optional("detail"), retryAfterSeconds: try record.optional("retryAfterSeconds"))
    }

    var record: JSONObject {
        var record = JSONObject()
        record.set("code", code.rawValue)
        record.set("word", word)
        record.set("detail", detail)
        record.set("retryAfterSeconds", retryAfterSeconds)
        return record
    }
}

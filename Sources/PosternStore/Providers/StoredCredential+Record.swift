import PosternCore
import StrictJSON

/// Without the generation, which has its own column, so that a statement can compare it.
extension StoredCredential {
    init(record: JSONObject, generation: Int64) throws(JSONMemberError) {
        self.init(
            providerID: try record.required("providerID"), subject: try record.required("subject"),
            displayName: try record.optional("displayName"), email: try record.optional("email"),
            emailVerified: try record.optional("emailVerified"), username: try record.optional("username"),
            signedInAs: try record.optionalRecord("signedInAs"), binding: try record.requiredRecord("binding"),
            grant: try record.requiredRecord("grant"), generation: generation)
    }

    var record: JSONObject {
        var record = JSONObject()
        record.set("providerID", providerID)
        record.set("subject", subject)
        record.set("displayName", displayName)
        record.set("email", email)
        record.set("emailVerified", emailVerified)
        record.set("username", username)
        record.set("signedInAs", record: signedInAs)
        record.set("binding", record: binding)
        record.set("grant", record: grant)
        return record
    }
}

extension SignInName: Record {
    init(record: JSONObject) throws(JSONMemberError) {
        self.init(name: try record.required("name"), at: try record.requiredMoment("at"), login: try record.optional("login"))
    }

    var record: JSONObject {
        var record = JSONObject()
        record.set("name", name)
        record.set("at", moment: at)
        record.set("login", login)
        return record
    }
}

extension Grant: Record {
    init(record: JSONObject) throws(JSONMemberError) {
        self.init(
            accessToken: try record.requiredSecret("accessToken"), tokenType: try record.required("tokenType"),
            expiresAt: try record.optionalMoment("expiresAt"), refreshToken: try record.optionalSecret("refreshToken"),
            refreshTokenExpiresAt: try record.optionalMoment("refreshTokenExpiresAt"),
            refreshTokenSince: try record.optionalMoment("refreshTokenSince"), idToken: try record.optionalSecret("idToken"),
            idTokenOfRefreshToken: try record.optionalSecret("idTokenOfRefreshToken"),
            scopes: try record.required("scopes"), resources: try record.optional("resources") ?? [],
            obtainedAt: try record.requiredMoment("obtainedAt"),
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
        record.set("refreshTokenSince", moment: refreshTokenSince)
        record.set("idToken", secret: idToken)
        record.set("idTokenOfRefreshToken", secret: idTokenOfRefreshToken)
        record.set("scopes", scopes)
        if !resources.isEmpty { record.set("resources", resources) }
        record.set("obtainedAt", moment: obtainedAt)
        record.set("proofKey", record: proofKey)
        record.set("tokenSecret", secret: tokenSecret)
        return record
    }
}

extension ProviderBinding: Record {
    init(record: JSONObject) throws(JSONMemberError) {
        self.init(
            clientID: try record.required("clientID"), authority: try record.required("authority"),
            tokenOrigin: try record.optional("tokenOrigin"))
    }

    var record: JSONObject {
        var record = JSONObject()
        record.set("clientID", clientID)
        record.set("authority", authority)
        record.set("tokenOrigin", tokenOrigin)
        return record
    }
}

extension DPoPKey: Record {
    init(record: JSONObject) throws(JSONMemberError) {
        guard
            let key = DPoPKey(
                privateKeyPEM: try record.requiredSecret("privateKeyPEM"), x: try record.requiredSecret("x").revealBytes(),
                y: try record.requiredSecret("y").revealBytes())
        else { throw JSONMemberError(path: "x", reason: .notAllowed("must have 32 bytes, as must y")) }
        self = key
    }

    var record: JSONObject {
        var record = JSONObject()
        record.set("privateKeyPEM", secret: privateKeyPEM)
        record.set("x", secret: Secret(x))
        record.set("y", secret: Secret(y))
        return record
    }
}

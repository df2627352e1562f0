import StrictJSON

/// A token that is good for a while, refreshed where needed.
extension Interface {
    public struct GetAccessToken: MethodParameters, Hashable {
        public static let method = Interface.Method.getAccessToken

        public var providerID: String
        /// Chooses among several accounts at one provider.
        public var uid: String?
        public var scopes: [String]?
        /// 60 where not given.
        public var minimumValiditySeconds: Int?
        public var forceRefresh: Bool?

        public init(
            providerID: String, uid: String? = nil, scopes: [String]? = nil, minimumValiditySeconds: Int? = nil,
            forceRefresh: Bool? = nil
        ) {
            self.providerID = providerID
            self.uid = uid
            self.scopes = scopes
            self.minimumValiditySeconds = minimumValiditySeconds
            self.forceRefresh = forceRefresh
        }
    }
}

extension Interface.GetAccessToken {
    public init(object: JSONObject) throws(JSONMemberError) {
        try object.allowOnly(["providerID", "uid", "scopes", "minimumValiditySeconds", "forceRefresh"])
        providerID = try object.required("providerID")
        uid = try object.optional("uid")
        scopes = try object.optional("scopes")
        minimumValiditySeconds = try object.optional("minimumValiditySeconds")
        forceRefresh = try object.optional("forceRefresh")
    }

    public var object: JSONObject {
        var object = JSONObject()
        object.set("providerID", providerID)
        object.set("uid", uid)
        object.set("scopes", scopes)
        object.set("minimumValiditySeconds", minimumValiditySeconds)
        object.set("forceRefresh", forceRefresh)
        return object
    }
}

extension Interface.GetAccessToken {
    public struct Reply: InterfaceObject, Hashable {
        public var accessToken: String
        public var tokenType: String
        /// OAuth 1.0a token secret.
        public var secret: String?
        /// Missing where the provider names no end. RFC 3339, UTC.
        public var expiresAt: String?
        public var scopes: [String]
        /// The account at the provider.
        public var uid: String

        public init(
            accessToken: String, tokenType: String, secret: String? = nil, expiresAt: String? = nil, scopes: [String], uid: String
        ) {
            self.accessToken = accessToken
            self.tokenType = tokenType
            self.secret = secret
            self.expiresAt = expiresAt
            self.scopes = scopes
            self.uid = uid
        }
    }
}

extension Interface.GetAccessToken.Reply {
    public init(object: JSONObject) throws(JSONMemberError) {
        accessToken = try object.required("accessToken")
        tokenType = try object.required("tokenType")
        secret = try object.optional("secret")
        expiresAt = try object.optional("expiresAt")
        scopes = try object.required("scopes")
        uid = try object.required("uid")
    }

    public var object: JSONObject {
        var object = JSONObject()
        object.set("accessToken", accessToken)
        object.set("tokenType", tokenType)
        object.set("secret", secret)
        object.set("expiresAt", expiresAt)
        object.set("scopes", scopes)
        object.set("uid", uid)
        return object
    }
}

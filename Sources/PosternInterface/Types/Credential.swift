import StrictJSON

/// What a provider gave.
extension Interface {
    public struct Credential: InterfaceObject, Hashable {
        /// Stands for the credential in `SignInWithCredential`, once, until ``handleExpiresAt``.
        public var handle: String?
        public var handleExpiresAt: String?
        public var providerID: String
        public var signInMethod: String
        public var accessToken: String?
        public var tokenType: String?
        /// When the access token ends, where the provider says so. RFC 3339, UTC.
        public var expiresAt: String?
        public var scopes: [String]
        /// OAuth 1.0a token secret.
        public var secret: String?
        public var idToken: String?
        /// The nonce whose value or SHA-256 the ID token carries.
        public var rawNonce: String?

        public init(
            handle: String? = nil, handleExpiresAt: String? = nil, providerID: String, signInMethod: String,
            accessToken: String? = nil, tokenType: String? = nil, expiresAt: String? = nil, scopes: [String], secret: String? = nil,
            idToken: String? = nil, rawNonce: String? = nil
        ) {
            self.handle = handle
            self.handleExpiresAt = handleExpiresAt
            self.providerID = providerID
            self.signInMethod = signInMethod
            self.accessToken = accessToken
            self.tokenType = tokenType
            self.expiresAt = expiresAt
            self.scopes = scopes
            self.secret = secret
            self.idToken = idToken
            self.rawNonce = rawNonce
        }
    }
}

extension Interface.Credential {
    public init(object: JSONObject) throws(JSONMemberError) {
        handle = try object.optional("handle")
        handleExpiresAt = try object.optional("handleExpiresAt")
        providerID = try object.required("providerID")
        signInMethod = try object.required("signInMethod")
        accessToken = try object.optional("accessToken")
        tokenType = try object.optional("tokenType")
        expiresAt = try object.optional("expiresAt")
        scopes = try object.required("scopes")
        secret = try object.optional("secret")
        idToken = try object.optional("idToken")
        rawNonce = try object.optional("rawNonce")
    }

    public var object: JSONObject {
        var object = JSONObject()
        object.set("handle", handle)
        object.set("handleExpiresAt", handleExpiresAt)
        object.set("providerID", providerID)
        object.set("signInMethod", signInMethod)
        object.set("accessToken", accessToken)
        object.set("tokenType", tokenType)
        object.set("expiresAt", expiresAt)
        object.set("scopes", scopes)
        object.set("secret", secret)
        object.set("idToken", idToken)
        object.set("rawNonce", rawNonce)
        return object
    }
}

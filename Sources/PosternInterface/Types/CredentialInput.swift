import StrictJSON

/// One of: a handle; tokens that the app got itself; an email address and a password.
extension Interface {
    public struct CredentialInput: InterfaceObject, Hashable {
        public var handle: String?
        public var providerID: String?
        public var accessToken: String?
        public var secret: String?
        public var idToken: String?
        public var rawNonce: String?
        public var email: String?
        public var password: String?

        public init(
            handle: String? = nil, providerID: String? = nil, accessToken: String? = nil, secret: String? = nil,
            idToken: String? = nil, rawNonce: String? = nil, email: String? = nil, password: String? = nil
        ) {
            self.handle = handle
            self.providerID = providerID
            self.accessToken = accessToken
            self.secret = secret
            self.idToken = idToken
            self.rawNonce = rawNonce
            self.email = email
            self.password = password
        }
    }
}

extension Interface.CredentialInput {
    public init(object: JSONObject) throws(JSONMemberError) {
        try object.allowOnly(["handle", "providerID", "accessToken", "secret", "idToken", "rawNonce", "email", "password"])
        handle = try object.optional("handle")
        providerID = try object.optional("providerID")
        accessToken = try object.optional("accessToken")
        secret = try object.optional("secret")
        idToken = try object.optional("idToken")
        rawNonce = try object.optional("rawNonce")
        email = try object.optional("email")
        password = try object.optional("password")
    }

    public var object: JSONObject {
        var object = JSONObject()
        object.set("handle", handle)
        object.set("providerID", providerID)
        object.set("accessToken", accessToken)
        object.set("secret", secret)
        object.set("idToken", idToken)
        object.set("rawNonce", rawNonce)
        object.set("email", email)
        object.set("password", password)
        return object
    }
}

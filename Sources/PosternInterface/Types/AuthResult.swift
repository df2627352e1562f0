import StrictJSON

/// How an operation on the current user ended.
extension Interface {
    public struct AuthResult: InterfaceObject, Hashable {
        public enum Operation: String, JSONConvertible, CaseIterable {
            case signIn, link, reauthenticate
        }

        public var user: User
        public var credential: Credential?
        public var additionalUserInfo: AdditionalUserInfo?
        public var operation: Operation

        public init(user: User, credential: Credential? = nil, additionalUserInfo: AdditionalUserInfo? = nil, operation: Operation) {
            self.user = user
            self.credential = credential
            self.additionalUserInfo = additionalUserInfo
            self.operation = operation
        }
    }
}

extension Interface.AuthResult {
    public init(object: JSONObject) throws(JSONMemberError) {
        user = try object.required("user")
        credential = try object.optional("credential")
        additionalUserInfo = try object.optional("additionalUserInfo")
        operation = try object.required("operation")
    }

    public var object: JSONObject {
        var object = JSONObject()
        object.set("user", user)
        object.set("credential", credential)
        object.set("additionalUserInfo", additionalUserInfo)
        object.set("operation", operation)
        return object
    }
}

/// What the provider told beyond the user record.
extension Interface {
    public struct AdditionalUserInfo: InterfaceObject, Hashable {
        public var providerID: String
        public var isNewUser: Bool
        public var username: String?
        /// The provider's profile document, as it came.
        public var profile: JSONObject

        public init(providerID: String, isNewUser: Bool, username: String? = nil, profile: JSONObject) {
            self.providerID = providerID
            self.isNewUser = isNewUser
            self.username = username
            self.profile = profile
        }
    }
}

extension Interface.AdditionalUserInfo {
    public init(object: JSONObject) throws(JSONMemberError) {
        providerID = try object.required("providerID")
        isNewUser = try object.required("isNewUser")
        username = try object.optional("username")
        profile = try object.required("profile")
    }

    public var object: JSONObject {
        var object = JSONObject()
        object.set("providerID", providerID)
        object.set("isNewUser", isNewUser)
        object.set("username", username)
        object.set("profile", profile)
        return object
    }
}

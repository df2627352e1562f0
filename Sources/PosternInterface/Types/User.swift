import StrictJSON

/// A local user.
extension Interface {
    public struct User: InterfaceObject, Hashable {
        /// 28 random characters; not the account at a provider.
        public var uid: String
        public var isAnonymous: Bool
        public var displayName: String?
        public var email: String?
        public var emailVerified: Bool
        public var photoURL: String?
        public var providerData: [ProviderData]
        public var secondFactors: [SecondFactor]
        /// RFC 3339, UTC.
        public var createdAt: String
        /// RFC 3339, UTC.
        public var lastSignInAt: String

        public init(
            uid: String, isAnonymous: Bool, displayName: String? = nil, email: String? = nil, emailVerified: Bool,
            photoURL: String? = nil, providerData: [ProviderData], secondFactors: [SecondFactor], createdAt: String,
            lastSignInAt: String
        ) {
            self.uid = uid
            self.isAnonymous = isAnonymous
            self.displayName = displayName
            self.email = email
            self.emailVerified = emailVerified
            self.photoURL = photoURL
            self.providerData = providerData
            self.secondFactors = secondFactors
            self.createdAt = createdAt
            self.lastSignInAt = lastSignInAt
        }
    }
}

extension Interface.User {
    public init(object: JSONObject) throws(JSONMemberError) {
        uid = try object.required("uid")
        isAnonymous = try object.required("isAnonymous")
        displayName = try object.optional("displayName")
        email = try object.optional("email")
        emailVerified = try object.required("emailVerified")
        photoURL = try object.optional("photoURL")
        providerData = try object.required("providerData")
        secondFactors = try object.required("secondFactors")
        createdAt = try object.required("createdAt")
        lastSignInAt = try object.required("lastSignInAt")
    }

    public var object: JSONObject {
        var object = JSONObject()
        object.set("uid", uid)
        object.set("isAnonymous", isAnonymous)
        object.set("displayName", displayName)
        object.set("email", email)
        object.set("emailVerified", emailVerified)
        object.set("photoURL", photoURL)
        object.set("providerData", providerData)
        object.set("secondFactors", secondFactors)
        object.set("createdAt", createdAt)
        object.set("lastSignInAt", lastSignInAt)
        return object
    }
}

/// What one linked provider says of the user.
extension Interface {
    public struct ProviderData: InterfaceObject, Hashable {
        public var providerID: String
        /// The account at the provider.
        public var uid: String
        public var displayName: String?
        public var email: String?
        public var photoURL: String?

        public init(providerID: String, uid: String, displayName: String? = nil, email: String? = nil, photoURL: String? = nil) {
            self.providerID = providerID
            self.uid = uid
            self.displayName = displayName
            self.email = email
            self.photoURL = photoURL
        }
    }
}

extension Interface.ProviderData {
    public init(object: JSONObject) throws(JSONMemberError) {
        providerID = try object.required("providerID")
        uid = try object.required("uid")
        displayName = try object.optional("displayName")
        email = try object.optional("email")
        photoURL = try object.optional("photoURL")
    }

    public var object: JSONObject {
        var object = JSONObject()
        object.set("providerID", providerID)
        object.set("uid", uid)
        object.set("displayName", displayName)
        object.set("email", email)
        object.set("photoURL", photoURL)
        return object
    }
}

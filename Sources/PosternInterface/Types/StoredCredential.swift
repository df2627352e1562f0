import StrictJSON

/// A credential in the store, without its secrets.
extension Interface {
    public struct StoredCredential: InterfaceObject, Hashable {
        public var providerID: String
        /// The account at the provider.
        public var uid: String
        public var displayName: String?
        public var scopes: [String]
        /// When the access token ends, where it does. RFC 3339, UTC.
        public var expiresAt: String?
        /// A new access token can be had without the person.
        public var refreshable: Bool

        public init(
            providerID: String, uid: String, displayName: String? = nil, scopes: [String], expiresAt: String? = nil, refreshable: Bool
        ) {
            self.providerID = providerID
            self.uid = uid
            self.displayName = displayName
            self.scopes = scopes
            self.expiresAt = expiresAt
            self.refreshable = refreshable
        }
    }
}

extension Interface.StoredCredential {
    public init(object: JSONObject) throws(JSONMemberError) {
        providerID = try object.required("providerID")
        uid = try object.required("uid")
        displayName = try object.optional("displayName")
        scopes = try object.required("scopes")
        expiresAt = try object.optional("expiresAt")
        refreshable = try object.required("refreshable")
    }

    public var object: JSONObject {
        var object = JSONObject()
        object.set("providerID", providerID)
        object.set("uid", uid)
        object.set("displayName", displayName)
        object.set("scopes", scopes)
        object.set("expiresAt", expiresAt)
        object.set("refreshable", refreshable)
        return object
    }
}

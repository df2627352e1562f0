import StrictJSON

/// What is stored, without secrets.
extension Interface {
    public struct ListCredentials: MethodParameters, Hashable {
        public static let method = Interface.Method.listCredentials

        public init() {}
        public init(object: JSONObject) throws(JSONMemberError) { try object.allowOnly([]) }
        public var object: JSONObject { JSONObject() }
    }
}

extension Interface.ListCredentials {
    public struct Reply: InterfaceObject, Hashable {
        public var credentials: [Interface.StoredCredential]

        public init(credentials: [Interface.StoredCredential]) {
            self.credentials = credentials
        }
    }
}

extension Interface.ListCredentials.Reply {
    public init(object: JSONObject) throws(JSONMemberError) {
        credentials = try object.required("credentials")
    }

    public var object: JSONObject {
        var object = JSONObject()
        object.set("credentials", credentials)
        return object
    }
}

/// Takes the credential back at the provider, where it can, and forgets it here.
extension Interface {
    public struct RevokeCredential: MethodParameters, Hashable {
        public static let method = Interface.Method.revokeCredential

        public var providerID: String
        public var uid: String?

        public init(providerID: String, uid: String? = nil) {
            self.providerID = providerID
            self.uid = uid
        }
    }
}

extension Interface.RevokeCredential {
    public init(object: JSONObject) throws(JSONMemberError) {
        try object.allowOnly(["providerID", "uid"])
        providerID = try object.required("providerID")
        uid = try object.optional("uid")
    }

    public var object: JSONObject {
        var object = JSONObject()
        object.set("providerID", providerID)
        object.set("uid", uid)
        return object
    }
}

extension Interface.RevokeCredential {
    public struct Reply: InterfaceObject, Hashable {
        public var revokedAtProvider: Bool

        public init(revokedAtProvider: Bool) {
            self.revokedAtProvider = revokedAtProvider
        }
    }
}

extension Interface.RevokeCredential.Reply {
    public init(object: JSONObject) throws(JSONMemberError) {
        revokedAtProvider = try object.required("revokedAtProvider")
    }

    public var object: JSONObject {
        var object = JSONObject()
        object.set("revokedAtProvider", revokedAtProvider)
        return object
    }
}

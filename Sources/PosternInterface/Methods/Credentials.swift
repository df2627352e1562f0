import StrictJSON

/// What is stored, without secrets.
public struct ListCredentialsParameters: MethodParameters, Hashable {
    public typealias Reply = ListCredentialsReply
    public static let method = Method.listCredentials

    public init() {}
    public init(object: JSONObject) throws(JSONMemberError) { try object.allowOnly([]) }
    public var object: JSONObject { JSONObject() }
}

public struct ListCredentialsReply: InterfaceObject, Hashable {
    public var credentials: [StoredCredential]

    public init(credentials: [StoredCredential]) {
        self.credentials = credentials
    }
}

extension ListCredentialsReply {
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
public struct RevokeCredentialParameters: MethodParameters, Hashable {
    public typealias Reply = RevokeCredentialReply
    public static let method = Method.revokeCredential

    public var providerID: String
    public var uid: String?

    public init(providerID: String, uid: String? = nil) {
        self.providerID = providerID
        self.uid = uid
    }
}

extension RevokeCredentialParameters {
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

public struct RevokeCredentialReply: InterfaceObject, Hashable {
    public var revokedAtProvider: Bool

    public init(revokedAtProvider: Bool) {
        self.revokedAtProvider = revokedAtProvider
    }
}

extension RevokeCredentialReply {
    public init(object: JSONObject) throws(JSONMemberError) {
        revokedAtProvider = try object.required("revokedAtProvider")
    }

    public var object: JSONObject {
        var object = JSONObject()
        object.set("revokedAtProvider", revokedAtProvider)
        return object
    }
}

import StrictJSON

/// The app's current user; none where nobody is signed in.
public struct GetCurrentUserParameters: MethodParameters, Hashable {
    public typealias Reply = GetCurrentUserReply
    public static let method = Method.getCurrentUser

    public var app: String?

    public init(app: String? = nil) {
        self.app = app
    }
}

extension GetCurrentUserParameters {
    public init(object: JSONObject) throws(JSONMemberError) {
        try object.allowOnly(["app"])
        app = try object.optional("app")
    }

    public var object: JSONObject {
        var object = JSONObject()
        object.set("app", app)
        return object
    }
}

public struct GetCurrentUserReply: InterfaceObject, Hashable {
    public var user: User?

    public init(user: User? = nil) {
        self.user = user
    }
}

extension GetCurrentUserReply {
    public init(object: JSONObject) throws(JSONMemberError) {
        user = try object.optional("user")
    }

    public var object: JSONObject {
        var object = JSONObject()
        object.set("user", user)
        return object
    }
}

/// Changes the current user's record; what is not given stays.
public struct UpdateUserParameters: MethodParameters, Hashable {
    public typealias Reply = UpdateUserReply
    public static let method = Method.updateUser

    public var app: String?
    public var displayName: String?
    public var photoURL: String?
    public var email: String?
    public var password: String?

    public init(
        app: String? = nil, displayName: String? = nil, photoURL: String? = nil, email: String? = nil, password: String? = nil
    ) {
        self.app = app
        self.displayName = displayName
        self.photoURL = photoURL
        self.email = email
        self.password = password
    }
}

extension UpdateUserParameters {
    public init(object: JSONObject) throws(JSONMemberError) {
        try object.allowOnly(["app", "displayName", "photoURL", "email", "password"])
        app = try object.optional("app")
        displayName = try object.optional("displayName")
        photoURL = try object.optional("photoURL")
        email = try object.optional("email")
        password = try object.optional("password")
    }

    public var object: JSONObject {
        var object = JSONObject()
        object.set("app", app)
        object.set("displayName", displayName)
        object.set("photoURL", photoURL)
        object.set("email", email)
        object.set("password", password)
        return object
    }
}

public struct UpdateUserReply: InterfaceObject, Hashable {
    public var user: User

    public init(user: User) {
        self.user = user
    }
}

extension UpdateUserReply {
    public init(object: JSONObject) throws(JSONMemberError) {
        user = try object.required("user")
    }

    public var object: JSONObject {
        var object = JSONObject()
        object.set("user", user)
        return object
    }
}

/// Forgets who the current user is; the user stays.
public struct SignOutParameters: MethodParameters, Hashable {
    public typealias Reply = SignOutReply
    public static let method = Method.signOut

    public var app: String?

    public init(app: String? = nil) {
        self.app = app
    }
}

extension SignOutParameters {
    public init(object: JSONObject) throws(JSONMemberError) {
        try object.allowOnly(["app"])
        app = try object.optional("app")
    }

    public var object: JSONObject {
        var object = JSONObject()
        object.set("app", app)
        return object
    }
}

public struct SignOutReply: InterfaceObject, Hashable {
    public init() {}
    public init(object: JSONObject) throws(JSONMemberError) {}
    public var object: JSONObject { JSONObject() }
}

/// Deletes the current user.
public struct DeleteUserParameters: MethodParameters, Hashable {
    public typealias Reply = DeleteUserReply
    public static let method = Method.deleteUser

    public var app: String?

    public init(app: String? = nil) {
        self.app = app
    }
}

extension DeleteUserParameters {
    public init(object: JSONObject) throws(JSONMemberError) {
        try object.allowOnly(["app"])
        app = try object.optional("app")
    }

    public var object: JSONObject {
        var object = JSONObject()
        object.set("app", app)
        return object
    }
}

public struct DeleteUserReply: InterfaceObject, Hashable {
    public init() {}
    public init(object: JSONObject) throws(JSONMemberError) {}
    public var object: JSONObject { JSONObject() }
}

/// An ID token about the current user for another local service, signed by the daemon's own key.
public struct GetUserTokenParameters: MethodParameters, Hashable {
    public typealias Reply = GetUserTokenReply
    public static let method = Method.getUserToken

    public var audience: String
    public var app: String?

    public init(audience: String, app: String? = nil) {
        self.audience = audience
        self.app = app
    }
}

extension GetUserTokenParameters {
    public init(object: JSONObject) throws(JSONMemberError) {
        try object.allowOnly(["audience", "app"])
        audience = try object.required("audience")
        app = try object.optional("app")
    }

    public var object: JSONObject {
        var object = JSONObject()
        object.set("audience", audience)
        object.set("app", app)
        return object
    }
}

public struct GetUserTokenReply: InterfaceObject, Hashable {
    public var idToken: String
    public var expiresAt: String

    public init(idToken: String, expiresAt: String) {
        self.idToken = idToken
        self.expiresAt = expiresAt
    }
}

extension GetUserTokenReply {
    public init(object: JSONObject) throws(JSONMemberError) {
        idToken = try object.required("idToken")
        expiresAt = try object.required("expiresAt")
    }

    public var object: JSONObject {
        var object = JSONObject()
        object.set("idToken", idToken)
        object.set("expiresAt", expiresAt)
        return object
    }
}

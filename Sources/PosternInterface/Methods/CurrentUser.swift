import StrictJSON

/// The app's current user; none where nobody is signed in.
extension Interface {
    public struct GetCurrentUser: MethodParameters, Hashable {
        public static let method = Interface.Method.getCurrentUser

        public var app: String?

        public init(app: String? = nil) {
            self.app = app
        }
    }
}

extension Interface.GetCurrentUser {
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

extension Interface.GetCurrentUser {
    public struct Reply: InterfaceObject, Hashable {
        public var user: Interface.User?

        public init(user: Interface.User? = nil) {
            self.user = user
        }
    }
}

extension Interface.GetCurrentUser.Reply {
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
extension Interface {
    public struct UpdateUser: MethodParameters, Hashable {
        public static let method = Interface.Method.updateUser

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
}

extension Interface.UpdateUser {
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

extension Interface.UpdateUser {
    public struct Reply: InterfaceObject, Hashable {
        public var user: Interface.User

        public init(user: Interface.User) {
            self.user = user
        }
    }
}

extension Interface.UpdateUser.Reply {
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
extension Interface {
    public struct SignOut: MethodParameters, Hashable {
        public static let method = Interface.Method.signOut

        public var app: String?

        public init(app: String? = nil) {
            self.app = app
        }
    }
}

extension Interface.SignOut {
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

extension Interface.SignOut {
    public struct Reply: InterfaceObject, Hashable {
        public init() {}
        public init(object: JSONObject) throws(JSONMemberError) {}
        public var object: JSONObject { JSONObject() }
    }
}

/// Deletes the current user.
extension Interface {
    public struct DeleteUser: MethodParameters, Hashable {
        public static let method = Interface.Method.deleteUser

        public var app: String?

        public init(app: String? = nil) {
            self.app = app
        }
    }
}

extension Interface.DeleteUser {
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

extension Interface.DeleteUser {
    public struct Reply: InterfaceObject, Hashable {
        public init() {}
        public init(object: JSONObject) throws(JSONMemberError) {}
        public var object: JSONObject { JSONObject() }
    }
}

/// An ID token about the current user for another local service, signed by the daemon's own key.
extension Interface {
    public struct GetUserToken: MethodParameters, Hashable {
        public static let method = Interface.Method.getUserToken

        public var audience: String
        public var app: String?

        public init(audience: String, app: String? = nil) {
            self.audience = audience
            self.app = app
        }
    }
}

extension Interface.GetUserToken {
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

extension Interface.GetUserToken {
    public struct Reply: InterfaceObject, Hashable {
        public var idToken: String
        public var expiresAt: String

        public init(idToken: String, expiresAt: String) {
            self.idToken = idToken
            self.expiresAt = expiresAt
        }
    }
}

extension Interface.GetUserToken.Reply {
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

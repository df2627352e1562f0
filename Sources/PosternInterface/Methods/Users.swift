import StrictJSON

/// Signs in with a credential that is already there.
extension Interface {
    public struct SignInWithCredential: MethodParameters, Hashable {
        public static let method = Interface.Method.signInWithCredential

        public var credential: Interface.CredentialInput
        public var intent: Interface.Intent?
        public var app: String?

        public init(credential: Interface.CredentialInput, intent: Interface.Intent? = nil, app: String? = nil) {
            self.credential = credential
            self.intent = intent
            self.app = app
        }
    }
}

extension Interface.SignInWithCredential {
    public init(object: JSONObject) throws(JSONMemberError) {
        try object.allowOnly(["credential", "intent", "app"])
        credential = try object.required("credential")
        intent = try object.optional("intent")
        app = try object.optional("app")
    }

    public var object: JSONObject {
        var object = JSONObject()
        object.set("credential", credential)
        object.set("intent", intent)
        object.set("app", app)
        return object
    }
}

extension Interface.SignInWithCredential {
    public struct Reply: InterfaceObject, Hashable {
        public var result: Interface.AuthResult

        public init(result: Interface.AuthResult) {
            self.result = result
        }
    }
}

extension Interface.SignInWithCredential.Reply {
    public init(object: JSONObject) throws(JSONMemberError) {
        result = try object.required("result")
    }

    public var object: JSONObject {
        var object = JSONObject()
        object.set("result", result)
        return object
    }
}

/// Makes, or finds, an anonymous current user.
extension Interface {
    public struct SignInAnonymously: MethodParameters, Hashable {
        public static let method = Interface.Method.signInAnonymously

        public var app: String?

        public init(app: String? = nil) {
            self.app = app
        }
    }
}

extension Interface.SignInAnonymously {
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

extension Interface.SignInAnonymously {
    public struct Reply: InterfaceObject, Hashable {
        public var result: Interface.AuthResult

        public init(result: Interface.AuthResult) {
            self.result = result
        }
    }
}

extension Interface.SignInAnonymously.Reply {
    public init(object: JSONObject) throws(JSONMemberError) {
        result = try object.required("result")
    }

    public var object: JSONObject {
        var object = JSONObject()
        object.set("result", result)
        return object
    }
}

/// Makes a user with a password.
extension Interface {
    public struct CreateUser: MethodParameters, Hashable {
        public static let method = Interface.Method.createUser

        public var email: String
        public var password: String
        public var displayName: String?
        public var app: String?

        public init(email: String, password: String, displayName: String? = nil, app: String? = nil) {
            self.email = email
            self.password = password
            self.displayName = displayName
            self.app = app
        }
    }
}

extension Interface.CreateUser {
    public init(object: JSONObject) throws(JSONMemberError) {
        try object.allowOnly(["email", "password", "displayName", "app"])
        email = try object.required("email")
        password = try object.required("password")
        displayName = try object.optional("displayName")
        app = try object.optional("app")
    }

    public var object: JSONObject {
        var object = JSONObject()
        object.set("email", email)
        object.set("password", password)
        object.set("displayName", displayName)
        object.set("app", app)
        return object
    }
}

extension Interface.CreateUser {
    public struct Reply: InterfaceObject, Hashable {
        public var result: Interface.AuthResult

        public init(result: Interface.AuthResult) {
            self.result = result
        }
    }
}

extension Interface.CreateUser.Reply {
    public init(object: JSONObject) throws(JSONMemberError) {
        result = try object.required("result")
    }

    public var object: JSONObject {
        var object = JSONObject()
        object.set("result", result)
        return object
    }
}

/// Takes a provider off the current user.
extension Interface {
    public struct UnlinkProvider: MethodParameters, Hashable {
        public static let method = Interface.Method.unlinkProvider

        public var providerID: String
        public var app: String?

        public init(providerID: String, app: String? = nil) {
            self.providerID = providerID
            self.app = app
        }
    }
}

extension Interface.UnlinkProvider {
    public init(object: JSONObject) throws(JSONMemberError) {
        try object.allowOnly(["providerID", "app"])
        providerID = try object.required("providerID")
        app = try object.optional("app")
    }

    public var object: JSONObject {
        var object = JSONObject()
        object.set("providerID", providerID)
        object.set("app", app)
        return object
    }
}

extension Interface.UnlinkProvider {
    public struct Reply: InterfaceObject, Hashable {
        public var user: Interface.User

        public init(user: Interface.User) {
            self.user = user
        }
    }
}

extension Interface.UnlinkProvider.Reply {
    public init(object: JSONObject) throws(JSONMemberError) {
        user = try object.required("user")
    }

    public var object: JSONObject {
        var object = JSONObject()
        object.set("user", user)
        return object
    }
}

/// The providers with which an address can sign in.
extension Interface {
    public struct FetchProviders: MethodParameters, Hashable {
        public static let method = Interface.Method.fetchProviders

        public var email: String

        public init(email: String) {
            self.email = email
        }
    }
}

extension Interface.FetchProviders {
    public init(object: JSONObject) throws(JSONMemberError) {
        try object.allowOnly(["email"])
        email = try object.required("email")
    }

    public var object: JSONObject {
        var object = JSONObject()
        object.set("email", email)
        return object
    }
}

extension Interface.FetchProviders {
    public struct Reply: InterfaceObject, Hashable {
        public var providerIDs: [String]

        public init(providerIDs: [String]) {
            self.providerIDs = providerIDs
        }
    }
}

extension Interface.FetchProviders.Reply {
    public init(object: JSONObject) throws(JSONMemberError) {
        providerIDs = try object.required("providerIDs")
    }

    public var object: JSONObject {
        var object = JSONObject()
        object.set("providerIDs", providerIDs)
        return object
    }
}

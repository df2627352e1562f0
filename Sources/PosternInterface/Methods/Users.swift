import StrictJSON

/// Signs in with a credential that is already there.
public struct SignInWithCredentialParameters: MethodParameters, Hashable {
    public typealias Reply = SignInWithCredentialReply
    public static let method = Method.signInWithCredential

    public var credential: CredentialInput
    public var intent: Intent?
    public var app: String?

    public init(credential: CredentialInput, intent: Intent? = nil, app: String? = nil) {
        self.credential = credential
        self.intent = intent
        self.app = app
    }
}

extension SignInWithCredentialParameters {
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

public struct SignInWithCredentialReply: InterfaceObject, Hashable {
    public var result: AuthResult

    public init(result: AuthResult) {
        self.result = result
    }
}

extension SignInWithCredentialReply {
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
public struct SignInAnonymouslyParameters: MethodParameters, Hashable {
    public typealias Reply = SignInAnonymouslyReply
    public static let method = Method.signInAnonymously

    public var app: String?

    public init(app: String? = nil) {
        self.app = app
    }
}

extension SignInAnonymouslyParameters {
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

public struct SignInAnonymouslyReply: InterfaceObject, Hashable {
    public var result: AuthResult

    public init(result: AuthResult) {
        self.result = result
    }
}

extension SignInAnonymouslyReply {
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
public struct CreateUserParameters: MethodParameters, Hashable {
    public typealias Reply = CreateUserReply
    public static let method = Method.createUser

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

extension CreateUserParameters {
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

public struct CreateUserReply: InterfaceObject, Hashable {
    public var result: AuthResult

    public init(result: AuthResult) {
        self.result = result
    }
}

extension CreateUserReply {
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
public struct UnlinkProviderParameters: MethodParameters, Hashable {
    public typealias Reply = UnlinkProviderReply
    public static let method = Method.unlinkProvider

    public var providerID: String
    public var app: String?

    public init(providerID: String, app: String? = nil) {
        self.providerID = providerID
        self.app = app
    }
}

extension UnlinkProviderParameters {
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

public struct UnlinkProviderReply: InterfaceObject, Hashable {
    public var user: User

    public init(user: User) {
        self.user = user
    }
}

extension UnlinkProviderReply {
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
public struct FetchProvidersParameters: MethodParameters, Hashable {
    public typealias Reply = FetchProvidersReply
    public static let method = Method.fetchProviders

    public var email: String

    public init(email: String) {
        self.email = email
    }
}

extension FetchProvidersParameters {
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

public struct FetchProvidersReply: InterfaceObject, Hashable {
    public var providerIDs: [String]

    public init(providerIDs: [String]) {
        self.providerIDs = providerIDs
    }
}

extension FetchProvidersReply {
    public init(object: JSONObject) throws(JSONMemberError) {
        providerIDs = try object.required("providerIDs")
    }

    public var object: JSONObject {
        var object = JSONObject()
        object.set("providerIDs", providerIDs)
        return object
    }
}

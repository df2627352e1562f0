import StrictJSON

/// Begins to enrol a second factor.
public struct EnrollSecondFactorParameters: MethodParameters, Hashable {
    public typealias Reply = EnrollSecondFactorReply
    public static let method = Method.enrollSecondFactor

    public var factorID: SecondFactor.Kind
    public var phoneNumber: String?
    public var displayName: String?
    public var app: String?

    public init(factorID: SecondFactor.Kind, phoneNumber: String? = nil, displayName: String? = nil, app: String? = nil) {
        self.factorID = factorID
        self.phoneNumber = phoneNumber
        self.displayName = displayName
        self.app = app
    }
}

extension EnrollSecondFactorParameters {
    public init(object: JSONObject) throws(JSONMemberError) {
        try object.allowOnly(["factorID", "phoneNumber", "displayName", "app"])
        factorID = try object.required("factorID")
        phoneNumber = try object.optional("phoneNumber")
        displayName = try object.optional("displayName")
        app = try object.optional("app")
    }

    public var object: JSONObject {
        var object = JSONObject()
        object.set("factorID", factorID)
        object.set("phoneNumber", phoneNumber)
        object.set("displayName", displayName)
        object.set("app", app)
        return object
    }
}

public struct EnrollSecondFactorReply: InterfaceObject, Hashable {
    public var enrollmentID: String
    public var secret: String?
    public var provisioningURI: String?

    public init(enrollmentID: String, secret: String? = nil, provisioningURI: String? = nil) {
        self.enrollmentID = enrollmentID
        self.secret = secret
        self.provisioningURI = provisioningURI
    }
}

extension EnrollSecondFactorReply {
    public init(object: JSONObject) throws(JSONMemberError) {
        enrollmentID = try object.required("enrollmentID")
        secret = try object.optional("secret")
        provisioningURI = try object.optional("provisioningURI")
    }

    public var object: JSONObject {
        var object = JSONObject()
        object.set("enrollmentID", enrollmentID)
        object.set("secret", secret)
        object.set("provisioningURI", provisioningURI)
        return object
    }
}

/// Ends the enrolment with a first code.
public struct ConfirmSecondFactorParameters: MethodParameters, Hashable {
    public typealias Reply = ConfirmSecondFactorReply
    public static let method = Method.confirmSecondFactor

    public var enrollmentID: String
    public var verificationCode: String
    public var app: String?

    public init(enrollmentID: String, verificationCode: String, app: String? = nil) {
        self.enrollmentID = enrollmentID
        self.verificationCode = verificationCode
        self.app = app
    }
}

extension ConfirmSecondFactorParameters {
    public init(object: JSONObject) throws(JSONMemberError) {
        try object.allowOnly(["enrollmentID", "verificationCode", "app"])
        enrollmentID = try object.required("enrollmentID")
        verificationCode = try object.required("verificationCode")
        app = try object.optional("app")
    }

    public var object: JSONObject {
        var object = JSONObject()
        object.set("enrollmentID", enrollmentID)
        object.set("verificationCode", verificationCode)
        object.set("app", app)
        return object
    }
}

public struct ConfirmSecondFactorReply: InterfaceObject, Hashable {
    public var user: User

    public init(user: User) {
        self.user = user
    }
}

extension ConfirmSecondFactorReply {
    public init(object: JSONObject) throws(JSONMemberError) {
        user = try object.required("user")
    }

    public var object: JSONObject {
        var object = JSONObject()
        object.set("user", user)
        return object
    }
}

/// Takes a second factor off the current user.
public struct RemoveSecondFactorParameters: MethodParameters, Hashable {
    public typealias Reply = RemoveSecondFactorReply
    public static let method = Method.removeSecondFactor

    public var uid: String
    public var app: String?

    public init(uid: String, app: String? = nil) {
        self.uid = uid
        self.app = app
    }
}

extension RemoveSecondFactorParameters {
    public init(object: JSONObject) throws(JSONMemberError) {
        try object.allowOnly(["uid", "app"])
        uid = try object.required("uid")
        app = try object.optional("app")
    }

    public var object: JSONObject {
        var object = JSONObject()
        object.set("uid", uid)
        object.set("app", app)
        return object
    }
}

public struct RemoveSecondFactorReply: InterfaceObject, Hashable {
    public var user: User

    public init(user: User) {
        self.user = user
    }
}

extension RemoveSecondFactorReply {
    public init(object: JSONObject) throws(JSONMemberError) {
        user = try object.required("user")
    }

    public var object: JSONObject {
        var object = JSONObject()
        object.set("user", user)
        return object
    }
}

/// Sends the code for a phone factor of a `SecondFactorRequired` error.
public struct StartSecondFactorParameters: MethodParameters, Hashable {
    public typealias Reply = StartSecondFactorReply
    public static let method = Method.startSecondFactor

    public var resolver: String
    public var uid: String

    public init(resolver: String, uid: String) {
        self.resolver = resolver
        self.uid = uid
    }
}

extension StartSecondFactorParameters {
    public init(object: JSONObject) throws(JSONMemberError) {
        try object.allowOnly(["resolver", "uid"])
        resolver = try object.required("resolver")
        uid = try object.required("uid")
    }

    public var object: JSONObject {
        var object = JSONObject()
        object.set("resolver", resolver)
        object.set("uid", uid)
        return object
    }
}

public struct StartSecondFactorReply: InterfaceObject, Hashable {
    public init() {}
    public init(object: JSONObject) throws(JSONMemberError) {}
    public var object: JSONObject { JSONObject() }
}

/// Ends a sign-in that wanted a second factor.
public struct ResolveSecondFactorParameters: MethodParameters, Hashable {
    public typealias Reply = ResolveSecondFactorReply
    public static let method = Method.resolveSecondFactor

    public var resolver: String
    public var uid: String
    public var verificationCode: String

    public init(resolver: String, uid: String, verificationCode: String) {
        self.resolver = resolver
        self.uid = uid
        self.verificationCode = verificationCode
    }
}

extension ResolveSecondFactorParameters {
    public init(object: JSONObject) throws(JSONMemberError) {
        try object.allowOnly(["resolver", "uid", "verificationCode"])
        resolver = try object.required("resolver")
        uid = try object.required("uid")
        verificationCode = try object.required("verificationCode")
    }

    public var object: JSONObject {
        var object = JSONObject()
        object.set("resolver", resolver)
        object.set("uid", uid)
        object.set("verificationCode", verificationCode)
        return object
    }
}

public struct ResolveSecondFactorReply: InterfaceObject, Hashable {
    public var result: AuthResult

    public init(result: AuthResult) {
        self.result = result
    }
}

extension ResolveSecondFactorReply {
    public init(object: JSONObject) throws(JSONMemberError) {
        result = try object.required("result")
    }

    public var object: JSONObject {
        var object = JSONObject()
        object.set("result", result)
        return object
    }
}

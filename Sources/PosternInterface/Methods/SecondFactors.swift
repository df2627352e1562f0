import StrictJSON

/// Begins to enrol a second factor.
extension Interface {
    public struct EnrollSecondFactor: MethodParameters, Hashable {
        public static let method = Interface.Method.enrollSecondFactor

        public var factorID: Interface.SecondFactor.FactorID
        public var phoneNumber: String?
        public var displayName: String?
        public var app: String?

        public init(factorID: Interface.SecondFactor.FactorID, phoneNumber: String? = nil, displayName: String? = nil, app: String? = nil) {
            self.factorID = factorID
            self.phoneNumber = phoneNumber
            self.displayName = displayName
            self.app = app
        }
    }
}

extension Interface.EnrollSecondFactor {
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

extension Interface.EnrollSecondFactor {
    public struct Reply: InterfaceObject, Hashable {
        public var enrollmentID: String
        public var secret: String?
        public var provisioningURI: String?

        public init(enrollmentID: String, secret: String? = nil, provisioningURI: String? = nil) {
            self.enrollmentID = enrollmentID
            self.secret = secret
            self.provisioningURI = provisioningURI
        }
    }
}

extension Interface.EnrollSecondFactor.Reply {
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
extension Interface {
    public struct ConfirmSecondFactor: MethodParameters, Hashable {
        public static let method = Interface.Method.confirmSecondFactor

        public var enrollmentID: String
        public var verificationCode: String
        public var app: String?

        public init(enrollmentID: String, verificationCode: String, app: String? = nil) {
            self.enrollmentID = enrollmentID
            self.verificationCode = verificationCode
            self.app = app
        }
    }
}

extension Interface.ConfirmSecondFactor {
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

extension Interface.ConfirmSecondFactor {
    public struct Reply: InterfaceObject, Hashable {
        public var user: Interface.User

        public init(user: Interface.User) {
            self.user = user
        }
    }
}

extension Interface.ConfirmSecondFactor.Reply {
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
extension Interface {
    public struct RemoveSecondFactor: MethodParameters, Hashable {
        public static let method = Interface.Method.removeSecondFactor

        public var uid: String
        public var app: String?

        public init(uid: String, app: String? = nil) {
            self.uid = uid
            self.app = app
        }
    }
}

extension Interface.RemoveSecondFactor {
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

extension Interface.RemoveSecondFactor {
    public struct Reply: InterfaceObject, Hashable {
        public var user: Interface.User

        public init(user: Interface.User) {
            self.user = user
        }
    }
}

extension Interface.RemoveSecondFactor.Reply {
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
extension Interface {
    public struct StartSecondFactor: MethodParameters, Hashable {
        public static let method = Interface.Method.startSecondFactor

        public var resolver: String
        public var uid: String

        public init(resolver: String, uid: String) {
            self.resolver = resolver
            self.uid = uid
        }
    }
}

extension Interface.StartSecondFactor {
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

extension Interface.StartSecondFactor {
    public struct Reply: InterfaceObject, Hashable {
        public init() {}
        public init(object: JSONObject) throws(JSONMemberError) {}
        public var object: JSONObject { JSONObject() }
    }
}

/// Ends a sign-in that wanted a second factor.
extension Interface {
    public struct ResolveSecondFactor: MethodParameters, Hashable {
        public static let method = Interface.Method.resolveSecondFactor

        public var resolver: String
        public var uid: String
        public var verificationCode: String

        public init(resolver: String, uid: String, verificationCode: String) {
            self.resolver = resolver
            self.uid = uid
            self.verificationCode = verificationCode
        }
    }
}

extension Interface.ResolveSecondFactor {
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

extension Interface.ResolveSecondFactor {
    public struct Reply: InterfaceObject, Hashable {
        public var result: Interface.AuthResult

        public init(result: Interface.AuthResult) {
            self.result = result
        }
    }
}

extension Interface.ResolveSecondFactor.Reply {
    public init(object: JSONObject) throws(JSONMemberError) {
        result = try object.required("result")
    }

    public var object: JSONObject {
        var object = JSONObject()
        object.set("result", result)
        return object
    }
}

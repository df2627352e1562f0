import StrictJSON

/// How the service is.
extension Interface {
    public struct GetStatus: MethodParameters, Hashable {
        public static let method = Interface.Method.getStatus

        public init() {}
        public init(object: JSONObject) throws(JSONMemberError) { try object.allowOnly([]) }
        public var object: JSONObject { JSONObject() }
    }
}

extension Interface.GetStatus {
    public struct Reply: InterfaceObject, Hashable {
        public var version: String
        /// RFC 3339, UTC.
        public var startedAt: String
        /// Where redirects are received.
        public var callbackURLs: [String]
        public var locked: Bool
        /// Sign-ins under way.
        public var sessions: Int
        public var users: Int
        public var credentials: Int

        public init(
            version: String, startedAt: String, callbackURLs: [String], locked: Bool, sessions: Int, users: Int, credentials: Int
        ) {
            self.version = version
            self.startedAt = startedAt
            self.callbackURLs = callbackURLs
            self.locked = locked
            self.sessions = sessions
            self.users = users
            self.credentials = credentials
        }
    }
}

extension Interface.GetStatus.Reply {
    public init(object: JSONObject) throws(JSONMemberError) {
        version = try object.required("version")
        startedAt = try object.required("startedAt")
        callbackURLs = try object.required("callbackURLs")
        locked = try object.required("locked")
        sessions = try object.required("sessions")
        users = try object.required("users")
        credentials = try object.required("credentials")
    }

    public var object: JSONObject {
        var object = JSONObject()
        object.set("version", version)
        object.set("startedAt", startedAt)
        object.set("callbackURLs", callbackURLs)
        object.set("locked", locked)
        object.set("sessions", sessions)
        object.set("users", users)
        object.set("credentials", credentials)
        return object
    }
}

/// Reads the configuration anew; on an error the old one stays in force.
extension Interface {
    public struct Reload: MethodParameters, Hashable {
        public static let method = Interface.Method.reload

        public init() {}
        public init(object: JSONObject) throws(JSONMemberError) { try object.allowOnly([]) }
        public var object: JSONObject { JSONObject() }
    }
}

extension Interface.Reload {
    public struct Reply: InterfaceObject, Hashable {
        public init() {}
        public init(object: JSONObject) throws(JSONMemberError) {}
        public var object: JSONObject { JSONObject() }
    }
}

/// Forgets the key of the store until `Unlock`.
extension Interface {
    public struct Lock: MethodParameters, Hashable {
        public static let method = Interface.Method.lock

        public init() {}
        public init(object: JSONObject) throws(JSONMemberError) { try object.allowOnly([]) }
        public var object: JSONObject { JSONObject() }
    }
}

extension Interface.Lock {
    public struct Reply: InterfaceObject, Hashable {
        public init() {}
        public init(object: JSONObject) throws(JSONMemberError) {}
        public var object: JSONObject { JSONObject() }
    }
}

/// Opens the store again.
extension Interface {
    public struct Unlock: MethodParameters, Hashable {
        public static let method = Interface.Method.unlock

        public var passphrase: String?

        public init(passphrase: String? = nil) {
            self.passphrase = passphrase
        }
    }
}

extension Interface.Unlock {
    public init(object: JSONObject) throws(JSONMemberError) {
        try object.allowOnly(["passphrase"])
        passphrase = try object.optional("passphrase")
    }

    public var object: JSONObject {
        var object = JSONObject()
        object.set("passphrase", passphrase)
        return object
    }
}

extension Interface.Unlock {
    public struct Reply: InterfaceObject, Hashable {
        public init() {}
        public init(object: JSONObject) throws(JSONMemberError) {}
        public var object: JSONObject { JSONObject() }
    }
}

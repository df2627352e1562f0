import StrictJSON

/// With `more`: what happens from now on; never a secret.
extension Interface {
    public struct Monitor: MethodParameters, Hashable {
        public static let method = Interface.Method.monitor

        public init() {}
        public init(object: JSONObject) throws(JSONMemberError) { try object.allowOnly([]) }
        public var object: JSONObject { JSONObject() }
    }
}

extension Interface.Monitor {
    public struct Reply: InterfaceObject, Hashable {
        /// RFC 3339, UTC.
        public var time: String
        /// A short word for what happened.
        public var kind: String
        public var sessionID: String?
        public var providerID: String?
        public var uid: String?
        public var app: String?
        /// A sentence for a person.
        public var message: String

        public init(
            time: String, kind: String, sessionID: String? = nil, providerID: String? = nil, uid: String? = nil, app: String? = nil,
            message: String
        ) {
            self.time = time
            self.kind = kind
            self.sessionID = sessionID
            self.providerID = providerID
            self.uid = uid
            self.app = app
            self.message = message
        }
    }
}

extension Interface.Monitor.Reply {
    public init(object: JSONObject) throws(JSONMemberError) {
        time = try object.required("time")
        kind = try object.required("kind")
        sessionID = try object.optional("sessionID")
        providerID = try object.optional("providerID")
        uid = try object.optional("uid")
        app = try object.optional("app")
        message = try object.required("message")
    }

    public var object: JSONObject {
        var object = JSONObject()
        object.set("time", time)
        object.set("kind", kind)
        object.set("sessionID", sessionID)
        object.set("providerID", providerID)
        object.set("uid", uid)
        object.set("app", app)
        object.set("message", message)
        return object
    }
}

import StrictJSON

/// A sign-in under way, or just over.
extension Interface {
    public struct Session: InterfaceObject, Hashable {
        public enum State: String, JSONConvertible, CaseIterable {
            case authorizationPending, exchanging, completed, failed
        }

        public var sessionID: String
        public var providerID: String
        /// The program that asked, by the name it gave itself.
        public var app: String
        public var intent: Intent
        public var state: State
        /// RFC 3339, UTC.
        public var startedAt: String
        /// RFC 3339, UTC.
        public var expiresAt: String

        public init(
            sessionID: String, providerID: String, app: String, intent: Intent, state: State, startedAt: String, expiresAt: String
        ) {
            self.sessionID = sessionID
            self.providerID = providerID
            self.app = app
            self.intent = intent
            self.state = state
            self.startedAt = startedAt
            self.expiresAt = expiresAt
        }
    }
}

extension Interface.Session {
    public init(object: JSONObject) throws(JSONMemberError) {
        sessionID = try object.required("sessionID")
        providerID = try object.required("providerID")
        app = try object.required("app")
        intent = try object.required("intent")
        state = try object.required("state")
        startedAt = try object.required("startedAt")
        expiresAt = try object.required("expiresAt")
    }

    public var object: JSONObject {
        var object = JSONObject()
        object.set("sessionID", sessionID)
        object.set("providerID", providerID)
        object.set("app", app)
        object.set("intent", intent)
        object.set("state", state)
        object.set("startedAt", startedAt)
        object.set("expiresAt", expiresAt)
        return object
    }
}

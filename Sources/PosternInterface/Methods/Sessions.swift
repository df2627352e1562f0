import StrictJSON

/// The sign-ins under way and those whose result waits.
extension Interface {
    public struct ListSessions: MethodParameters, Hashable {
        public static let method = Interface.Method.listSessions

        public init() {}
        public init(object: JSONObject) throws(JSONMemberError) { try object.allowOnly([]) }
        public var object: JSONObject { JSONObject() }
    }
}

extension Interface.ListSessions {
    public struct Reply: InterfaceObject, Hashable {
        public var sessions: [Interface.Session]

        public init(sessions: [Interface.Session]) {
            self.sessions = sessions
        }
    }
}

extension Interface.ListSessions.Reply {
    public init(object: JSONObject) throws(JSONMemberError) {
        sessions = try object.required("sessions")
    }

    public var object: JSONObject {
        var object = JSONObject()
        object.set("sessions", sessions)
        return object
    }
}

/// Takes up a sign-in again; replies as `SignIn` does.
extension Interface {
    public struct AttachSession: MethodParameters, Hashable {
        public static let method = Interface.Method.attachSession

        public var sessionID: String

        public init(sessionID: String) {
            self.sessionID = sessionID
        }
    }
}

extension Interface.AttachSession {
    public init(object: JSONObject) throws(JSONMemberError) {
        try object.allowOnly(["sessionID"])
        sessionID = try object.required("sessionID")
    }

    public var object: JSONObject {
        var object = JSONObject()
        object.set("sessionID", sessionID)
        return object
    }
}

extension Interface.AttachSession {
    public struct Reply: InterfaceObject, Hashable {
        public var event: Interface.SignInEvent

        public init(event: Interface.SignInEvent) {
            self.event = event
        }
    }
}

extension Interface.AttachSession.Reply {
    public init(object: JSONObject) throws(JSONMemberError) {
        event = try object.required("event")
    }

    public var object: JSONObject {
        var object = JSONObject()
        object.set("event", event)
        return object
    }
}

/// Ends a sign-in for everybody who waits for it.
extension Interface {
    public struct CancelSession: MethodParameters, Hashable {
        public static let method = Interface.Method.cancelSession

        public var sessionID: String

        public init(sessionID: String) {
            self.sessionID = sessionID
        }
    }
}

extension Interface.CancelSession {
    public init(object: JSONObject) throws(JSONMemberError) {
        try object.allowOnly(["sessionID"])
        sessionID = try object.required("sessionID")
    }

    public var object: JSONObject {
        var object = JSONObject()
        object.set("sessionID", sessionID)
        return object
    }
}

extension Interface.CancelSession {
    public struct Reply: InterfaceObject, Hashable {
        public init() {}
        public init(object: JSONObject) throws(JSONMemberError) {}
        public var object: JSONObject { JSONObject() }
    }
}

/// Hands over a redirect that came by another way than HTTP.
extension Interface {
    public struct DeliverRedirect: MethodParameters, Hashable {
        public static let method = Interface.Method.deliverRedirect

        public var url: String

        public init(url: String) {
            self.url = url
        }
    }
}

extension Interface.DeliverRedirect {
    public init(object: JSONObject) throws(JSONMemberError) {
        try object.allowOnly(["url"])
        url = try object.required("url")
    }

    public var object: JSONObject {
        var object = JSONObject()
        object.set("url", url)
        return object
    }
}

extension Interface.DeliverRedirect {
    public struct Reply: InterfaceObject, Hashable {
        public var sessionID: String

        public init(sessionID: String) {
            self.sessionID = sessionID
        }
    }
}

extension Interface.DeliverRedirect.Reply {
    public init(object: JSONObject) throws(JSONMemberError) {
        sessionID = try object.required("sessionID")
    }

    public var object: JSONObject {
        var object = JSONObject()
        object.set("sessionID", sessionID)
        return object
    }
}

import StrictJSON

/// The sign-ins under way and those whose result waits.
public struct ListSessionsParameters: MethodParameters, Hashable {
    public typealias Reply = ListSessionsReply
    public static let method = Method.listSessions

    public init() {}
    public init(object: JSONObject) throws(JSONMemberError) { try object.allowOnly([]) }
    public var object: JSONObject { JSONObject() }
}

public struct ListSessionsReply: InterfaceObject, Hashable {
    public var sessions: [Session]

    public init(sessions: [Session]) {
        self.sessions = sessions
    }
}

extension ListSessionsReply {
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
public struct AttachSessionParameters: MethodParameters, Hashable {
    public typealias Reply = AttachSessionReply
    public static let method = Method.attachSession

    public var sessionID: String

    public init(sessionID: String) {
        self.sessionID = sessionID
    }
}

extension AttachSessionParameters {
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

public struct AttachSessionReply: InterfaceObject, Hashable {
    public var event: SignInEvent

    public init(event: SignInEvent) {
        self.event = event
    }
}

extension AttachSessionReply {
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
public struct CancelSessionParameters: MethodParameters, Hashable {
    public typealias Reply = CancelSessionReply
    public static let method = Method.cancelSession

    public var sessionID: String

    public init(sessionID: String) {
        self.sessionID = sessionID
    }
}

extension CancelSessionParameters {
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

public struct CancelSessionReply: InterfaceObject, Hashable {
    public init() {}
    public init(object: JSONObject) throws(JSONMemberError) {}
    public var object: JSONObject { JSONObject() }
}

/// Hands over a redirect that came by another way than HTTP.
public struct DeliverRedirectParameters: MethodParameters, Hashable {
    public typealias Reply = DeliverRedirectReply
    public static let method = Method.deliverRedirect

    public var url: String

    public init(url: String) {
        self.url = url
    }
}

extension DeliverRedirectParameters {
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

public struct DeliverRedirectReply: InterfaceObject, Hashable {
    public var sessionID: String

    public init(sessionID: String) {
        self.sessionID = sessionID
    }
}

extension DeliverRedirectReply {
    public init(object: JSONObject) throws(JSONMemberError) {
        sessionID = try object.required("sessionID")
    }

    public var object: JSONObject {
        var object = JSONObject()
        object.set("sessionID", sessionID)
        return object
    }
}

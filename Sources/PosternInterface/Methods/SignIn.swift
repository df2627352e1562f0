import StrictJSON

/// Signs a person in through a provider. With `more` an event at every change, the last one `completed`.
public struct SignInParameters: MethodParameters, Hashable {
    public typealias Reply = SignInReply
    public static let method = Method.signIn

    public var providerID: String
    /// `signIn` where not given.
    public var intent: Intent?
    /// `default` where not given.
    public var app: String?
    public var scopes: [String]?
    /// Sent with the authorization request; names that the protocol uses are refused.
    public var customParameters: [String: String]?
    /// The account that the program would like: an address or a name.
    public var loginHint: String?
    public var flow: SignInFlow?
    /// `daemon` where not given; `client` needs `more`.
    public var presentation: Presentation?
    /// 1 to 3600; 600 where not given.
    public var timeoutSeconds: Int?

    public init(
        providerID: String, intent: Intent? = nil, app: String? = nil, scopes: [String]? = nil,
        customParameters: [String: String]? = nil, loginHint: String? = nil, flow: SignInFlow? = nil,
        presentation: Presentation? = nil, timeoutSeconds: Int? = nil
    ) {
        self.providerID = providerID
        self.intent = intent
        self.app = app
        self.scopes = scopes
        self.customParameters = customParameters
        self.loginHint = loginHint
        self.flow = flow
        self.presentation = presentation
        self.timeoutSeconds = timeoutSeconds
    }
}

extension SignInParameters {
    public init(object: JSONObject) throws(JSONMemberError) {
        try object.allowOnly([
            "providerID", "intent", "app", "scopes", "customParameters", "loginHint", "flow", "presentation", "timeoutSeconds",
        ])
        providerID = try object.required("providerID")
        intent = try object.optional("intent")
        app = try object.optional("app")
        scopes = try object.optional("scopes")
        customParameters = try object.optional("customParameters")
        loginHint = try object.optional("loginHint")
        flow = try object.optional("flow")
        presentation = try object.optional("presentation")
        timeoutSeconds = try object.optional("timeoutSeconds")
    }

    public var object: JSONObject {
        var object = JSONObject()
        object.set("providerID", providerID)
        object.set("intent", intent)
        object.set("app", app)
        object.set("scopes", scopes)
        object.set("customParameters", customParameters)
        object.set("loginHint", loginHint)
        object.set("flow", flow)
        object.set("presentation", presentation)
        object.set("timeoutSeconds", timeoutSeconds)
        return object
    }
}

public struct SignInReply: InterfaceObject, Hashable {
    public var event: SignInEvent

    public init(event: SignInEvent) {
        self.event = event
    }
}

extension SignInReply {
    public init(object: JSONObject) throws(JSONMemberError) {
        event = try object.required("event")
    }

    public var object: JSONObject {
        var object = JSONObject()
        object.set("event", event)
        return object
    }
}

import StrictJSON

/// Signs a person in through a provider. With `more` an event at every change, the last one `completed`.
extension Interface {
    public struct SignIn: MethodParameters, Hashable {
        public static let method = Interface.Method.signIn

        public var providerID: String
        /// `signIn` where not given.
        public var intent: Interface.Intent?
        /// `default` where not given.
        public var app: String?
        public var scopes: [String]?
        /// Sent with the authorization request; names that the protocol uses are refused.
        public var customParameters: [String: String]?
        /// The account that the program would like: an address or a name.
        public var loginHint: String?
        public var flow: Interface.Provider.Flow?
        /// `daemon` where not given; `client` needs `more`.
        public var presentation: Interface.SignIn.Presentation?
        /// 1 to 3600; 600 where not given.
        public var timeoutSeconds: Int?

        public init(
            providerID: String, intent: Interface.Intent? = nil, app: String? = nil, scopes: [String]? = nil,
            customParameters: [String: String]? = nil, loginHint: String? = nil, flow: Interface.Provider.Flow? = nil,
            presentation: Interface.SignIn.Presentation? = nil, timeoutSeconds: Int? = nil
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
}

extension Interface.SignIn {
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

extension Interface.SignIn {
    public struct Reply: InterfaceObject, Hashable {
        public var event: Interface.SignInEvent

        public init(event: Interface.SignInEvent) {
            self.event = event
        }
    }
}

extension Interface.SignIn.Reply {
    public init(object: JSONObject) throws(JSONMemberError) {
        event = try object.required("event")
    }

    public var object: JSONObject {
        var object = JSONObject()
        object.set("event", event)
        return object
    }
}

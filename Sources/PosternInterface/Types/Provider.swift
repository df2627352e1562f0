import StrictJSON

/// A provider that this daemon knows, and whether it can be used.
extension Interface {
    public struct Provider: InterfaceObject, Hashable {
        /// The protocol that it speaks, or the kind of user that needs none.
        public enum Kind: String, JSONConvertible, CaseIterable {
            case oauth1, oauth2, oidc, password, anonymous
        }

        /// The name by which programs ask for it: `github.com`.
        public var providerID: String
        public var displayName: String
        public var kind: Kind
        public var flows: [Interface.Provider.Flow]
        /// Asked for where a sign-in names none.
        public var scopes: [String]
        /// What to register at the provider as the authorization callback URL.
        public var redirectURI: String?
        /// False while the client ID or secret it needs is missing; ``problem`` says which.
        public var configured: Bool
        public var problem: String?

        public init(
            providerID: String, displayName: String, kind: Kind, flows: [Interface.Provider.Flow], scopes: [String],
            redirectURI: String? = nil,
            configured: Bool, problem: String? = nil
        ) {
            self.providerID = providerID
            self.displayName = displayName
            self.kind = kind
            self.flows = flows
            self.scopes = scopes
            self.redirectURI = redirectURI
            self.configured = configured
            self.problem = problem
        }
    }
}

extension Interface.Provider {
    public init(object: JSONObject) throws(JSONMemberError) {
        providerID = try object.required("providerID")
        displayName = try object.required("displayName")
        kind = try object.required("kind")
        flows = try object.required("flows")
        scopes = try object.required("scopes")
        redirectURI = try object.optional("redirectURI")
        configured = try object.required("configured")
        problem = try object.optional("problem")
    }

    public var object: JSONObject {
        var object = JSONObject()
        object.set("providerID", providerID)
        object.set("displayName", displayName)
        object.set("kind", kind)
        object.set("flows", flows)
        object.set("scopes", scopes)
        object.set("redirectURI", redirectURI)
        object.set("configured", configured)
        object.set("problem", problem)
        return object
    }
}

/// How a person comes to the provider: a redirect in a browser, or a code typed elsewhere (RFC 8628).
extension Interface.Provider {
    public enum Flow: String, JSONConvertible, CaseIterable {
        case browser, device
    }
}

import StrictJSON

/// All providers that the daemon knows.
extension Interface {
    public struct ListProviders: MethodParameters, Hashable {
        public static let method = Interface.Method.listProviders

        public init() {}
        public init(object: JSONObject) throws(JSONMemberError) { try object.allowOnly([]) }
        public var object: JSONObject { JSONObject() }
    }
}

extension Interface.ListProviders {
    public struct Reply: InterfaceObject, Hashable {
        public var providers: [Interface.Provider]

        public init(providers: [Interface.Provider]) {
            self.providers = providers
        }
    }
}

extension Interface.ListProviders.Reply {
    public init(object: JSONObject) throws(JSONMemberError) {
        providers = try object.required("providers")
    }

    public var object: JSONObject {
        var object = JSONObject()
        object.set("providers", providers)
        return object
    }
}

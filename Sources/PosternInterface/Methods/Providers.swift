import StrictJSON

/// All providers that the daemon knows.
public struct ListProvidersParameters: MethodParameters, Hashable {
    public typealias Reply = ListProvidersReply
    public static let method = Method.listProviders

    public init() {}
    public init(object: JSONObject) throws(JSONMemberError) { try object.allowOnly([]) }
    public var object: JSONObject { JSONObject() }
}

public struct ListProvidersReply: InterfaceObject, Hashable {
    public var providers: [Provider]

    public init(providers: [Provider]) {
        self.providers = providers
    }
}

extension ListProvidersReply {
    public init(object: JSONObject) throws(JSONMemberError) {
        providers = try object.required("providers")
    }

    public var object: JSONObject {
        var object = JSONObject()
        object.set("providers", providers)
        return object
    }
}

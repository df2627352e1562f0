import StrictJSON
import Varlink

/// `org.varlink.service`: what every service says of itself.
struct StandardInterface: Sendable {
    static let name = "org.varlink.service"

    private let info: JSONObject
    private let descriptions: [String: String]

    init(info: VarlinkServiceInfo, interfaces: [(name: String, description: String)]) {
        self.info = [
            "vendor": .string(info.vendor), "product": .string(info.product), "version": .string(info.version), "url": .string(info.url),
            "interfaces": .array([.string(Self.name)] + interfaces.map { .string($0.name) }),
        ]
        descriptions = Dictionary(interfaces.map { ($0.name, $0.description) }, uniquingKeysWith: { $1 })
            .merging([Self.name: Self.description], uniquingKeysWith: { $1 })
    }

    func hasInterface(_ name: String) -> Bool { descriptions[name] != nil }

    func answer(_ call: VarlinkCall, _ reply: VarlinkReplyHandle) {
        do throws(JSONMemberError) {
            switch call.method {
            case "org.varlink.service.GetInfo":
                try call.parameters.allowOnly([])
                reply.send(info)
            case "org.varlink.service.GetInterfaceDescription":
                try call.parameters.allowOnly(["interface"])
                let name: String = try call.parameters.required("interface")
                guard let description = descriptions[name] else { return reply.fail(.interfaceNotFound(name)) }
                reply.send(["description": .string(description)])
            default:
                reply.fail(.methodNotFound(call.method))
            }
        } catch {
            reply.fail(.invalidParameter(error.path))
        }
    }

    static let description = """
        # The Varlink Service Interface is provided by every varlink service. It
        # describes the service and the interfaces it implements.
        interface org.varlink.service

        # Get a list of all the interfaces a service provides and information
        # about the implementation.
        method GetInfo() -> (
          vendor: string,
          product: string,
          version: string,
          url: string,
          interfaces: []string
        )

        # Get the description of an interface that is implemented by this service.
        method GetInterfaceDescription(interface: string) -> (description: string)

        # The requested interface was not found.
        error InterfaceNotFound (interface: string)

        # The requested method was not found
        error MethodNotFound (method: string)

        # The interface defines the requested method, but the service does not
        # implement it.
        error MethodNotImplemented (method: string)

        # One of the passed parameters is invalid.
        error InvalidParameter (parameter: string)

        # Client is denied access
        error PermissionDenied ()

        # Method is expected to be called with 'more' set to true, but wasn't
        error ExpectedMore ()

        """
}

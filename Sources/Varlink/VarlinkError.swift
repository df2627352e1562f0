import StrictJSON

/// An error reply: a name and its parameters.
public struct VarlinkError: Error, Sendable, Hashable {
    public var name: String
    public var parameters: JSONObject

    public init(name: String, parameters: JSONObject = JSONObject()) {
        self.name = name
        self.parameters = parameters
    }
}

/// The errors of `org.varlink.service`, which every service answers.
extension VarlinkError {
    public static func interfaceNotFound(_ interface: String) -> VarlinkError {
        VarlinkError(name: "org.varlink.service.InterfaceNotFound", parameters: ["interface": .string(interface)])
    }

    public static func methodNotFound(_ method: String) -> VarlinkError {
        VarlinkError(name: "org.varlink.service.MethodNotFound", parameters: ["method": .string(method)])
    }

    public static func methodNotImplemented(_ method: String) -> VarlinkError {
        VarlinkError(name: "org.varlink.service.MethodNotImplemented", parameters: ["method": .string(method)])
    }

    public static func invalidParameter(_ parameter: String) -> VarlinkError {
        VarlinkError(name: "org.varlink.service.InvalidParameter", parameters: ["parameter": .string(parameter)])
    }

    public static let permissionDenied = VarlinkError(name: "org.varlink.service.PermissionDenied")
    public static let expectedMore = VarlinkError(name: "org.varlink.service.ExpectedMore")
}

extension VarlinkError: CustomStringConvertible {
    /// The name, and the parameters that name something; other parameters may hold secrets.
    public var description: String {
        for key in ["message", "parameter", "method", "interface"] {
            if let text = parameters[key]?.stringValue { return "\(name): \(text)" }
        }
        return name
    }
}

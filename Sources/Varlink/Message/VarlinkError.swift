import StrictJSON

/// A service's error reply to a call.
public struct VarlinkError: Error, Sendable, Hashable, CustomStringConvertible {
    /// Interface and error, joined by a full stop.
    public var name: String
    public var parameters: JSONObject

    public init(name: String, parameters: JSONObject = [:]) {
        self.name = name
        self.parameters = parameters
    }

    /// The service's own sentence if the error has one in `message`, else one made from the name.
    public var description: String {
        if let message = parameters["message"]?.stringValue { return message }
        if let detail = parameters.members.first(where: { $0.value.stringValue != nil }), isStandard {
            return "\(name) (\(detail.key): \(detail.value.stringValue ?? ""))"
        }
        return name
    }

    private var isStandard: Bool { name.utf8.starts(with: "org.varlink.service.".utf8) }
}

/// The errors of `org.varlink.service`, which any service may return.
extension VarlinkError {
    public static func interfaceNotFound(_ interface: String) -> VarlinkError {
        VarlinkError(name: "org.varlink.service.InterfaceNotFound", parameters: ["interface": .string(interface)])
    }

    public static func methodNotFound(_ method: String) -> VarlinkError {
        VarlinkError(name: "org.varlink.service.MethodNotFound", parameters: ["method": .string(method)])
    }

    /// The interface has the method, but the service does not implement it.
    public static func methodNotImplemented(_ method: String) -> VarlinkError {
        VarlinkError(name: "org.varlink.service.MethodNotImplemented", parameters: ["method": .string(method)])
    }

    public static func invalidParameter(_ parameter: String) -> VarlinkError {
        VarlinkError(name: "org.varlink.service.InvalidParameter", parameters: ["parameter": .string(parameter)])
    }

    /// The member's path is given as the parameter; the standard error has no field for the reason.
    public static func invalidParameter(_ error: JSONMemberError) -> VarlinkError { invalidParameter(error.path) }

    public static let permissionDenied = VarlinkError(name: "org.varlink.service.PermissionDenied")

    /// The method has many replies and was called without `more`.
    public static let expectedMore = VarlinkError(name: "org.varlink.service.ExpectedMore")
}

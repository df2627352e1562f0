import StrictJSON

/// One call, as it stands in a message (varlink.org, "Method call").
public struct VarlinkCall: Sendable, Hashable {
    /// Interface and method: `io.postern.GetStatus`.
    public var method: String
    public var parameters: JSONObject
    /// The caller takes several replies.
    public var more: Bool
    /// The caller takes none.
    public var oneway: Bool

    public init(method: String, parameters: JSONObject = JSONObject(), more: Bool = false, oneway: Bool = false) {
        self.method = method
        self.parameters = parameters
        self.more = more
        self.oneway = oneway
    }

    /// - Throws: ``VarlinkError/invalidParameter(_:)`` with the name of the member that is missing, unknown or of another type.
    public init(message: JSONObject) throws(VarlinkError) {
        do throws(JSONMemberError) {
            try message.allowOnly(["method", "parameters", "more", "oneway"])
            method = try message.required("method")
            parameters = try message.optional("parameters") ?? JSONObject()
            more = try message.optional("more") ?? false
            oneway = try message.optional("oneway") ?? false
        } catch {
            throw .invalidParameter(error.path)
        }
        guard !(more && oneway) else { throw .invalidParameter("oneway") }
    }

    public var message: JSONObject {
        var message = JSONObject()
        message["method"] = .string(method)
        if !parameters.isEmpty { message["parameters"] = .object(parameters) }
        if more { message["more"] = true }
        if oneway { message["oneway"] = true }
        return message
    }

    /// The part before the last full stop; empty where there is none.
    public var interface: String { method.lastIndex(of: ".").map { String(method[..<$0]) } ?? "" }
}

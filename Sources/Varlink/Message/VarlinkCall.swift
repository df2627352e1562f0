import StrictJSON

/// A method call, as in a message (varlink.org, "Method Call").
public struct VarlinkCall: Sendable, Hashable {
    /// Interface and method, joined by a full stop: `org.varlink.service.GetInfo`.
    public var method: String
    public var parameters: JSONObject
    /// The caller accepts any number of replies.
    public var more: Bool
    /// The caller wants no reply.
    public var oneway: Bool

    public init(method: String, parameters: JSONObject = [:], more: Bool = false, oneway: Bool = false) {
        self.method = method
        self.parameters = parameters
        self.more = more
        self.oneway = oneway
    }

    /// The part before the last full stop; empty if there is none.
    public var interface: Substring {
        method.unicodeScalars.lastIndex(of: ".").map { method[..<$0] } ?? ""
    }
}

extension VarlinkCall {
    /// Appends the message without its ending.
    public func serialize(into bytes: inout [UInt8]) {
        var message: JSONObject = ["method": .string(method)]
        if !parameters.isEmpty { message["parameters"] = .object(parameters) }
        if more { message["more"] = true }
        if oneway { message["oneway"] = true }
        message.serialize(into: &bytes)
    }
}

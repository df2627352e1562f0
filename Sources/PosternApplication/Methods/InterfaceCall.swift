import StrictJSON

/// One call of a method of the interface, as the wire brings it.
public struct InterfaceCall: Sendable {
    /// Interface and method, joined by a full stop.
    public var method: String
    public var parameters: JSONObject
    /// The caller takes any number of replies.
    public var more: Bool

    public init(method: String, parameters: JSONObject, more: Bool) {
        self.method = method
        self.parameters = parameters
        self.more = more
    }
}

/// The process that calls, as the kernel knew it when it connected. For logs and for people only.
public protocol Caller: Sendable {
    var pid: Int32 { get }
    /// The path of the program; nil where it cannot be read.
    var executable: String? { get }
    /// The systemd service or scope that the process runs in.
    var unit: String? { get }
}

/// The way back to one call. The first final reply or error counts.
@DaemonActor
public protocol InterfaceReply: AnyObject, Sendable {
    /// The caller is gone, or the call has its final reply.
    var isCancelled: Bool { get }
    func send(_ parameters: JSONObject, continues: Bool)
    func fail(_ error: CallError)
    /// Runs the closure when the caller goes away before the final reply; at once where it has already gone.
    func onCancel(_ body: @escaping @Sendable @DaemonActor () -> Void)
}

/// What a call is refused with: an error of the interface, or one that every Varlink service has.
public struct CallError: Error, Sendable, Hashable {
    /// Interface and error, joined by a full stop.
    public var name: String
    public var parameters: JSONObject

    public init(name: String, parameters: JSONObject = [:]) {
        self.name = name
        self.parameters = parameters
    }

    static func methodNotFound(_ method: String) -> CallError {
        CallError(name: "org.varlink.service.MethodNotFound", parameters: ["method": .string(method)])
    }

    static func invalidParameter(_ parameter: String) -> CallError {
        CallError(name: "org.varlink.service.InvalidParameter", parameters: ["parameter": .string(parameter)])
    }

    /// The method has many replies and was called without `more`.
    static let expectedMore = CallError(name: "org.varlink.service.ExpectedMore")
}

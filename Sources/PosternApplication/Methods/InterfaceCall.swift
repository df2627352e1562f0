import PosternInterface
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
public protocol CallingProcess: Sendable {
    var pid: Int32 { get }
    /// The path of the program; nil if it cannot be read.
    var executable: String? { get }
    /// The systemd service or scope that the process runs in.
    var unit: String? { get }
}

/// The way back to one call. The first final reply or error counts.
@DaemonActor
public protocol InterfaceReply: AnyObject, Sendable {
    /// The caller is gone, or the call has its final reply.
    var isCancelled: Bool { get }
    /// The caller wants no reply: it may go as soon as it has called, and still wants the call carried out.
    var isOneway: Bool { get }
    func send(_ reply: any JSONMembers, continues: Bool)
    func fail(_ error: InterfaceError)
    /// Runs the closure when the caller goes away before the final reply; at once where it has already gone.
    func onCancel(_ body: @escaping @Sendable @DaemonActor () -> Void)
}

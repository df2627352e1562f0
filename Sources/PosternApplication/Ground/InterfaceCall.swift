import PosternInterface
import StrictJSON

/// One call of a method of the interface, as received on the wire.
public struct InterfaceCall: Sendable {
    /// Interface and method, joined by a full stop.
    public var method: String
    public var parameters: JSONObject
    /// The caller accepts any number of replies.
    public var more: Bool

    public init(method: String, parameters: JSONObject, more: Bool) {
        self.method = method
        self.parameters = parameters
        self.more = more
    }
}

/// The calling process, as the kernel knew it when it connected. For logs and for people only.
public protocol CallingProcess: Sendable {
    var pid: Int32 { get }
    /// The program's path; nil if it cannot be read.
    var executable: String? { get }
    /// The systemd service or scope that the process runs in.
    var unit: String? { get }
}

/// Sends replies to one call. The first final reply or error counts.
@DaemonActor
public protocol InterfaceReply: AnyObject, Sendable {
    /// The caller has disconnected, or the call has its final reply.
    var isCancelled: Bool { get }
    /// The caller wants no reply: it may disconnect as soon as it has called, and the call is carried out anyway.
    var isOneway: Bool { get }
    func send(_ reply: any JSONMembers, continues: Bool)
    func fail(_ error: InterfaceError)
    /// Runs the closure when the caller disconnects before the final reply; at once if it already has.
    func onCancel(_ body: @escaping @Sendable @DaemonActor () -> Void)
}

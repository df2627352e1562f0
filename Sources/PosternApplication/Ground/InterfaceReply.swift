import PosternInterface
import StrictJSON

/// The calling process, as the kernel knew it when it connected. For logs and for people only.
public struct CallingProcess: Sendable {
    public let pid: Int32
    /// The program's path; nil if it cannot be read.
    public let executable: String?
    /// The systemd service or scope that the process runs in.
    public let unit: String?

    public init(pid: Int32, executable: String?, unit: String?) {
        self.pid = pid
        self.executable = executable
        self.unit = unit
    }
}

/// Sends replies to one call. The first final reply or error counts.
@DaemonActor
public protocol InterfaceReply: AnyObject, Sendable {
    /// Read from the system when it is first asked for: of a process that calls and exits, nothing can be read later.
    var caller: CallingProcess { get }
    /// The caller accepts any number of replies.
    var wantsMore: Bool { get }
    /// The caller wants no reply: it may disconnect as soon as it has called, and the call is carried out anyway.
    var isOneway: Bool { get }
    /// The caller has disconnected, or the call has its final reply.
    var isCancelled: Bool { get }
    /// With `continues`, others follow; only for a caller that wants more.
    func send(_ reply: some JSONMembers, continues: Bool)
    func fail(_ error: InterfaceError)
    /// Runs the closure when the caller disconnects before the final reply; at once if it already has.
    func onDisconnect(_ body: @escaping @Sendable @DaemonActor () -> Void)
}

import Glibc
import Reactor
import Varlink

/// A Unix socket on which a `VarlinkService` answers. To be used only on its loop, or before that runs.
///
/// `@unchecked Sendable`, so that it can be handed to another thread and back.
public final class VarlinkListener: @unchecked Sendable {
    public enum Endpoint: Sendable, Hashable {
        /// Creates the socket file, 0600, and a missing directory, 0700. A dead socket is replaced, a live one never.
        case path(String)
        /// A listening socket created by another process, such as systemd. Always owned by the listener: it is closed if the start fails.
        case fileDescriptor(CInt)
    }

    private let state: ListenerState
    private let acceptor: Acceptor
    private let file: SocketFile?

    /// Starts to listen.
    public init(
        _ endpoint: Endpoint, service: any VarlinkService, info: VarlinkServiceInfo, limits: VarlinkLimits = VarlinkLimits(),
        on loop: EpollLoop
    ) throws(VarlinkListenerError) {
        let socket = try ListeningSocket(endpoint)
        do throws(VarlinkListenerError) {
            let table = try ServiceTable(info: info, interfaces: service.interfaces)
            state = ListenerState(service: service, table: table, limits: limits, loop: loop)
            acceptor = try Acceptor(socket, for: state)
            file = socket.file
        } catch {
            socket.close()
            throw error
        }
    }

    /// Connections that are open or whose clients have left work behind; refused ones that linger do not count.
    public var openConnections: Int { state.connections.count.value }

    /// Runs the body when no connection is open and no client has work left behind; after ``stopListening()`` no new ones arrive.
    public func whenDrained(_ body: @escaping () -> Void) { state.connections.whenEmpty(body) }

    /// Accepts no new connections and removes the socket file if the listener created it; open connections continue.
    public func stopListening() {
        file?.remove()
        acceptor.close()
    }

    /// As ``stopListening()``, and closes all connections. Replies that have not been read are lost; unanswered calls are
    /// cancelled.
    public func close() {
        stopListening()
        state.connections.closeAll()
    }
}

/// Limits on what a listener and its clients may use.
public struct VarlinkLimits: Sendable {
    /// Bytes of one message from a client, without its ending.
    public var messageBytes = 64 << 10
    /// Simultaneous connections, including those of clients that have disconnected and left work behind. For one more, the one that has
    /// been idle longest is closed. A connection is idle if it has no call under way; if none is idle, a process with more than half of the
    /// places loses its youngest connection to one of another process; otherwise the new one gets `overload` and is closed.
    public var connections = 256
    /// Calls of one connection without a final reply; any more stay in the socket.
    public var unansweredCalls = 64
    /// Bytes of replies that wait for a client to read them when another reply is added; if there are more, the connection is closed. The
    /// last reply may be longer.
    public var unreadBytes = 1 << 20
    /// The same for all connections together, including the bytes of a reply that its client has already read; if there are more, the
    /// connection with the most is closed. 64 KiB for each of `connections`, in addition to the kernel's buffers for each: clients that
    /// read leave nothing here. Arrays grow by doubling, so the memory may be twice as much.
    public var totalUnreadBytes = 16 << 20
    /// How long a refused connection may stay half open, so that the client can finish sending and read why it was refused.
    public var lingering = Duration.seconds(2)
    /// How long calls wait while nothing is read of the replies before them. A client that reads is waited for; one that does not soon has
    /// `unreadBytes` waiting.
    public var patience = Duration.milliseconds(200)
    /// The error for a client beyond `connections` while all others are busy.
    public var overload = VarlinkError(
        name: VarlinkError.permissionDenied.name,
        parameters: ["message": "too many calls are under way; wait until one has ended, and try again"])

    public init() {}
}

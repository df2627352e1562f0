import Glibc
import Reactor
import Varlink

/// A Unix socket on which a `VarlinkService` answers. To be used on its loop alone, or before that runs.
///
/// `@unchecked Sendable`, for whoever hands it to another thread and back.
public final class VarlinkListener: @unchecked Sendable {
    public enum Endpoint: Sendable, Hashable {
        /// Makes the socket file, 0600, and a missing directory, 0700. A dead socket is replaced, a live one never.
        case path(String)
        /// A listening socket made by someone else, such as systemd. Taken over in every case: it is closed where the start fails.
        case fileDescriptor(CInt)
    }

    private let state: ListenerState
    private let acceptor: Acceptor
    private let file: SocketFile?

    /// Listens.
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

    /// Connections that are open or whose clients have left work behind; those that were refused and linger apart.
    public var openConnections: Int { state.connections.count.value }

    /// Runs the body when no connection is open and no client has work left behind; after ``stopListening()`` none comes any more.
    public func whenDrained(_ body: @escaping () -> Void) { state.connections.whenEmpty(body) }

    /// Takes no new connection and removes the socket file where the listener made it; connections that are open go on.
    public func stopListening() {
        file?.remove()
        acceptor.close()
    }

    /// As ``stopListening()``, and closes all connections. What has been replied but not been read is lost; calls without a reply
    /// are cancelled.
    public func close() {
        stopListening()
        state.connections.closeAll()
    }
}

/// What one listener and one client may take up.
public struct VarlinkLimits: Sendable {
    /// Bytes of one message from a client, its ending apart.
    public var messageBytes = 64 << 10
    /// Connections at once, those of clients that have gone and left work behind among them. For one more, the one that has been idle
    /// longest is closed. Idle is a connection without a call under way; where there is none, the new one is told `overload` and closed.
    public var connections = 256
    /// Calls of one connection without a final reply; then its bytes stay in the socket.
    public var unansweredCalls = 64
    /// Bytes of replies that wait for a client to read them; one more, and it is closed.
    public var unreadBytes = 1 << 20
    /// The same for all connections together, those bytes of a reply included that its client has read; one more, and the connection
    /// that holds most is closed. 64 KiB for each of `connections`, on top of what the kernel takes for each: clients that read leave
    /// nothing here. Arrays grow by doubling, so the memory may be twice as much.
    public var totalUnreadBytes = 16 << 20
    /// How long a connection that was refused may stay half open, so that the client can still send what it is
    /// sending and read why it was refused.
    public var lingering = Duration.seconds(2)
    /// How long calls wait when the replies before them are not being read. A client that reads catches up within
    /// this; one that does not soon has `unreadBytes` waiting.
    public var patience = Duration.milliseconds(200)
    /// What a client beyond `connections` is told while all others are busy.
    public var overload = VarlinkError(
        name: VarlinkError.permissionDenied.name,
        parameters: ["message": "too many calls are under way; wait until one has ended, and try again"])

    public init() {}
}

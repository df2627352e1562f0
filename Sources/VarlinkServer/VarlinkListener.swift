import ConnectionAdmission
import Glibc
import NIOCore
import NIOPosix
import Varlink

/// A Unix socket on which a `VarlinkService` answers.
public final class VarlinkListener: Sendable {
    public enum Endpoint: Sendable, Hashable {
        /// Makes the socket file, 0600, and a missing directory, 0700. A dead socket is replaced, a live one never.
        case path(String)
        /// A listening socket made by someone else, such as systemd. Taken over in every case: it is closed where the start fails.
        case fileDescriptor(CInt)
    }

    private let state: ListenerState
    private let channel: any Channel
    private let file: SocketFile?

    private init(state: ListenerState, channel: any Channel, file: SocketFile?) {
        self.state = state
        self.channel = channel
        self.file = file
    }

    /// Listens. Calls that come are handled on the event loop, which must be one of `NIOPosix`.
    ///
    /// - Returns: fails with `VarlinkListenerError`.
    public static func start(
        _ endpoint: Endpoint,
        service: any VarlinkService,
        info: VarlinkServiceInfo,
        limits: VarlinkLimits = VarlinkLimits(),
        on eventLoop: any EventLoop
    ) -> EventLoopFuture<VarlinkListener> {
        eventLoop.flatSubmit {
            do throws(VarlinkListenerError) {
                let socket = try ListeningSocket(endpoint)
                do throws(VarlinkListenerError) {
                    let table = try ServiceTable(info: info, interfaces: service.interfaces)
                    let state = ListenerState(service: service, table: table, limits: limits, eventLoop: eventLoop)
                    return serve(socket, state, on: eventLoop)
                } catch {
                    socket.close()
                    throw error
                }
            } catch { return eventLoop.makeFailedFuture(error) }
        }
    }

    private static func serve(
        _ socket: ListeningSocket, _ state: ListenerState, on eventLoop: any EventLoop
    ) -> EventLoopFuture<VarlinkListener> {
        let channel = ServerBootstrap(group: eventLoop)
            .serverChannelOption(.maxMessagesPerRead, value: 16)
            .serverChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandlers(AcceptPressure.handlers(for: state.connections))
                }
            }
            .childChannelInitializer { channel in state.accepted(channel) }
            .withBoundSocket(socket.descriptor)
        // NIO has listened once more with a backlog of its own, 128 whatever its option says; this sets ours again, before a burst of
        // clients finds it. Also on a socket that was passed: the kernel does not tell a Unix socket's backlog, and ours is more than all
        // connections together. Where NIO did not take the descriptor, it fails, and the error is told below.
        _ = listen(socket.descriptor, SocketFile.backlog)
        return
            channel
            .map { channel in VarlinkListener(state: state, channel: channel, file: socket.file) }
            .flatMapErrorThrowing { error in
                // The descriptor is NIO's by now, and closed.
                socket.file?.remove()
                let code = (error as? IOError)?.errnoCode ?? EINVAL
                throw VarlinkListenerError.system(call: "listen on", path: socket.file?.path ?? "the socket passed in", errno: code)
            }
    }

    /// Connections that are open or whose clients have left work behind; those that were refused and linger apart. To be read on the
    /// event loop.
    public var openConnections: Int { state.connections.count }

    /// Completes when the listener no longer listens, by `close()` or because the socket failed.
    public var closed: EventLoopFuture<Void> { channel.closeFuture }

    /// Completes when no connection is open and no client has work left behind; after ``stopListening()`` none comes any more.
    public func drained() -> EventLoopFuture<Void> {
        channel.eventLoop.flatSubmit { [channel, state] in
            let promise = channel.eventLoop.makePromise(of: Void.self)
            state.connections.whenEmpty(promise)
            return promise.futureResult
        }
    }

    /// Takes no new connection and removes the socket file where the listener made it; connections that are open go on.
    @discardableResult
    public func stopListening() -> EventLoopFuture<Void> {
        channel.eventLoop.flatSubmit { [channel, file] in
            file?.remove()
            // A channel that is closed already is what was asked for.
            return channel.close().flatMapError { _ in channel.eventLoop.makeSucceededVoidFuture() }
        }
    }

    /// As ``stopListening()``, and closes all connections. What has been replied but not been read is lost; calls without a reply
    /// are cancelled.
    @discardableResult
    public func close() -> EventLoopFuture<Void> {
        stopListening().map { [state] in state.connections.closeAll() }
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
    /// How long a connection that was refused may stay half open, so that the client can still send what it is
    /// sending and read why it was refused.
    public var lingering = TimeAmount.seconds(2)
    /// How long calls wait when the replies before them are not being read. A client that reads catches up within
    /// this; one that does not soon has `unreadBytes` waiting.
    public var patience = TimeAmount.milliseconds(200)
    /// What a client beyond `connections` is told while all others are busy.
    public var overload = VarlinkError(
        name: VarlinkError.permissionDenied.name,
        parameters: ["message": "too many calls are under way; wait until one has ended, and try again"])

    public init() {}
}

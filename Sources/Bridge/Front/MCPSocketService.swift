import LoopbackHTTP
import NIOCore
import NIOPosix
import PosternClient

/// `postern-mcp serve`: the MCP socket, until nobody has used it for a while.
public final class MCPSocketService: Sendable {
    private let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    private let front: NIOLoopBoundBox<(server: FrontServer, idle: IdleEnd?)?>
    private let ended: @Sendable () -> Void

    /// Makes a socket, for this user alone. Its file stays when the service ends; the next one replaces it.
    public static func makeSocket(at path: String) throws -> [Int32] { try LoopbackSocket.bind([.unix(path: path)]).map(\.descriptor) }

    /// Starts a thread.
    ///
    /// - Parameter ended: called on that thread once it is stopped, or nobody has used it for a while.
    public init(ended: @escaping @Sendable () -> Void) {
        self.ended = ended
        front = .makeBoxSendingValue(nil, eventLoop: group.next())
    }

    /// Serves these sockets.
    ///
    /// - Parameters:
    ///   - descriptors: listening Unix sockets.
    ///   - idle: it ends after so many seconds without a connection and a request; nil: it stays.
    ///   - daemon: the daemon's socket; nil for the usual one.
    public func start(_ descriptors: [Int32], idle: Int64?, daemon: String?) throws {
        let eventLoop = group.next()
        try eventLoop.flatSubmit { [self] in
            let link = DaemonLink(socketPath: daemon ?? SocketPath.current, eventLoop: eventLoop)
            let server = FrontServer(
                policy: MCPSocketPolicy(names: DaemonServerNames(link), eventLoop: eventLoop),
                upstream: DaemonUpstream(link, eventLoop: eventLoop), eventLoop: eventLoop)
            server.tell = ErrorOutput().tell
            let idleEnd = idle.map { seconds in
                IdleEnd(after: .seconds(seconds), on: eventLoop, isUsed: { [unowned server] in server.isUsed }) { self.stopNow() }
            }
            server.wasUsed = { [weak idleEnd] in idleEnd?.used() }
            front.value = (server, idleEnd)
            return server.listen(at: descriptors.map { .unixDescriptor($0) }).map { _ in () }
        }.wait()
    }

    /// Stops listening, and cuts what is under way. From any thread.
    public func stop() { group.next().execute { self.stopNow() } }

    private func stopNow() {
        guard let (server, _) = front.value else { return }
        front.value = nil
        // The socket of a service manager stays with it: it starts this service again for the next connection.
        server.close().assumeIsolated().whenComplete { [ended] _ in
            // It lives until nothing calls it any more.
            withExtendedLifetime(server) { ended() }
        }
    }
}

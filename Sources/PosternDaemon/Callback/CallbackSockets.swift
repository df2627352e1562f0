import CallbackServer
import Glibc
import LoopbackHTTP
import NIOCore
import PosternApplication
import PosternCrypto
import Reactor

/// The callback listener's sockets. Connections wait in their queues until the server runs, and the first one starts it: on most days
/// nobody connects.
@DaemonActor
final class CallbackSockets: ReadinessHandler {
    private enum State {
        /// Each is watched for connections. `pause` is set while none is, because the server could not be started.
        case waiting([(socket: LoopbackSocket, watch: EpollLoop.Watch)], pause: (any PendingTimer)?)
        case serving(EventLoopFuture<CallbackServer>, CallbackServer?)
        case closed
    }

    /// Between two attempts to start the server. Short, since a person may be waiting; long enough to cause no load.
    private static let pause: Int64 = 100

    private let delegate: any CallbackDelegate
    private let events: EventLog
    /// For new connections; nil while the configuration cannot be used, and then every page reports just that.
    private var settings: CallbackSettings?
    private var state = State.waiting([], pause: nil)
    /// The addresses of the sockets, in the order in which they were bound.
    private(set) var addresses: [SocketAddress] = []

    init(delegate: any CallbackDelegate, events: EventLog) {
        self.delegate = delegate
        self.events = events
    }

    // MARK: Addresses

    /// Binds every target, or none.
    func listen(at targets: [BindTarget]) async throws(HTTPListenerError) -> [SocketAddress] {
        let sockets = try LoopbackSocket.bind(targets)
        switch state {
        case .waiting(let waiting, let pause): try wait(at: sockets, beside: waiting, pause)
        case .serving(let server, _): try await serve(sockets, by: server)
        case .closed: for socket in sockets { socket.close() }
        }
        let bound = sockets.map(\.address)
        addresses += bound
        return bound
    }

    private func serve(_ sockets: [LoopbackSocket], by server: EventLoopFuture<CallbackServer>) async throws(HTTPListenerError) {
        let targets = sockets.map { BindTarget.fileDescriptor($0.descriptor) }
        let listening = server.flatMapErrorThrowing { error in
            // It did not start, so it owns none of them.
            for socket in sockets { socket.close() }
            throw error
        }.flatMap { $0.listen(at: targets) }
        _ = try await listening.value(orThrow: HTTPListenerError.init)
    }

    func stopListening(at ending: [SocketAddress]) async {
        addresses.removeAll { ending.contains($0) }
        switch state {
        case .waiting(let waiting, let pause):
            for place in waiting where ending.contains(place.socket.address) { close(place) }
            state = .waiting(waiting.filter { !ending.contains($0.socket.address) }, pause: pause)
        case .serving(let server, _): _ = await server.flatMap { $0.stopListening(at: ending) }.result()
        case .closed: break
        }
    }

    /// - Throws: in that case nothing changes.
    func change(_ settings: CallbackSettings) throws(HTTPListenerError) {
        try HTTPListener.check(sameUser: settings.sameUser)
        self.settings = settings
        guard case .serving(let server, _) = state else { return }
        server.whenSuccess { server in
            // It was checked a moment ago, so it fails only if the system runs out of descriptors. Then nobody is served by the old
            // settings.
            do throws(HTTPListenerError) { try server.change(settings) } catch { server.stopListening() }
        }
    }

    // MARK: The first connection

    private func wait(
        at sockets: [LoopbackSocket], beside waiting: [(socket: LoopbackSocket, watch: EpollLoop.Watch)], _ pause: (any PendingTimer)?
    ) throws(HTTPListenerError) {
        var all = waiting
        for socket in sockets {
            guard let watch = DaemonLoop.loop.watch(socket.descriptor, for: pause == nil ? .readable : [], self) else {
                let code = errno
                for place in all.dropFirst(waiting.count) { close(place) }
                for socket in sockets.dropFirst(all.count - waiting.count) { socket.close() }
                throw .system(operation: "waiting at \(socket.address)", errno: code)
            }
            all.append((socket, watch))
        }
        state = .waiting(all, pause: pause)
    }

    nonisolated func ready(for readiness: Readiness) {
        DaemonActor.assumeIsolated { startServer() }
    }

    private func startServer() {
        guard case .waiting(let waiting, nil) = state else { return }
        let eventLoop: any EventLoop
        do throws(NoHTTP) { eventLoop = try HTTPThread.eventLoop() } catch {
            return rest(waiting)
        }
        for place in waiting { DaemonLoop.loop.end(place.watch) }
        let settings = settings ?? CallbackSettings(sameUser: (try? HTTPListener.check(sameUser: true)) != nil)
        var limits = HTTPLimits()
        limits.connections = DescriptorShares.ofThisProcess.browsers
        let server = CallbackServer.start(
            at: waiting.map { .fileDescriptor($0.socket.descriptor) }, settings, limits: limits, delegate: delegate, eventLoop: eventLoop)
        state = .serving(server, nil)
        server.whenComplete { result in DaemonActor.start { self.started(server, result) } }
    }

    private func started(_ server: EventLoopFuture<CallbackServer>, _ result: Result<CallbackServer, any Error>) {
        // It may have been closed meanwhile.
        guard case .serving = state else { return }
        switch result {
        case .success(let started): state = .serving(server, started)
        case .failure(let error):
            // The addresses in the configuration are bound again at their next check.
            state = .waiting([], pause: nil)
            addresses = []
            events.report(.configuration, "no browser can be answered: \(HTTPListenerError(error))", level: .error)
        }
    }

    private func rest(_ waiting: [(socket: LoopbackSocket, watch: EpollLoop.Watch)]) {
        for place in waiting { DaemonLoop.loop.change(place.watch, to: []) }
        let pause = LoopTimers().after(milliseconds: Self.pause) {
            guard case .waiting(let waiting, _) = self.state else { return }
            for place in waiting { DaemonLoop.loop.change(place.watch, to: .readable) }
            self.state = .waiting(waiting, pause: nil)
        }
        state = .waiting(waiting, pause: pause)
    }

    // MARK: Ending

    /// One while the server starts: somebody has connected.
    var openConnections: Int {
        guard case .serving(_, let server) = state else { return 0 }
        return server?.openConnections ?? 1
    }

    /// Returns when no browser is connected.
    func drained() async {
        if case .serving(let server, _) = state { _ = await server.flatMap { $0.drained() }.result() }
    }

    func stopListening() async { await stopListening(at: addresses) }

    /// Stops listening and ends every connection.
    func close() async {
        await stopListening()
        let server: EventLoopFuture<CallbackServer>? = if case .serving(let server, _) = state { server } else { nil }
        state = .closed
        if let server { _ = await server.flatMap { $0.close() }.result() }
    }

    private func close(_ place: (socket: LoopbackSocket, watch: EpollLoop.Watch)) {
        DaemonLoop.loop.end(place.watch)
        place.socket.close()
    }
}

import ConnectionAdmission
import Glibc
import NIOCore
import NIOPosix
import PosternCrypto
import Synchronization

/// Listens on loopback addresses and passes complete requests to a responder.
///
/// Addresses can be added and removed while it runs; all of them share the limits.
public final class HTTPListener: Sendable {
    private let acceptor: NIOLoopBound<Acceptor>
    private let channels: NIOLoopBoundBox<[any Channel]>
    private let addresses = Mutex<[SocketAddress]>([])
    private let count: ConnectionCount

    /// Does not listen yet. To be called on the event loop.
    ///
    /// - Parameters:
    ///   - tls: a server's context; every connection is then encrypted.
    ///   - sameUser: closes connections whose other end belongs to a user other than this process's or root.
    ///   - eventLoop: one of a `MultiThreadedEventLoopGroup`; the whole listener runs on it.
    public convenience init(
        tls: TLSContext?, limits: HTTPLimits, sameUser: Bool, eventLoop: any EventLoop, responder: any HTTPResponder
    ) throws(HTTPListenerError) {
        self.init(
            acceptor: Acceptor(
                tls: tls, limits: limits, peerCheck: try Self.peerCheck(sameUser: sameUser), eventLoop: eventLoop, responder: responder),
            eventLoop: eventLoop)
    }

    /// As ``init(tls:limits:sameUser:eventLoop:responder:)``, for requests that are passed on as they arrive: unencrypted, and from this
    /// process's user or root alone.
    public convenience init(streams limits: HTTPLimits, eventLoop: any EventLoop, responder: any StreamResponder) {
        self.init(
            acceptor: Acceptor(
                tls: nil, limits: limits, peerCheck: PeerCheck(), eventLoop: eventLoop, service: .streams(responder)),
            eventLoop: eventLoop)
    }

    init(acceptor: Acceptor, eventLoop: any EventLoop) {
        count = acceptor.connections.count
        self.acceptor = NIOLoopBound(acceptor, eventLoop: eventLoop)
        channels = .makeBoxSendingValue([], eventLoop: eventLoop)
    }

    /// Checks that the kernel reports whose connections these are, if that matters.
    public static func check(sameUser: Bool) throws(HTTPListenerError) { _ = try peerCheck(sameUser: sameUser) }

    private static func peerCheck(sameUser: Bool) throws(HTTPListenerError) -> PeerCheck? {
        guard sameUser else { return nil }
        guard let check = PeerCheck() else { throw .peersCannotBeTold }
        return check
    }

    /// As ``init(tls:limits:sameUser:eventLoop:responder:)`` and ``listen(at:)`` in one.
    ///
    /// - Returns: fails with ``HTTPListenerError``.
    public static func start(
        addresses: [BindTarget], tls: TLSContext? = nil, limits: HTTPLimits = HTTPLimits(), sameUser: Bool,
        eventLoop: any EventLoop, responder: any HTTPResponder
    ) -> EventLoopFuture<HTTPListener> {
        eventLoop.flatSubmit {
            handOver(addresses, on: eventLoop) { () throws(HTTPListenerError) in
                let listener = try HTTPListener(tls: tls, limits: limits, sameUser: sameUser, eventLoop: eventLoop, responder: responder)
                return listener.listen(at: addresses).map { _ in listener }
            }
        }
    }

    /// Starts what is to own the sockets among the targets. If it throws, nobody owns them, and they are closed: otherwise they would keep
    /// their ports, and connections would wait there for ever.
    ///
    /// - Returns: fails with what it throws.
    public static func handOver<Owner: Sendable>(
        _ targets: [BindTarget], on eventLoop: any EventLoop, to start: () throws(HTTPListenerError) -> EventLoopFuture<Owner>
    ) -> EventLoopFuture<Owner> {
        do throws(HTTPListenerError) { return try start() } catch {
            LoopbackSocket.closePassed(targets)
            return eventLoop.makeFailedFuture(error)
        }
    }

    private var eventLoop: any EventLoop { acceptor.eventLoop }

    /// The addresses that it listens on, in the order of the targets, with the ports that the kernel assigned.
    public var localAddresses: [SocketAddress] { addresses.withLock { $0 } }

    /// Open connections.
    public var openConnections: Int { count.value }

    // MARK: Addresses

    /// Binds every target, or none, and accepts connections there once all are bound. Existing addresses are not affected.
    ///
    /// - Returns: the addresses that were bound; fails with ``HTTPListenerError``.
    public func listen(at targets: [BindTarget]) -> EventLoopFuture<[SocketAddress]> {
        eventLoop.flatSubmit { [acceptor, channels, eventLoop] in
            do throws(HTTPListenerError) {
                return try acceptor.value.bind(targets).assumeIsolated().map { bound in
                    channels.value += bound
                    self.noteAddresses()
                    for channel in bound { channel.closeFuture.assumeIsolated().whenComplete { _ in self.forget([channel]) } }
                    return bound.compactMap(\.localAddress)
                }.nonisolated()
            } catch {
                return eventLoop.makeFailedFuture(error)
            }
        }
    }

    /// Accepts no new connections at these addresses; open ones continue.
    @discardableResult
    public func stopListening(at addresses: [SocketAddress]) -> EventLoopFuture<Void> {
        eventLoop.flatSubmit { [channels, eventLoop] in
            let ending = channels.value.filter { $0.localAddress.map(addresses.contains) ?? true }
            self.forget(ending)
            // A channel that is already closed is as requested.
            return EventLoopFuture.andAllComplete(ending.map { $0.close() }, on: eventLoop)
        }
    }

    private func forget(_ ended: [any Channel]) {
        channels.value.removeAll { channel in ended.contains { $0 === channel } }
        noteAddresses()
    }

    private func noteAddresses() {
        let current = channels.value.compactMap(\.localAddress)
        addresses.withLock { $0 = current }
    }

    /// Changes the settings for connections accepted from now on. To be called on the event loop; if it throws, nothing has changed.
    public func accept(tls: TLSContext?, sameUser: Bool) throws(HTTPListenerError) {
        acceptor.value.peerCheck = try Self.peerCheck(sameUser: sameUser)
        acceptor.value.tls = tls
    }

    // MARK: Ending

    /// Completes when no connection is open; after ``stopListening()`` none is accepted.
    public func drained() -> EventLoopFuture<Void> {
        eventLoop.flatSubmit { [acceptor, eventLoop] in
            let promise = eventLoop.makePromise(of: Void.self)
            acceptor.value.connections.whenEmpty { promise.succeed() }
            return promise.futureResult
        }
    }

    /// Accepts no new connections; open ones continue.
    @discardableResult
    public func stopListening() -> EventLoopFuture<Void> {
        eventLoop.flatSubmit { self.stopListening(at: self.localAddresses) }
    }

    /// Stops listening and ends every connection.
    @discardableResult
    public func close() -> EventLoopFuture<Void> {
        eventLoop.flatSubmit { [acceptor] in
            acceptor.value.connections.closeAll()
            return self.stopListening()
        }
    }
}

/// Where to listen.
public enum BindTarget: Sendable, Hashable {
    /// A literal loopback address, `127.0.0.1` or `::1`, and a port; port 0 takes a free one, the same for all addresses of the listener.
    case address(host: String, port: Int)
    /// A listening TCP socket that a service manager passed. The listener owns it from then on, and closes it if it cannot listen.
    case fileDescriptor(Int32)
    /// A Unix socket that is made at this path, for this user alone. What is there already is an error, unless it is a socket at which nobody
    /// listens. The last part is removed by who asked for it.
    case unix(path: String)
    /// A listening Unix stream socket that a service manager passed; owned as the other one is.
    case unixDescriptor(Int32)

    var isUnix: Bool {
        switch self {
        case .address, .fileDescriptor: false
        case .unix, .unixDescriptor: true
        }
    }
}

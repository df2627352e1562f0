import LoopbackHTTP
import NIOCore

/// The loopback listener that providers redirect browsers to, with its pages.
///
/// It reads and defends; what a callback means is the delegate's to decide. It keeps its delegate until it is closed.
public final class CallbackServer: Sendable {
    private let listener: HTTPListener

    private init(listener: HTTPListener) { self.listener = listener }

    /// - Parameter eventLoop: one of a `MultiThreadedEventLoopGroup`; everything runs on it, the delegate's calls too.
    /// - Returns: fails with `HTTPListenerError`.
    public static func start(
        configuration: CallbackServerConfiguration, delegate: any CallbackDelegate, eventLoop: any EventLoop
    ) -> EventLoopFuture<CallbackServer> {
        let router = CallbackRouter(delegate: delegate, languages: configuration.languages, eventLoop: eventLoop)
        return HTTPListener.start(
            addresses: configuration.addresses, tls: configuration.tls, limits: configuration.limits, sameUser: configuration.sameUser,
            eventLoop: eventLoop, responder: router
        ).map { listener in
            router.serve(ServedAuthorities(addresses: listener.localAddresses, isTLS: configuration.tls != nil))
            return CallbackServer(listener: listener)
        }
    }

    /// Where it listens, in the order of the configuration, with the ports the kernel gave.
    public var localAddresses: [SocketAddress] { listener.localAddresses }

    /// Completes when a listening socket is closed: by ``close()``, or because the kernel took it away.
    public var closed: EventLoopFuture<Void> { listener.closed }

    /// Connections open now. To be read on the event loop.
    public var openConnections: Int { listener.openConnections }

    /// Completes when no connection is open; after ``stopListening()`` none comes any more.
    public func drained() -> EventLoopFuture<Void> { listener.drained() }

    /// Takes no new connection; those that are open go on.
    @discardableResult
    public func stopListening() -> EventLoopFuture<Void> { listener.stopListening() }

    /// Stops listening and ends every connection.
    @discardableResult
    public func close() -> EventLoopFuture<Void> { listener.close() }
}

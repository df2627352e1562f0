import NIOCore

/// Listens on loopback addresses and hands complete requests to a responder.
public final class HTTPListener: Sendable {
    /// Where it listens, in the order of the targets, with the ports the kernel gave.
    public let localAddresses: [SocketAddress]
    private let eventLoop: any EventLoop

    private init(localAddresses: [SocketAddress], eventLoop: any EventLoop) {
        self.localAddresses = localAddresses
        self.eventLoop = eventLoop
    }

    /// Binds every target, or none.
    ///
    /// - Parameters:
    ///   - sameUser: refuses connections whose other end belongs to another user than this process's or root.
    /// - Returns: fails with ``HTTPListenerError``.
    public static func start(
        addresses: [BindTarget], limits: HTTPLimits = HTTPLimits(), sameUser: Bool, eventLoop: any EventLoop,
        responder: any HTTPResponder
    ) -> EventLoopFuture<HTTPListener> {
        eventLoop.makeFailedFuture(HTTPListenerError.noAddress)
    }

    /// Connections open now. To be read on the event loop.
    public var openConnections: Int { 0 }

    /// Stops listening and ends every connection.
    @discardableResult
    public func close() -> EventLoopFuture<Void> { eventLoop.makeSucceededVoidFuture() }
}

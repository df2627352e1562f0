import Glibc
import NIOCore
import NIOPosix
import PosternCrypto

/// Listens on loopback addresses and hands complete requests to a responder.
public final class HTTPListener: Sendable {
    /// Where it listens, in the order of the targets, with the ports the kernel gave.
    public let localAddresses: [SocketAddress]
    private let channels: [any Channel]
    private let connections: NIOLoopBound<ConnectionTable>

    init(channels: [any Channel], connections: NIOLoopBound<ConnectionTable>) {
        self.channels = channels
        self.connections = connections
        localAddresses = channels.compactMap(\.localAddress)
    }

    /// Binds every target, or none, and takes connections once all are bound.
    ///
    /// - Parameters:
    ///   - tls: a server's context; every connection is then encrypted.
    ///   - sameUser: refuses connections whose other end belongs to another user than this process's or root.
    ///   - eventLoop: one of a `MultiThreadedEventLoopGroup`; all of the listener runs on it.
    /// - Returns: fails with ``HTTPListenerError``.
    public static func start(
        addresses: [BindTarget], tls: TLSContext? = nil, limits: HTTPLimits = HTTPLimits(), sameUser: Bool,
        eventLoop: any EventLoop, responder: any HTTPResponder
    ) -> EventLoopFuture<HTTPListener> {
        eventLoop.flatSubmit {
            do throws(HTTPListenerError) {
                let peerCheck = sameUser ? PeerCheck() : nil
                guard peerCheck != nil || !sameUser else { throw .peersCannotBeTold }
                return try ListenerStart(
                    targets: addresses, tls: tls, limits: limits, peerCheck: peerCheck, eventLoop: eventLoop, responder: responder
                ).run()
            } catch {
                return eventLoop.makeFailedFuture(error)
            }
        }
    }

    /// Completes when a listening socket is closed: by ``close()``, or because the kernel took it away.
    public var closed: EventLoopFuture<Void> {
        let first = connections.eventLoop.makePromise(of: Void.self)
        for channel in channels { channel.closeFuture.whenComplete { _ in first.succeed() } }
        return first.futureResult
    }

    /// Connections open now. To be read on the event loop.
    public var openConnections: Int { connections.value.count }

    /// Completes when no connection is open; after ``stopListening()`` none comes any more.
    public func drained() -> EventLoopFuture<Void> {
        connections.eventLoop.flatSubmit { [connections] in
            let promise = connections.eventLoop.makePromise(of: Void.self)
            connections.value.whenEmpty(promise)
            return promise.futureResult
        }
    }

    /// Takes no new connection; those that are open go on.
    @discardableResult
    public func stopListening() -> EventLoopFuture<Void> {
        let eventLoop = connections.eventLoop
        return eventLoop.flatSubmit { [channels] in
            // A channel that is closed already is what was asked for.
            EventLoopFuture.andAllComplete(channels.map { $0.close() }, on: eventLoop)
        }
    }

    /// Stops listening and ends every connection.
    @discardableResult
    public func close() -> EventLoopFuture<Void> {
        connections.eventLoop.flatSubmit { [connections] in
            connections.value.closeAll()
            return self.stopListening()
        }
    }
}

// CallbackServer: what a browser sees: the callback, and the pages with its result.
//
// Knows paths, hosts, headers against other websites, and the texts of the pages in three languages.
//
// Does not know which sign-in a callback belongs to: it hands on unverified parameters, and is told what to show.
//
// Imports: LoopbackHTTP, PosternCore, PosternCrypto, NIOCore.
// Start: CallbackServer.swift, CallbackRouter.swift, ResultPage.swift.

import LoopbackHTTP
import NIOCore
import PosternCrypto

/// The loopback listener that providers redirect browsers to, with its pages.
///
/// It parses requests and rejects bad ones; what a callback means is the delegate's decision. It keeps its delegate until it is closed.
public final class CallbackServer: Sendable {
    private let listener: HTTPListener
    private let router: CallbackRouter
    private let isTLS: NIOLoopBoundBox<Bool>
    /// Where open connections may have come in: the present addresses, and those of before that may still have some.
    private let served: NIOLoopBoundBox<[SocketAddress]>

    /// Does not listen yet, whatever addresses the configuration has. To be called on the event loop.
    ///
    /// - Parameter eventLoop: one of a `MultiThreadedEventLoopGroup`; everything runs on it, including the delegate's calls.
    public init(
        configuration: CallbackServerConfiguration, delegate: any CallbackDelegate, eventLoop: any EventLoop
    ) throws(HTTPListenerError) {
        router = CallbackRouter(delegate: delegate, languages: configuration.languages, eventLoop: eventLoop)
        listener = try HTTPListener(
            tls: configuration.tls, limits: configuration.limits, sameUser: configuration.sameUser, eventLoop: eventLoop, responder: router)
        isTLS = .makeBoxSendingValue(configuration.tls != nil, eventLoop: eventLoop)
        served = .makeBoxSendingValue([], eventLoop: eventLoop)
    }

    /// As ``init(configuration:delegate:eventLoop:)``, listening at the addresses of the configuration.
    ///
    /// - Returns: fails with `HTTPListenerError`.
    public static func start(
        configuration: CallbackServerConfiguration, delegate: any CallbackDelegate, eventLoop: any EventLoop
    ) -> EventLoopFuture<CallbackServer> {
        eventLoop.flatSubmit {
            HTTPListener.handOver(configuration.addresses, on: eventLoop) { () throws(HTTPListenerError) in
                let server = try CallbackServer(configuration: configuration, delegate: delegate, eventLoop: eventLoop)
                return server.listen(at: configuration.addresses).map { _ in server }
            }
        }
    }

    /// The addresses that it listens on, in the order of the targets, with the ports that the kernel assigned.
    public var localAddresses: [SocketAddress] { listener.localAddresses }

    /// Open connections.
    public var openConnections: Int { listener.openConnections }

    /// Completes when no connection is open; after ``stopListening()`` none is accepted.
    public func drained() -> EventLoopFuture<Void> { listener.drained() }

    /// Listens at further addresses: at all of them, or at none.
    ///
    /// - Returns: the addresses that were bound; fails with `HTTPListenerError`.
    public func listen(at targets: [BindTarget]) -> EventLoopFuture<[SocketAddress]> {
        listener.listen(at: targets).map { bound in
            self.noteAddresses()
            return bound
        }
    }

    /// Accepts no new connections at these addresses; open ones continue.
    @discardableResult
    public func stopListening(at addresses: [SocketAddress]) -> EventLoopFuture<Void> {
        listener.stopListening(at: addresses).map { self.noteAddresses() }
    }

    /// Changes the settings for connections accepted from now on. To be called on the event loop; if it throws, nothing has changed.
    public func change(tls: TLSContext?, sameUser: Bool, languages: [PageLanguage]) throws(HTTPListenerError) {
        try listener.accept(tls: tls, sameUser: sameUser)
        router.languages = languages
        isTLS.value = tls != nil
        noteAddresses()
    }

    /// What was served stays served until the last connection ends: a browser that is connected may send its next request.
    private func noteAddresses() {
        let present = listener.localAddresses
        let former = openConnections > 0 ? served.value.filter { !present.contains($0) } : []
        served.value = present + former
        router.serve(ServedAuthorities(addresses: served.value, isTLS: isTLS.value))
        if !former.isEmpty { listener.drained().whenSuccess { self.noteAddresses() } }
    }

    /// Accepts no new connections; open ones continue.
    @discardableResult
    public func stopListening() -> EventLoopFuture<Void> { listener.stopListening() }

    /// Stops listening and ends every connection.
    @discardableResult
    public func close() -> EventLoopFuture<Void> { listener.close() }
}

/// The settings of the callback listener: the configuration file's `[callback]`, and the pages' languages.
public struct CallbackServerConfiguration: Sendable {
    public var addresses: [BindTarget]
    /// A server's context: the callbacks' address begins with `https`.
    public var tls: TLSContext?
    /// Refuses connections that belong neither to this process's user nor to root.
    public var sameUser: Bool
    /// The languages of the pages. Empty means English.
    public var languages: [PageLanguage]
    public var limits: HTTPLimits

    public init(
        addresses: [BindTarget], tls: TLSContext? = nil, sameUser: Bool = true,
        languages: [PageLanguage] = PageLanguage.allCases, limits: HTTPLimits = HTTPLimits()
    ) {
        self.addresses = addresses
        self.tls = tls
        self.sameUser = sameUser
        self.languages = languages
        self.limits = limits
    }
}

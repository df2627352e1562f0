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
    private struct State {
        var settings: CallbackSettings
        /// Where open connections may have come in: the present addresses, and those of before that may still have some.
        var served: [SocketAddress] = []

        var scope: CallbackRouter.Scope {
            CallbackRouter.Scope(
                languages: settings.languages, authorities: ServedAuthorities(addresses: served, isTLS: settings.tls != nil))
        }
    }

    private let listener: HTTPListener
    private let router: CallbackRouter
    private let state: NIOLoopBoundBox<State>

    /// Does not listen yet. To be called on the event loop.
    private init(
        _ settings: CallbackSettings, limits: HTTPLimits, delegate: any CallbackDelegate, eventLoop: any EventLoop
    ) throws(HTTPListenerError) {
        let state = State(settings: settings)
        router = CallbackRouter(delegate: delegate, scope: state.scope, eventLoop: eventLoop)
        listener = try HTTPListener(
            tls: settings.tls, limits: limits, sameUser: settings.sameUser, eventLoop: eventLoop, responder: router)
        self.state = .makeBoxSendingValue(state, eventLoop: eventLoop)
    }

    /// Listens at the addresses.
    ///
    /// - Parameter eventLoop: one of a `MultiThreadedEventLoopGroup`; everything runs on it, including the delegate's calls.
    /// - Returns: fails with `HTTPListenerError`.
    public static func start(
        at addresses: [BindTarget], _ settings: CallbackSettings, limits: HTTPLimits, delegate: any CallbackDelegate,
        eventLoop: any EventLoop
    ) -> EventLoopFuture<CallbackServer> {
        eventLoop.flatSubmit {
            HTTPListener.handOver(addresses, on: eventLoop) { () throws(HTTPListenerError) in
                let server = try CallbackServer(settings, limits: limits, delegate: delegate, eventLoop: eventLoop)
                return server.listen(at: addresses).map { _ in server }
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
    public func change(_ settings: CallbackSettings) throws(HTTPListenerError) {
        try listener.accept(tls: settings.tls, sameUser: settings.sameUser)
        state.value.settings = settings
        noteAddresses()
    }

    /// What was served stays served until the last connection ends: a browser that is connected may send its next request.
    private func noteAddresses() {
        let present = listener.localAddresses
        let former = openConnections > 0 ? state.value.served.filter { !present.contains($0) } : []
        state.value.served = present + former
        router.serve(state.value.scope)
        if !former.isEmpty { listener.drained().whenSuccess { self.noteAddresses() } }
    }

    /// Accepts no new connections; open ones continue.
    @discardableResult
    public func stopListening() -> EventLoopFuture<Void> { listener.stopListening() }

    /// Stops listening and ends every connection.
    @discardableResult
    public func close() -> EventLoopFuture<Void> { listener.close() }
}

/// How the callback listener serves: the configuration file's `[callback]`, and the pages' languages.
public struct CallbackSettings: Sendable {
    /// A server's context: the callbacks' address begins with `https`.
    public var tls: TLSContext?
    /// Refuses connections that belong neither to this process's user nor to root.
    public var sameUser: Bool
    /// The languages of the pages. Empty means English.
    public var languages: [PageLanguage]

    public init(tls: TLSContext? = nil, sameUser: Bool = true, languages: [PageLanguage] = PageLanguage.allCases) {
        self.tls = tls
        self.sameUser = sameUser
        self.languages = languages
    }
}

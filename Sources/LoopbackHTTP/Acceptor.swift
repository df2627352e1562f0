import ConnectionAdmission
import Glibc
import NIOCore
import NIOHTTP1
import NIOPosix
import PosternCrypto

/// Binds addresses, and sets up the connections that arrive there. Used on the event loop alone.
final class Acceptor {
    /// How often a common free port is looked for before giving up.
    private static let portAttempts = 16

    /// For connections that come from now on.
    var tls: TLSContext?
    /// Nil lets every user in. For addresses that are bound from now on.
    var peerCheck: PeerCheck?
    let connections: ConnectionTable
    private let limits: HTTPLimits
    private let eventLoop: any EventLoop
    private let responder: any HTTPResponder

    init(tls: TLSContext?, limits: HTTPLimits, peerCheck: PeerCheck?, eventLoop: any EventLoop, responder: any HTTPResponder) {
        self.tls = tls
        self.limits = limits
        self.eventLoop = eventLoop
        self.responder = responder
        self.peerCheck = peerCheck
        connections = ConnectionTable(limit: limits.connections)
    }

    // MARK: Binding

    /// Binds every target, or none, and takes connections once all are bound.
    func bind(_ targets: [BindTarget]) throws(HTTPListenerError) -> EventLoopFuture<[any Channel]> {
        guard !targets.isEmpty else { throw .noAddress }
        var checked: [CheckedTarget] = []
        for target in targets { checked.append(try CheckedTarget(target)) }
        guard let bootstrap = ServerBootstrap(validatingGroup: eventLoop) else { throw .unsuitableEventLoop }
        let configured = configure(bootstrap)
        return bindAll(checked, with: configured, attemptsLeft: Self.portAttempts).assumeIsolated().map { channels in
            // Only now, so that nobody is answered at an address of a listener that does not come to be.
            for channel in channels { _ = channel.setOption(.autoRead, value: true) }
            return channels
        }.nonisolated()
    }

    private func bindAll(
        _ targets: [CheckedTarget], with bootstrap: ServerBootstrap, attemptsLeft: Int
    ) -> EventLoopFuture<[any Channel]> {
        bind(targets[...], with: bootstrap, bound: [], sharedPort: nil).assumeIsolated().flatMapError { error in
            // A free port of one address family may be taken in the other: another one may be free in both.
            guard case HTTPListenerError.addressInUse = error, targets.contains(where: \.wantsAnyPort), attemptsLeft > 1 else {
                return self.eventLoop.makeFailedFuture(error)
            }
            return self.bindAll(targets, with: bootstrap, attemptsLeft: attemptsLeft - 1)
        }.nonisolated()
    }

    /// Binds the targets one after another; on a failure closes those that were bound.
    private func bind(
        _ targets: ArraySlice<CheckedTarget>, with bootstrap: ServerBootstrap, bound: [any Channel], sharedPort: Int?
    ) -> EventLoopFuture<[any Channel]> {
        guard let target = targets.first else { return eventLoop.makeSucceededFuture(bound) }
        return target.bind(with: bootstrap, sharedPort: sharedPort).assumeIsolated().flatMapError { error in
            let failure = HTTPListenerError(error, binding: target)
            return EventLoopFuture.andAllComplete(bound.map { $0.close() }, on: self.eventLoop).flatMapThrowing { throw failure }
        }.flatMap { channel in
            let port = target.wantsAnyPort ? sharedPort ?? channel.localAddress?.port : sharedPort
            return self.bind(targets.dropFirst(), with: bootstrap, bound: bound + [channel], sharedPort: port)
        }.nonisolated()
    }

    // MARK: Channels

    private func configure(_ bootstrap: ServerBootstrap) -> ServerBootstrap {
        let acceptor = NIOLoopBound(self, eventLoop: eventLoop)
        return
            bootstrap
            .serverChannelOption(.backlog, value: 256)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .serverChannelOption(.autoRead, value: false)
            .serverChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.keepFromOtherPrograms()
                    try channel.pipeline.syncOperations.addHandlers(AcceptPressure.handlers(for: acceptor.value.connections))
                    try channel.pipeline.syncOperations.addHandler(acceptor.value.peerFilter)
                }
            }
            .childChannelOption(.allowRemoteHalfClosure, value: true)
            .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture { try acceptor.value.accept(channel) }
            }
    }

    private var peerFilter: PeerFilter {
        PeerFilter { [weak self] in
            self?.peerCheck
        } wasForeign: { [responder] in
            responder.foreignConnectionClosed(user: $0)
        }
    }

    private func accept(_ channel: any Channel) throws {
        try channel.keepFromOtherPrograms()
        guard let slot = connections.admit(channel) else { throw ConnectionsBusy() }
        let gate = RequestGate(limits: limits)
        if let tls { try channel.pipeline.syncOperations.addHandler(EncryptionCheck(tls: tls)) }
        try channel.pipeline.syncOperations.addHandlers([
            gate,
            ByteToMessageHandler(HTTPRequestDecoder(leftOverBytesStrategy: .dropBytes)),
            HTTPConnection(gate: gate, limits: limits, responder: responder, isTLS: tls != nil, slot: slot),
        ])
    }

    /// Every connection is answering a request; the new one is closed.
    private struct ConnectionsBusy: Error {}
}

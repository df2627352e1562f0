import ChannelAdmission
import ConnectionAdmission
import Glibc
import NIOCore
import NIOHTTP1
import NIOPosix
import PosternCrypto

/// Binds addresses, and sets up the connections that arrive there. Used only on the event loop.
final class Acceptor {
    /// For connections accepted from now on.
    var tls: TLSContext?
    /// Nil accepts every user. For addresses that are bound from now on.
    var peerCheck: PeerCheck?
    let connections: ConnectionTable
    private let limits: HTTPLimits
    private let eventLoop: any EventLoop
    private let responder: any HTTPResponder
    /// One for all addresses: they have the same problem.
    private var warnings = RareWarnings()

    init(tls: TLSContext?, limits: HTTPLimits, peerCheck: PeerCheck?, eventLoop: any EventLoop, responder: any HTTPResponder) {
        self.tls = tls
        self.limits = limits
        self.eventLoop = eventLoop
        self.responder = responder
        self.peerCheck = peerCheck
        connections = ConnectionTable(limit: limits.connections)
    }

    // MARK: Binding

    /// Binds every target, or none, and accepts connections once all are bound.
    func bind(_ targets: [BindTarget]) throws(HTTPListenerError) -> EventLoopFuture<[any Channel]> {
        guard let bootstrap = ServerBootstrap(validatingGroup: eventLoop) else {
            LoopbackSocket.closePassed(targets)
            throw .unsuitableEventLoop
        }
        let configured = configure(bootstrap)
        let attached = try LoopbackSocket.bind(targets).map { attach($0, to: configured) }
        return EventLoopFuture.whenAllComplete(attached, on: eventLoop).assumeIsolated().flatMapThrowing { results in
            var (channels, code): ([any Channel], CInt?) = ([], nil)
            for result in results {
                switch result {
                case .success(let channel): channels.append(channel)
                case .failure(let error): code = (error as? IOError)?.errnoCode ?? EINVAL
                }
            }
            if let code {
                for channel in channels { channel.close(promise: nil) }
                throw HTTPListenerError.system(operation: "listening", errno: code)
            }
            // Only now, so that nobody is answered at an address of a listener that fails to start.
            for channel in channels { _ = channel.setOption(.autoRead, value: true) }
            return channels
        }.nonisolated()
    }

    /// NIO owns the descriptor from now on.
    private func attach(_ socket: LoopbackSocket, to bootstrap: ServerBootstrap) -> EventLoopFuture<any Channel> {
        let backlog = socket.backlog
        return bootstrap.withBoundSocket(socket.descriptor).map { channel in
            // NIO calls listen again, with 128 whatever its option says. But the process that created the socket decides how many
            // connections may wait (`Backlog=` of its unit): browsers connect while the daemon is still starting.
            if let backlog { _ = listen(socket.descriptor, backlog) }
            return channel
        }
    }

    // MARK: Channels

    private func configure(_ bootstrap: ServerBootstrap) -> ServerBootstrap {
        let acceptor = NIOLoopBound(self, eventLoop: eventLoop)
        return
            bootstrap
            .serverChannelOption(.autoRead, value: false)
            // Between two, there must be room for the next.
            .serverChannelOption(.maxMessagesPerRead, value: 1)
            .serverChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.keepFromOtherPrograms()
                    try channel.pipeline.syncOperations.addHandler(acceptor.value.pressure)
                    try channel.pipeline.syncOperations.addHandler(acceptor.value.peerFilter)
                }
            }
            .childChannelOption(.allowRemoteHalfClosure, value: true)
            .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture { try acceptor.value.accept(channel) }
            }
    }

    private var pressure: AcceptPressure {
        AcceptPressure(for: connections) { [weak self] shortage in
            guard let self, warnings.isDue(at: NIODeadline.now().uptimeNanoseconds) else { return }
            responder.acceptFailed("\(shortage)")
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
        let gate = RequestGate(limits: limits)
        let slot = connections.admitAccepted(channel) { [weak gate] in gate?.hasUnreadBytes ?? false }
        if let tls { try channel.pipeline.syncOperations.addHandler(EncryptionCheck(tls: tls)) }
        try channel.pipeline.syncOperations.addHandlers([
            gate,
            ByteToMessageHandler(HTTPRequestDecoder(leftOverBytesStrategy: .dropBytes)),
            HTTPConnection(gate: gate, limits: limits, responder: responder, isTLS: tls != nil, slot: slot),
        ])
    }
}

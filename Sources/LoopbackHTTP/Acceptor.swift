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
    private let service: HTTPService
    /// One for all addresses: they have the same problem.
    private var warnings = RareWarnings()

    init(tls: TLSContext?, limits: HTTPLimits, peerCheck: PeerCheck?, eventLoop: any EventLoop, service: HTTPService) {
        self.tls = tls
        self.limits = limits
        self.eventLoop = eventLoop
        self.service = service
        self.peerCheck = peerCheck
        connections = ConnectionTable(limit: limits.connections)
    }

    convenience init(
        tls: TLSContext?, limits: HTTPLimits, peerCheck: PeerCheck?, eventLoop: any EventLoop, responder: any HTTPResponder
    ) {
        self.init(tls: tls, limits: limits, peerCheck: peerCheck, eventLoop: eventLoop, service: .requests(responder))
    }

    // MARK: Binding

    /// Binds every target, or none, and accepts connections once all are bound.
    func bind(_ targets: [BindTarget]) throws(HTTPListenerError) -> EventLoopFuture<[any Channel]> {
        // Those who connect to a Unix socket are told without it.
        if case .streams = service, peerCheck == nil, targets.contains(where: { !$0.isUnix }) {
            LoopbackSocket.closePassed(targets)
            throw .peersCannotBeTold
        }
        guard let bootstrap = ServerBootstrap(validatingGroup: eventLoop) else {
            LoopbackSocket.closePassed(targets)
            throw .unsuitableEventLoop
        }
        let unix = configure(bootstrap)
        let attached = try LoopbackSocket.bind(targets).map { socket in
            // A Unix socket does not know the option.
            attach(socket, to: socket.isUnix ? unix : unix.childChannelOption(.tcpOption(.tcp_nodelay), value: 1))
        }
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
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture { try acceptor.value.accept(channel) }
            }
    }

    private var pressure: AcceptPressure {
        AcceptPressure(for: connections) { [weak self] shortage in
            guard let self, warnings.isDue(at: NIODeadline.now().uptimeNanoseconds) else { return }
            service.delegate.acceptFailed("\(shortage)")
        }
    }

    private var peerFilter: PeerFilter {
        PeerFilter { [weak self] in
            self?.peerCheck
        } wasForeign: { [service] in
            service.delegate.foreignConnectionClosed(user: $0)
        }
    }

    private func accept(_ channel: any Channel) throws {
        try channel.keepFromOtherPrograms()
        switch service {
        case .requests(let responder): try accept(channel, for: responder)
        case .streams(let responder):
            let connection = StreamConnection(limits: limits, responder: responder)
            connection.slot = connections.admitAccepted(channel) { [weak connection] in connection?.hasUnreadBytes ?? false }
            try channel.pipeline.syncOperations.addHandler(connection)
        }
    }

    private func accept(_ channel: any Channel, for responder: any HTTPResponder) throws {
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

/// Who answers at a listener.
enum HTTPService {
    /// Complete requests.
    case requests(any HTTPResponder)
    /// Requests that are passed on as they arrive, without TLS.
    case streams(any StreamResponder)

    var delegate: any ListenerDelegate {
        switch self {
        case .requests(let responder): responder
        case .streams(let responder): responder
        }
    }
}

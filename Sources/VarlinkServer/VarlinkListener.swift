import Glibc
import NIOCore
import NIOPosix
import Varlink

/// Listens on a Unix socket and hands calls to a service.
public final class VarlinkListener: Sendable {
    private let channel: any Channel
    private let connections: NIOLoopBound<Connections>
    /// Nil where the socket was passed in: it is not ours to remove.
    private let file: SocketFile?

    /// The connections that are open, so that they can be counted and ended.
    final class Connections {
        var channels: [ObjectIdentifier: any Channel] = [:]
        var lastID: UInt64 = 0
    }

    private init(channel: any Channel, connections: NIOLoopBound<Connections>, file: SocketFile?) {
        self.channel = channel
        self.connections = connections
        self.file = file
    }

    /// Makes the socket at the path and listens; the file is made before anybody can connect to it, 0600 in a folder of 0700.
    ///
    /// - Returns: fails with ``SocketFileError``, also where a live service answers at the path already.
    public static func start(
        path: String, service: any VarlinkService, info: VarlinkServiceInfo, limits: VarlinkLimits = VarlinkLimits(),
        eventLoop: any EventLoop
    ) -> EventLoopFuture<VarlinkListener> {
        do throws(SocketFileError) {
            let (file, descriptor) = try SocketFile.listen(at: path)
            return start(descriptor: descriptor, file: file, service: service, info: info, limits: limits, eventLoop: eventLoop)
        } catch {
            return eventLoop.makeFailedFuture(error)
        }
    }

    /// Listens on a socket that was passed in, bound and listening.
    public static func start(
        descriptor: Int32, service: any VarlinkService, info: VarlinkServiceInfo, limits: VarlinkLimits = VarlinkLimits(),
        eventLoop: any EventLoop
    ) -> EventLoopFuture<VarlinkListener> {
        start(descriptor: descriptor, file: nil, service: service, info: info, limits: limits, eventLoop: eventLoop)
    }

    private static func start(
        descriptor: Int32, file: SocketFile?, service: any VarlinkService, info: VarlinkServiceInfo, limits: VarlinkLimits,
        eventLoop: any EventLoop
    ) -> EventLoopFuture<VarlinkListener> {
        let standard = StandardInterface(info: info, interfaces: service.interfaces)
        return eventLoop.flatSubmit {
            let connections = NIOLoopBound(Connections(), eventLoop: eventLoop)
            return ServerBootstrap(group: eventLoop)
                .serverChannelOption(.backlog, value: 256)
                // A process that has run out of descriptors tries again; the listener stays.
                .childChannelOption(.allowRemoteHalfClosure, value: true)
                .childChannelOption(
                    .writeBufferWaterMark, value: .init(low: limits.unreadReplies / 2, high: limits.unreadReplies)
                )
                .childChannelInitializer { channel in
                    Self.admit(channel, connections: connections, service: service, standard: standard, limits: limits)
                }
                .withBoundSocket(descriptor)
                .map { VarlinkListener(channel: $0, connections: connections, file: file) }
        }
    }

    /// The user is checked before a byte is read: a refused connection is closed by the failure of this future.
    private static func admit(
        _ channel: any Channel, connections: NIOLoopBound<Connections>, service: any VarlinkService, standard: StandardInterface,
        limits: VarlinkLimits
    ) -> EventLoopFuture<Void> {
        guard let options = channel as? any SocketOptionProvider else {
            return channel.eventLoop.makeFailedFuture(VarlinkError.permissionDenied)
        }
        return options.unsafeGetSocketOption(level: .socket, name: .init(rawValue: PeerCredentials.socketOption))
            .flatMapThrowing { (credentials: PeerCredentials) in
                guard credentials.uid == getuid() else { throw VarlinkError.permissionDenied }
                let table = connections.value
                guard table.channels.count < limits.connections else { throw VarlinkError.permissionDenied }
                table.lastID += 1
                let peer = VarlinkPeer(id: table.lastID, pid: credentials.pid, uid: credentials.uid, gid: credentials.gid)
                let id = ObjectIdentifier(channel)
                table.channels[id] = channel
                channel.closeFuture.whenComplete { _ in connections.value.channels[id] = nil }
                try channel.pipeline.syncOperations.addHandler(
                    VarlinkConnectionHandler(service: service, standard: standard, limits: limits, peer: peer))
            }
    }

    /// Connections open now. To be read on the event loop.
    public var openConnections: Int { connections.value.channels.count }

    /// Stops listening and removes the socket's file, so that nobody connects in vain; open connections go on.
    public func stopListening() -> EventLoopFuture<Void> {
        file?.remove()
        return channel.close()
    }

    /// Stops listening and ends every connection.
    public func close() -> EventLoopFuture<Void> {
        let connections = connections
        return stopListening().flatMap {
            EventLoopFuture.andAllComplete(connections.value.channels.values.map { $0.close() }, on: connections.eventLoop)
        }
    }
}

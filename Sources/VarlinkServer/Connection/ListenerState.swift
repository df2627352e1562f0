import ConnectionAdmission
import Glibc
import NIOCore
import Varlink

/// What the connections of one listener share.
///
/// `@unchecked Sendable`: the variables are touched on the event loop only.
final class ListenerState: @unchecked Sendable {
    let service: any VarlinkService
    let table: ServiceTable
    let limits: VarlinkLimits
    let eventLoop: any EventLoop
    private let uid = geteuid()
    private var lastID: UInt64 = 0
    private var lingering: Set<UInt64> = []

    /// Those in service, and those whose clients have left work behind.
    let connections: ConnectionTable

    /// Replies are written here first: one piece of memory for all connections.
    var scratch: [UInt8] = []

    /// Refused connections that may stay half open at once, to hear why; more are closed without a word.
    private static let lingeringLimit = 32

    init(service: any VarlinkService, table: ServiceTable, limits: VarlinkLimits, eventLoop: any EventLoop) {
        self.service = service
        self.table = table
        self.limits = limits
        self.eventLoop = eventLoop
        connections = ConnectionTable(limit: limits.connections)
    }

    /// Decides about a new connection before a byte of it is read. A failed future closes it.
    func accepted(_ channel: any Channel) -> EventLoopFuture<Void> {
        do {
            guard let credentials = ConnectionSocket.prepare(channel), credentials.uid == uid else { throw ConnectionRefused.otherUser }
            lastID += 1
            let peer = VarlinkPeer(id: lastID, pid: credentials.pid, uid: credentials.uid, gid: credentials.gid)
            // Counted from here on, so that a burst of connections cannot pass the limit before the first is active.
            let slot = connections.admit(channel)
            if slot == nil, lingering.count >= Self.lingeringLimit { throw ConnectionRefused.tooMany }
            let connection = ConnectionHandler(listener: self, peer: peer, slot: slot)
            if let options = channel.syncOptions {
                // A client may shut down its side after its last call and still read the reply.
                try options.setOption(.allowRemoteHalfClosure, value: true)
                try options.setOption(.writeBufferWaterMark, value: ConnectionHandler.waterMark)
            }
            try channel.pipeline.syncOperations.addHandler(connection)
            return channel.eventLoop.makeSucceededVoidFuture()
        } catch {
            return channel.eventLoop.makeFailedFuture(error)
        }
    }

    /// - Parameter connection: one too many, which is told so.
    func refused(_ connection: ConnectionHandler) { lingering.insert(connection.peer.id) }

    func removed(_ connection: ConnectionHandler) { lingering.remove(connection.peer.id) }
}

enum ConnectionRefused: Error {
    case otherUser
    case tooMany
}

/// The socket under a new connection's channel. To be used on the channel's event loop.
enum ConnectionSocket {
    /// Keeps the socket from our children, and tells whose it is; nil where the kernel does not say.
    static func prepare(_ channel: any Channel) -> PeerCredentials? {
        let credentials = try? channel.keepFromOtherPrograms { PeerCredentials(of: $0) }
        return (credentials ?? nil) ?? nil
    }
}

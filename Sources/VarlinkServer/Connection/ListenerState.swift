import ConnectionAdmission
import Glibc
import Reactor
import Varlink

/// What the connections of one listener share. Used only on the loop.
final class ListenerState {
    let service: any VarlinkService
    let table: ServiceTable
    let limits: VarlinkLimits
    let loop: EpollLoop
    private let uid = geteuid()
    private var lastID: UInt64 = 0
    private var lingering: Set<UInt64> = []

    /// Those in service, and those whose clients have left work behind.
    let connections: ConnectionTable

    /// All input is read here first: one buffer for all connections.
    let received = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 << 10, alignment: 16)

    /// The buffer for replies, while no connection uses it.
    var spareOutput: [UInt8] = []

    /// Connections with replies that their clients have not read yet, by the client's number.
    private var unread: [UInt64: ConnectionHandler] = [:]
    /// The bytes of these replies.
    private var unreadBytes = 0
    private var warnings = RareWarnings()

    /// Connections without a client that continue with its calls.
    private var departed = 0
    /// Nobody can end them, so they may not take most of the places.
    private var departedLimit: Int { max(1, limits.connections / 4) }

    /// Refused connections that may stay half open at the same time, to receive the reason; more are closed without one.
    private static let lingeringLimit = 32

    init(service: any VarlinkService, table: ServiceTable, limits: VarlinkLimits, loop: EpollLoop) {
        self.service = service
        self.table = table
        self.limits = limits
        self.loop = loop
        connections = ConnectionTable(limit: limits.connections)
    }

    deinit { received.deallocate() }

    /// Decides about a new connection before any of it is read.
    func accepted(_ descriptor: CInt) {
        guard let credentials = PeerCredentials(of: descriptor), credentials.uid == uid else {
            close(descriptor)
            return
        }
        lastID += 1
        let peer = VarlinkPeer(id: lastID, pid: credentials.pid, uid: credentials.uid, gid: credentials.gid)
        serve(ConnectionHandler(descriptor, listener: self, peer: peer))
    }

    /// Counted before any work is done for it, so that a burst of connections cannot exceed the limit.
    func serve(_ connection: ConnectionHandler) {
        // A process of another namespace has no number here.
        let slot = connections.admit(connection, of: connection.peer.pid > 0 ? connection.peer.pid : nil)
        if slot == nil, lingering.count >= Self.lingeringLimit { return connection.close() }
        connection.start(in: slot)
    }

    /// - Parameter connection: one too many, which gets an error.
    func refused(_ connection: ConnectionHandler) { lingering.insert(connection.peer.id) }

    // MARK: - Unread replies

    func outputChanged(of connection: ConnectionHandler, by bytes: Int) {
        unreadBytes += bytes
        unread[connection.peer.id] = connection.output.isEmpty ? nil : connection
    }

    /// While all connections together exceed the limit, closes the one with the most. It may be the one whose output grew.
    func outputGrew() {
        while unreadBytes > limits.totalUnreadBytes, let largest = unread.values.max(by: { $0.countedOutput < $1.countedOutput }) {
            largest.cutOff()
        }
    }

    /// - Parameter connection: about to be closed because of what its client has not read.
    func willCutOff(_ connection: ConnectionHandler) {
        guard warnings.isDue(at: loop.now) else { return }
        service.clientCutOff(connection.peer, VarlinkUnreadReplies(bytes: connection.output.count - connection.written, inAll: unreadBytes))
    }

    // MARK: - Clients that have gone

    /// A client has disconnected and left calls behind.
    ///
    /// - Returns: whether they are carried out.
    func mayGoOnAlone() -> Bool {
        guard departed < departedLimit else { return false }
        departed += 1
        return true
    }

    func removed(_ connection: ConnectionHandler) {
        if connection.phase == .departed { departed -= 1 }
        if !lingering.isEmpty { lingering.remove(connection.peer.id) }
    }
}

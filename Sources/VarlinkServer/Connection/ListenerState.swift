import ConnectionAdmission
import Glibc
import Reactor
import Varlink

/// What the connections of one listener share. Used on the loop alone.
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

    /// What comes is read here first: one piece of memory for all connections.
    let received = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 << 10, alignment: 16)

    /// Where replies are written, while no connection has it.
    var spareOutput: [UInt8] = []

    /// Connections with replies that their clients have not read yet, by the number of the client.
    private var unread: [UInt64: ConnectionHandler] = [:]
    /// Bytes that they hold.
    private var unreadBytes = 0

    /// Connections without a client that go on with what it sent.
    private var departed = 0
    /// Nobody can end them, so most places are kept from them.
    private var departedLimit: Int { max(1, limits.connections / 4) }

    /// Refused connections that may stay half open at once, to hear why; more are closed without a word.
    private static let lingeringLimit = 32

    init(service: any VarlinkService, table: ServiceTable, limits: VarlinkLimits, loop: EpollLoop) {
        self.service = service
        self.table = table
        self.limits = limits
        self.loop = loop
        connections = ConnectionTable(limit: limits.connections)
    }

    deinit { received.deallocate() }

    /// Decides about a new connection before a byte of it is read.
    func accepted(_ descriptor: CInt) {
        guard let credentials = PeerCredentials(of: descriptor), credentials.uid == uid else {
            close(descriptor)
            return
        }
        lastID += 1
        let peer = VarlinkPeer(id: lastID, pid: credentials.pid, uid: credentials.uid, gid: credentials.gid)
        serve(ConnectionHandler(descriptor, listener: self, peer: peer))
    }

    /// Counted before anything is done for it, so that a burst of connections cannot pass the limit.
    func serve(_ connection: ConnectionHandler) {
        let slot = connections.admit(connection)
        if slot == nil, lingering.count >= Self.lingeringLimit { return connection.close() }
        connection.start(in: slot)
    }

    /// - Parameter connection: one too many, which is told so.
    func refused(_ connection: ConnectionHandler) { lingering.insert(connection.peer.id) }

    // MARK: - Unread replies

    func outputChanged(of connection: ConnectionHandler, by bytes: Int) {
        unreadBytes += bytes
        unread[connection.peer.id] = connection.output.isEmpty ? nil : connection
    }

    /// While all connections together hold more than they may, closes the one that holds most. It may be the one whose output grew.
    func outputGrew() {
        while unreadBytes > limits.totalUnreadBytes, let largest = unread.values.max(by: { $0.countedOutput < $1.countedOutput }) {
            largest.close()
        }
    }

    // MARK: - Clients that have gone

    /// A client has gone and has left calls behind.
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

import Glibc
import Synchronization

/// A connection that a table admits.
package protocol AdmittedConnection: AnyObject {
    func close()
    /// The client has sent something that has not been looked at yet. The end of its stream does not count.
    var hasUnreadBytes: Bool { get }
}

extension AdmittedConnection {
    package func hasUnreadBytes(_ descriptor: CInt) -> Bool {
        var count: CInt = 0
        return ioctl(descriptor, UInt(FIONREAD), &count) == 0 && count > 0
    }
}

/// One connection's place among those of its listener.
///
/// It is kept until the connection is closed and no more work is done for it: work that a client left behind counts, so that clients that
/// call and disconnect cannot accumulate it.
package final class ConnectionSlot {
    /// Nil once it is closed.
    fileprivate var connection: (any AdmittedConnection)?
    private let table: ConnectionTable
    fileprivate var isOpen: Bool { connection != nil }
    /// Who has it; nil if that is not known.
    fileprivate let process: pid_t?
    /// The number of the connection among all that were admitted.
    fileprivate let number: Int
    /// The number, among all times at which a connection became idle, of the last one of this connection.
    fileprivate var idleSince: Int

    /// Work is being done for it. While false, the connection may be closed to make room for another; setting it to false begins a new idle
    /// time.
    package var isBusy = false {
        didSet { if !isBusy { table.fellIdle(self) } }
    }

    fileprivate init(_ connection: any AdmittedConnection, of process: pid_t?, number: Int, idleSince: Int, in table: ConnectionTable) {
        self.connection = connection
        self.process = process
        self.number = number
        self.idleSince = idleSince
        self.table = table
    }

    /// The connection is closed.
    package func closed() { table.closed(self) }

    fileprivate var isIdle: Bool { isOpen && !isBusy }
}

/// How many places of a table are taken. May be read on any thread.
package final class ConnectionCount: Sendable {
    fileprivate let taken = Atomic<Int>(0)

    package var value: Int { taken.load(ordering: .acquiring) }
}

/// The connections of a listener, up to a limit. Used only on the listener's loop.
///
/// Idle connections are cheap to hold: a browser's spare ones, a scanner's, those of a program that forgets to close them. So a full table
/// refuses nobody while one connection is idle: the one that has been idle longest is closed for the new one. A client that fills all
/// places with idle or dripping connections cannot keep out a real call, which arrives in one piece.
///
/// Nor can one process keep out the others with calls that never end: while all connections are busy, a process that has more than half of
/// the places loses its youngest connection to each one of another process.
package final class ConnectionTable {
    private let limit: Int
    /// Work that goes on after its connection was closed for another process's keeps its place. So many of these may exceed the limit.
    private var spare: Int { max(1, limit / 4) }
    private var lastNumber = 0
    private var slots: [ObjectIdentifier: ConnectionSlot] = [:]
    private var lastRest = 0
    private var drains: [() -> Void] = []
    private var roomWaiters: [() -> Void] = []

    package init(limit: Int) { self.limit = limit }

    package let count = ConnectionCount()

    /// Nil if work is being done for every connection, and no other process has more than half of the places.
    ///
    /// - Parameter process: whose connection it is; nil if that is not known.
    package func admit(_ connection: some AdmittedConnection, of process: pid_t? = nil) -> ConnectionSlot? {
        guard slots.count < limit || closeLongestIdle() || closeYoungest(ofAnotherThan: process) else { return nil }
        return place(connection, of: process)
    }

    /// For a listener that accepts a connection only while there is room (``makeRoom()``), at each of its addresses.
    package func admitAccepted(_ connection: some AdmittedConnection) -> ConnectionSlot {
        if slots.count >= limit { closeLongestIdle() }
        return place(connection, of: nil)
    }

    private func place(_ connection: some AdmittedConnection, of process: pid_t?) -> ConnectionSlot {
        lastNumber += 1
        lastRest += 1
        let slot = ConnectionSlot(connection, of: process, number: lastNumber, idleSince: lastRest, in: self)
        slots[ObjectIdentifier(slot)] = slot
        countPlaces()
        return slot
    }

    /// - Returns: whether a place is free, or taken by a connection that can be closed now. It may not be any more when the next one is
    ///   accepted, which then is one too many: there is no room for another until there is one less.
    package func makeRoom() -> Bool {
        while slots.count > limit { guard closeLongestIdle() else { return false } }
        return slots.count < limit || slots.values.contains { $0.isIdle && $0.connection?.hasUnreadBytes == false }
    }

    /// Runs the body, once, when a place becomes free, or no more work is done for a connection.
    package func whenRoom(_ body: @escaping () -> Void) { roomWaiters.append(body) }

    private func tellOfRoom() {
        let waiting = roomWaiters
        roomWaiters = []
        for body in waiting { body() }
    }

    /// Makes room, here and among the process's file descriptors. False if no connection is idle.
    @discardableResult
    package func closeLongestIdle() -> Bool {
        var idle = slots.values.filter(\.isIdle)
        while let index = idle.indices.min(by: { idle[$0].idleSince < idle[$1].idleSince }) {
            let slot = idle[index]
            // Its call has arrived, and is about to be read.
            guard let connection = slot.connection, !connection.hasUnreadBytes else {
                idle.swapAt(index, idle.endIndex - 1)
                idle.removeLast()
                continue
            }
            closed(slot)
            connection.close()
            return true
        }
        return false
    }

    /// Closes the youngest connection of the process that has more than half of the places, with the work for it. False if no process has so
    /// many, or only the given one.
    private func closeYoungest(ofAnotherThan process: pid_t?) -> Bool {
        guard slots.count < limit + spare else { return false }
        var counts: [pid_t: Int] = [:]
        for slot in slots.values { if let holder = slot.process { counts[holder, default: 0] += 1 } }
        guard let most = counts.max(by: { $0.value < $1.value }), most.value > limit / 2, most.key != process else { return false }
        let youngest = slots.values.filter { $0.isOpen && $0.process == most.key }.max { $0.number < $1.number }
        guard let youngest, let connection = youngest.connection else { return false }
        closed(youngest)
        connection.close()
        return true
    }

    package func closeAll() {
        for slot in slots.values { slot.connection?.close() }
    }

    /// Runs the body, once, as soon as no place is taken.
    package func whenEmpty(_ body: @escaping () -> Void) {
        drains.append(body)
        tellIfEmpty()
    }

    private func countPlaces() { count.taken.store(slots.count, ordering: .releasing) }

    private func tellIfEmpty() {
        guard slots.isEmpty else { return }
        let waiting = drains
        drains = []
        for body in waiting { body() }
    }

    fileprivate func fellIdle(_ slot: ConnectionSlot) {
        lastRest += 1
        slot.idleSince = lastRest
        if slot.isOpen { tellOfRoom() } else { remove(slot) }
    }

    private func remove(_ slot: ConnectionSlot) {
        slots[ObjectIdentifier(slot)] = nil
        countPlaces()
        tellIfEmpty()
        tellOfRoom()
    }

    fileprivate func closed(_ slot: ConnectionSlot) {
        slot.connection = nil
        if !slot.isBusy { remove(slot) }
    }
}

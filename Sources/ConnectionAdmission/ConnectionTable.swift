import Glibc
import Synchronization

/// A connection that a table admits.
package protocol AdmittedConnection: AnyObject {
    func close()
    /// The client has sent something that has not been read yet. The end of its stream does not count.
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
    /// The number, among all times at which a connection became idle, of the last one of this connection.
    fileprivate var idleSince = 0

    /// Work is being done for it. While false, the connection may be closed to make room for another; setting it to false begins a new idle
    /// time.
    package var isBusy = false {
        didSet { if !isBusy { table.fellIdle(self) } }
    }

    fileprivate init(_ connection: any AdmittedConnection, in table: ConnectionTable) {
        self.connection = connection
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
package final class ConnectionTable {
    private let limit: Int
    private var slots: [ObjectIdentifier: ConnectionSlot] = [:]
    private var lastRest = 0
    private var drains: [() -> Void] = []

    package init(limit: Int) { self.limit = limit }

    package let count = ConnectionCount()

    /// Nil if work is being done for every connection.
    package func admit(_ connection: some AdmittedConnection) -> ConnectionSlot? {
        guard slots.count < limit || closeLongestIdle() else { return nil }
        let slot = ConnectionSlot(connection, in: self)
        fellIdle(slot)
        slots[ObjectIdentifier(slot)] = slot
        countPlaces()
        return slot
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
        if !slot.isOpen { remove(slot) }
    }

    private func remove(_ slot: ConnectionSlot) {
        slots[ObjectIdentifier(slot)] = nil
        countPlaces()
        tellIfEmpty()
    }

    fileprivate func closed(_ slot: ConnectionSlot) {
        slot.connection = nil
        if !slot.isBusy { remove(slot) }
    }
}

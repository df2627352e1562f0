import ConnectionAdmission
import Glibc
import Testing

@Suite("A table whose connections are all busy")
struct CrowdedTableTests {
    private final class Peer: AdmittedConnection {
        let process: pid_t?
        /// Its work ends as soon as it is closed.
        let isQuick: Bool
        private(set) var isOpen = true
        var slot: ConnectionSlot?
        let hasUnreadBytes = false

        init(_ process: pid_t?, isQuick: Bool) { (self.process, self.isQuick) = (process, isQuick) }

        func close() {
            isOpen = false
            if isQuick { slot?.isBusy = false }
            slot?.closed()
        }
    }

    private final class Crowd {
        let table: ConnectionTable
        private(set) var peers: [Peer] = []

        init(limit: Int) { table = ConnectionTable(limit: limit) }

        /// - Returns: the new connection, which is busy from then on; nil if it found no place.
        @discardableResult
        func arrive(_ process: pid_t?, isQuick: Bool = true) -> Peer? {
            let peer = Peer(process, isQuick: isQuick)
            guard let slot = table.admit(peer, of: process) else { return nil }
            peer.slot = slot
            slot.isBusy = true
            peers.append(peer)
            return peer
        }

        func open(_ process: pid_t?) -> Int { peers.count { $0.process == process && $0.isOpen } }
    }

    @Test("a process with more than half of the places loses its youngest connection to another process, and gets none back")
    func flood() {
        let crowd = Crowd(limit: 8)
        for _ in 0..<8 { #expect(crowd.arrive(1) != nil) }
        #expect(crowd.arrive(1) == nil && crowd.open(1) == 8)
        let flooding = crowd.peers
        for count in 1...4 {
            #expect(crowd.arrive(2) != nil)
            #expect(flooding.map(\.isOpen) == (0..<8).map { $0 < 8 - count })
            #expect(crowd.arrive(1) == nil && crowd.table.count.value == 8)
        }
        // Each has half.
        #expect(crowd.arrive(2) == nil && crowd.arrive(3) == nil)
        #expect(crowd.open(1) == 4 && crowd.open(2) == 4)
    }

    @Test("an idle connection gives way first, whosever it is")
    func idle() throws {
        let crowd = Crowd(limit: 4)
        let resting = try #require(crowd.arrive(2))
        resting.slot?.isBusy = false
        for _ in 0..<3 { crowd.arrive(1) }
        #expect(crowd.arrive(3) != nil)
        #expect(!resting.isOpen && crowd.open(1) == 3)
    }

    @Test("connections of no known process keep their places, and may take one")
    func unknown() {
        let crowd = Crowd(limit: 4)
        for _ in 0..<4 { crowd.arrive(nil) }
        #expect(crowd.arrive(nil) == nil && crowd.arrive(1) == nil)
        let other = Crowd(limit: 4)
        for _ in 0..<4 { other.arrive(1) }
        #expect(other.arrive(nil) != nil && other.open(1) == 3)
    }

    @Test("work that goes on without its connection keeps its place, and a quarter more are taken at most")
    func slowWork() {
        let crowd = Crowd(limit: 8)
        for _ in 0..<8 { crowd.arrive(1, isQuick: false) }
        let flooding = crowd.peers
        #expect(crowd.arrive(2) != nil && crowd.arrive(3) != nil)
        #expect(crowd.arrive(4) == nil && crowd.open(1) == 6 && crowd.table.count.value == 10)
        for peer in flooding where !peer.isOpen { peer.slot?.isBusy = false }
        #expect(crowd.table.count.value == 8)
        #expect(crowd.arrive(4) != nil && crowd.open(1) == 5)
    }
}

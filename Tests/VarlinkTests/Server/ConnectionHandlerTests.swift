import Glibc
import Reactor
import StrictJSON
import Testing
import Varlink

@testable import VarlinkServer

/// The handler on one end of a socket pair, on a loop that turns when a test says so: here it decides into which pieces a stream falls.
@Suite("A connection's handler")
struct ConnectionHandlerTests {
    final class Connection {
        let service = TestService()
        let handler: ConnectionHandler
        let loop: EpollLoop
        private var client: CInt

        init(limits: VarlinkLimits = VarlinkLimits(), kind: __socket_type = SOCK_STREAM) throws {
            var ends: [CInt] = [-1, -1]
            let flags = CInt(kind.rawValue) | CInt(SOCK_NONBLOCK.rawValue) | CInt(SOCK_CLOEXEC.rawValue)
            try #require(socketpair(AF_UNIX, flags, 0, &ends) == 0)
            client = ends[0]
            loop = try TestClock().makeLoop()
            let table = try ServiceTable(info: TestServer.info, interfaces: service.interfaces)
            let state = ListenerState(service: service, table: table, limits: limits, loop: loop)
            handler = ConnectionHandler(ends[1], listener: state, peer: VarlinkPeer(id: 1, pid: 1, uid: 0, gid: 0))
            state.serve(handler)
        }

        deinit {
            handler.close()
            if client >= 0 { close(client) }
        }

        /// Sends the rest and closes, before the loop turns.
        func leave(_ lastWords: String) {
            let count = lastWords.utf8.withContiguousStorageIfAvailable { send(client, $0.baseAddress, $0.count, CInt(MSG_NOSIGNAL)) }
            #expect(count == lastWords.utf8.count)
            close(client)
            client = -1
        }

        func receive(_ bytes: [UInt8]) throws {
            let count = bytes.withUnsafeBytes { send(client, $0.baseAddress, $0.count, CInt(MSG_NOSIGNAL)) }
            #expect(count == bytes.count || handler.phase == .closed)
            for _ in 0..<3 { loop.turn(waits: false) }
        }

        func receive(_ text: String) throws { try receive(Array(text.utf8)) }

        /// What one call of the system read; nil where there is nothing.
        func readOnce() -> String? {
            var bytes = [UInt8](repeating: 0, count: 1 << 20)
            let count = recv(client, &bytes, bytes.count, 0)
            return count > 0 ? String(decoding: bytes[..<count], as: UTF8.self) : nil
        }

        /// What has been written since the last look.
        func written() throws -> String {
            var text = ""
            while let part = readOnce() { text += part }
            return text
        }
    }

    private let echo = #"{"method":"org.example.test.Echo","parameters":{"text":"x"}}"#
    private let reply = #"{"parameters":{"text":"x"}}"#
    private let hold = #"{"method":"org.example.test.Hold"}"#

    @Test("a NUL that comes after the newline's reply is answered with a NUL")
    func lateNULAfterReply() throws {
        let connection = try Connection()
        try connection.receive(echo + "\n")
        #expect(try connection.written() == reply + "\n")
        try connection.receive(" \n\0")
        #expect(try connection.written() == "\0")
        try connection.receive(echo + "\n\0")
        #expect(try connection.written() == reply + "\0")
    }

    @Test("a NUL that comes before the reply gives it its ending")
    func lateNULBeforeReply() throws {
        let connection = try Connection()
        try connection.receive(hold + "\n")
        try connection.receive("\0")
        connection.service.takeHeld().send([:])
        #expect(try connection.written() == #"{"parameters":{}}"# + "\0")
    }

    @Test("a NUL that comes for a call that waits for its turn gives its reply the ending")
    func lateNULForWaitingCall() throws {
        let connection = try Connection()
        try connection.receive(hold + "\n" + echo + "\n")
        try connection.receive("\0")
        connection.service.takeHeld().send([:])
        #expect(try connection.written() == #"{"parameters":{}}"# + "\n" + reply + "\0")
    }

    @Test("a oneway call owes no NUL")
    func lateNULAfterOneway() throws {
        let connection = try Connection()
        try connection.receive(#"{"method":"org.example.test.Echo","oneway":true}"# + "\n")
        try connection.receive("\0" + echo + "\0")
        #expect(try connection.written() == reply + "\0")
    }

    /// On a socket that keeps apart what is written apart.
    @Test("the replies of one burst are written at once")
    func oneWrite() throws {
        let connection = try Connection(kind: SOCK_SEQPACKET)
        try connection.receive(String(repeating: echo + "\0", count: 20))
        #expect(connection.readOnce() == String(repeating: reply + "\0", count: 20))
        #expect(connection.readOnce() == nil)
    }

    @Test("reading stops at the limit of unanswered calls, and goes on when there is room")
    func readingStops() throws {
        var limits = VarlinkLimits()
        limits.unansweredCalls = 3
        let connection = try Connection(limits: limits)
        try connection.receive(hold + "\0" + hold + "\0")
        #expect(!connection.handler.hasUnreadBytes)
        try connection.receive(hold + "\0")
        try connection.receive(hold + "\0")
        #expect(connection.handler.hasUnreadBytes)
        connection.service.takeHeld().send([:])
        connection.loop.turn(waits: false)
        #expect(!connection.handler.hasUnreadBytes)
    }

    @Test("a client that does not read has the answer it is owed when it reads, and its later calls then")
    func congestion() throws {
        var limits = VarlinkLimits()
        // The calls wait for the client, not for the end of its time.
        limits.patience = .seconds(3600)
        let connection = try Connection(limits: limits)
        let fill = #"{"method":"org.example.test.Fill","parameters":{"bytes":50000}}"# + "\0"
        try connection.receive(String(repeating: fill, count: 12))
        #expect(connection.handler.isCongested)
        #expect(connection.service.log.change { $0.calls.count } < 12)
        var (text, turns) = ("", 0)
        while text.utf8.filter({ $0 == 0 }).count < 12, turns < 1000 {
            text += try connection.written()
            connection.loop.turn(waits: false)
            turns += 1
        }
        #expect(text.utf8.count == 12 * (#"{"parameters":{"text":""}}"#.utf8.count + 50001))
        #expect(!connection.handler.isCongested)
        #expect(connection.handler.output.isEmpty)
    }

    @Test("what a client sends is wiped from the memory that connections share, also where nobody looks at it any more")
    func wiping() throws {
        let connection = try Connection()
        let shared = connection.handler.listener.received
        shared.initializeMemory(as: UInt8.self, repeating: 0)
        try connection.receive(echo + "\0")
        #expect(shared.allSatisfy { $0 == 0 })
        try connection.receive("nonsense\0")
        #expect(connection.handler.phase == .ending)
        try connection.receive(echo + "\0")
        #expect(shared.allSatisfy { $0 == 0 })
    }

    private let oneway = #"{"method":"org.example.test.Echo","oneway":true}"# + "\0"

    @Test("a burst whose client has gone is carried out in as many turns as another")
    func burstOfTheGone() throws {
        let connection = try Connection()
        connection.leave(String(repeating: oneway, count: 200))
        for (calls, phase) in [(64, ConnectionMachine.Phase.departed), (128, .departed), (192, .departed), (200, .closed), (200, .closed)] {
            connection.loop.turn(waits: false)
            #expect(connection.service.log.change { $0.calls.count } == calls)
            #expect(connection.handler.phase == phase)
        }
        #expect(connection.service.log.change { $0.closed } == 1)
    }

    @Test("64 calls whose client has gone take one turn")
    func largestTurn() throws {
        let connection = try Connection()
        connection.leave(String(repeating: oneway, count: 64))
        connection.loop.turn(waits: false)
        #expect(connection.service.log.change { $0.calls.count } == 64)
        #expect(connection.handler.phase == .closed)
    }

    @Test("where a listener closes, what clients that have gone left waiting is dropped")
    func closedAfterDeparture() throws {
        let connection = try Connection()
        connection.leave(hold + "\0" + oneway)
        connection.loop.turn(waits: false)
        #expect(connection.handler.phase == .departed)
        #expect(connection.handler.listener.connections.count.value == 1)
        connection.handler.listener.connections.closeAll()
        #expect(connection.handler.phase == .closed)
        connection.service.takeHeld().send([:])
        #expect(connection.service.log.change { $0.calls.count } == 1)
        #expect(connection.handler.listener.connections.count.value == 0)
    }

    @Test("what was read or written is not left in the memory that connections share")
    func sharedMemoryIsWiped() throws {
        let connection = try Connection()
        try connection.receive(echo + "\0")
        #expect(try connection.written() == reply + "\0")
        let listener = connection.handler.listener
        #expect(listener.received.prefix(echo.utf8.count).allSatisfy { $0 == 0 })
        #expect(listener.spareOutput.capacity > 0 && connection.handler.output.capacity == 0)
    }

    @Test("a stream has the same replies in whatever pieces it comes", arguments: 0..<30)
    func anyPieces(seed: UInt64) throws {
        var generator = SplitMix(state: seed)
        let words = [
            echo + "\0", echo + "\n", echo + "\n\0", echo, "\n", "\0", " ", "{}\0", "{}\n", "{\n}\n", "{", "}", "\"", "x",
            #"{"method":"org.example.test.Stream","parameters":{"count":2},"more":true}"# + "\n",
            #"{"method":"org.example.test.Echo","oneway":true}"# + "\0",
            echo.split(separator: ",").joined(separator: "\n,\n") + "\n",
        ]
        for _ in 0..<30 {
            let bytes = (0..<Int.random(in: 1...6, using: &generator)).flatMap { _ in
                Array((words.randomElement(using: &generator) ?? "").utf8)
            }
            let whole = try Connection()
            try whole.receive(bytes)
            let pieces = try Connection()
            var rest = bytes[...]
            while !rest.isEmpty {
                let count = Int.random(in: 1...min(rest.count, 40), using: &generator)
                try pieces.receive(Array(rest.prefix(count)))
                rest = rest.dropFirst(count)
            }
            // If a newline's reply went out before the NUL came, it ends in both.
            let bodies = { (text: String) in text.split { $0 == "\0" || $0 == "\n" } }
            let expected = try whole.written()
            let found = try pieces.written()
            #expect(bodies(found) == bodies(expected), "\(String(decoding: bytes, as: UTF8.self).debugDescription)")
            // After a broken message nothing is read any more, a late NUL neither.
            #expect(pieces.handler.phase == whole.handler.phase)
            if whole.handler.phase == .serving { #expect(found.utf8.last == expected.utf8.last) }
        }
    }
}

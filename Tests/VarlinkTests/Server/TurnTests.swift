import Glibc
import Reactor
import Synchronization
import Testing
import Varlink

@testable import VarlinkServer

/// A loop that turns when a test says so, and whose clock is the test's.
@Suite("What one turn of the loop does")
struct TurnTests {
    private final class SlowService: VarlinkService {
        let interfaces = [
            VarlinkInterface(name: "org.example.slow", description: "interface org.example.slow\nmethod Work() -> ()")
        ]
        let calls = Atomic<Int>(0)
        let clock: TestClock
        let microseconds: UInt64

        init(_ clock: TestClock, callsTake microseconds: UInt64) {
            self.clock = clock
            self.microseconds = microseconds
        }

        func handle(_ call: VarlinkCall, from peer: VarlinkPeer, reply: VarlinkReplyHandle) {
            calls.add(1, ordering: .relaxed)
            clock.pass(microseconds: microseconds)
            reply.send([:])
        }
    }

    @Test("many new connections are accepted in one turn, and a crowd of them in several")
    func accepting() throws {
        let directory = TemporaryDirectory()
        let (service, loop) = (TestService(), try TestClock().makeLoop())
        let path = "\(directory.path)/s"
        let listener = try VarlinkListener(.path(path), service: service, info: TestServer.info, on: loop)
        defer { listener.close() }
        let clients = try (0..<40).map { _ in try RawClient(path: path) }
        var opened: [Int] = []
        for _ in 0..<4 {
            loop.turn(waits: false)
            opened.append(service.log.change { $0.opened })
        }
        #expect(opened == [16, 32, 40, 40])
        withExtendedLifetime(clients) {}
    }

    @Test(
        "a connection with many long calls leaves the others their turn after a millisecond",
        arguments: [(300, [4, 8, 12]), (20_000, [1, 2, 3])] as [(UInt64, [Int])])
    func longCalls(microseconds: UInt64, expected: [Int]) throws {
        let directory = TemporaryDirectory()
        let clock = TestClock()
        let (service, loop) = (SlowService(clock, callsTake: microseconds), try clock.makeLoop())
        let path = "\(directory.path)/s"
        let listener = try VarlinkListener(.path(path), service: service, info: TestServer.info, on: loop)
        defer { listener.close() }
        let client = try RawClient(path: path)
        loop.turn(waits: false)
        let call = #"{"method":"org.example.slow.Work"}"# + "\0"
        try client.send(String(repeating: call, count: 12))
        var done: [Int] = []
        for _ in 0..<3 {
            loop.turn(waits: false)
            done.append(service.calls.load(ordering: .relaxed))
        }
        #expect(done == expected)
        for _ in 0..<expected[2] { #expect(try client.receive() == #"{"parameters":{}}"#) }
    }

    @Test("a client that reads a long reply slowly is waited for, and one that stops reading is closed", arguments: [true, false])
    func slowReader(readsOn: Bool) throws {
        let directory = TemporaryDirectory()
        let clock = TestClock()
        let (service, loop) = (TestService(), try clock.makeLoop())
        let path = "\(directory.path)/s"
        let listener = try VarlinkListener(.path(path), service: service, info: TestServer.info, on: loop)
        defer { listener.close() }
        let client = try RawClient(path: path)
        loop.turn(waits: false)
        let length = 2 << 20
        let call = #"{"method":"org.example.test.Fill","parameters":{"bytes":\#(length)}}"# + "\0"
        try client.send(call + call)
        loop.turn(waits: false)
        var (received, rounds) = (0, 0)
        var chunk = [UInt8](repeating: 0, count: 64 << 10)
        while received < 2 * length, rounds < 200, service.log.change({ $0.closed == 0 }) {
            // What the kernel holds, a small part of it all.
            while readsOn || rounds < 3 {
                let count = recv(client.descriptor, &chunk, chunk.count, CInt(MSG_DONTWAIT))
                guard count > 0 else { break }
                received += count
            }
            loop.turn(waits: false)
            // The patience with a client that reads nothing.
            clock.pass(microseconds: 250_000)
            loop.turn(waits: false)
            rounds += 1
        }
        #expect((received >= 2 * length) == readsOn && service.log.change { $0.closed == (readsOn ? 0 : 1) })
        #expect(service.log.change { $0.cutOff.count } == (readsOn ? 0 : 1))
    }
}

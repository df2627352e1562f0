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

        init(_ clock: TestClock) { self.clock = clock }

        func handle(_ call: VarlinkCall, from peer: VarlinkPeer, reply: VarlinkReplyHandle) {
            calls.add(1, ordering: .relaxed)
            clock.pass(microseconds: 300)
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

    @Test("a connection with many long calls leaves the others their turn after a millisecond")
    func longCalls() throws {
        let directory = TemporaryDirectory()
        let clock = TestClock()
        let (service, loop) = (SlowService(clock), try clock.makeLoop())
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
        // The first of a burst is not timed, since most calls come alone.
        #expect(done == [5, 10, 12])
        for _ in 0..<12 { #expect(try client.receive() == #"{"parameters":{}}"#) }
    }
}

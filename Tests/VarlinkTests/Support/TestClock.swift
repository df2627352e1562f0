import Reactor
import Synchronization
import Testing

/// A loop's clock on which only as much time passes as a test says, and a nanosecond with each look at it.
final class TestClock: Sendable {
    private let time = Atomic<UInt64>(0)

    var now: UInt64 { time.add(1, ordering: .relaxed).newValue }

    func pass(microseconds: UInt64) { time.add(microseconds * 1000, ordering: .relaxed) }

    /// Its thread is the caller's, who turns it.
    func makeLoop() throws -> EpollLoop {
        let made = EpollLoop(clock: { self.now })
        let loop = try #require(made)
        loop.turn(waits: false)
        return loop
    }
}

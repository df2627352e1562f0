import Glibc
import Synchronization

/// Holds threads up until it is opened; for services of a test, whose threads may wait.
final class Gate: Sendable {
    private let isOpen = Atomic<Bool>(false)
    private let count = Atomic<Int>(0)

    func open() { isOpen.store(true, ordering: .releasing) }

    /// Gives up after half a minute: a test that has failed must not hang.
    func waitUntilOpen() {
        for _ in 0..<30_000 where !isOpen.load(ordering: .acquiring) { poll(nil, 0, 1) }
    }

    /// Counts up, and returns the new count.
    func visits() -> Int { count.wrappingAdd(1, ordering: .relaxed).newValue }
}

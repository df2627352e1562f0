import PosternApplication
import PosternCore
import PosternCrypto
import Synchronization

/// A clock that the test sets.
final class FakeClock: WallClock {
    private let milliseconds = Mutex<(now: Int64, uptime: Int64)>((1_800_000_000_000, 1_000_000))

    var now: Timestamp { Timestamp(milliseconds: milliseconds.withLock { $0.now }) }
    var uptime: Int64 { milliseconds.withLock { $0.uptime } / 1000 }

    func advance(milliseconds by: Int64) {
        milliseconds.withLock {
            $0.now += by
            $0.uptime += by
        }
    }

    /// Somebody sets the wall clock.
    func set(now: Timestamp) { milliseconds.withLock { $0.now = now.milliseconds } }
}

/// Timers that fire when the test lets the time pass.
@DaemonActor
final class FakeTimers: Timers {
    fileprivate final class Timer: PendingTimer {
        let due: Int64
        let body: @Sendable @DaemonActor () -> Void
        var isCancelled = false

        init(due: Int64, body: @escaping @Sendable @DaemonActor () -> Void) {
            self.due = due
            self.body = body
        }

        func cancel() { isCancelled = true }
    }

    private var timers: [Timer] = []
    private(set) var elapsed: Int64 = 0

    nonisolated init() {}

    func after(milliseconds: Int64, _ body: @escaping @Sendable @DaemonActor () -> Void) -> any PendingTimer {
        let timer = Timer(due: elapsed + max(1, milliseconds), body: body)
        timers.append(timer)
        return timer
    }

    /// Milliseconds until the next one fires; nil if none waits.
    var untilNext: Int64? { timers.filter { !$0.isCancelled }.map(\.due).min().map { $0 - elapsed } }

    /// Fires what is due after that time, in order.
    func advance(milliseconds: Int64) {
        elapsed += milliseconds
        let due = timers.filter { $0.due <= elapsed && !$0.isCancelled }.sorted { $0.due < $1.due }
        timers.removeAll { $0.due <= elapsed || $0.isCancelled }
        for timer in due where !timer.isCancelled { timer.body() }
    }
}

/// Values that are the same in every run, and different from each other.
final class CountingRandomness: Randomness {
    private let count = Mutex<UInt64>(0)

    func bytes(_ count: Int) throws(RandomnessFailure) -> [UInt8] {
        let seed = self.count.withLock { value -> UInt64 in
            value += 1
            return value
        }
        var state = seed &* 0x9E37_79B9_7F4A_7C15
        return (0..<count).map { _ in
            state ^= state >> 12
            state ^= state << 25
            state ^= state >> 27
            return UInt8(truncatingIfNeeded: (state &* 0x2545_F491_4F6C_DD1D) >> 56)
        }
    }

    func proofKey() throws(RandomnessFailure) -> DPoPKey {
        do throws(CryptoError) {
            let key = try SigningKey.generateES256()
            guard case .p256(let x, let y) = key.publicKey, let made = DPoPKey(privateKeyPEM: try key.pem(), x: x, y: y) else {
                throw CryptoError(.invalidKey, "the new key is not on P-256")
            }
            return made
        } catch { throw RandomnessFailure("\(error)") }
    }
}

import Glibc

/// An instant of the monotonic clock.
struct Deadline {
    private let nanoseconds: Int64

    /// Nil for a wait without end. A timeout too long to count is no end either.
    init?(after timeout: Duration?) {
        guard let timeout else { return nil }
        let (seconds, attoseconds) = timeout.components
        guard seconds < 1_000_000_000 else { return nil }
        nanoseconds = Self.now &+ max(seconds, 0) * 1_000_000_000 &+ max(attoseconds, 0) / 1_000_000_000
    }

    /// For `poll`: rounded up, so that a wait never ends before the deadline.
    var remainingMilliseconds: CInt {
        let remaining = max(0, nanoseconds - Self.now)
        return CInt(clamping: (remaining + 999_999) / 1_000_000)
    }

    private static var now: Int64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }
}

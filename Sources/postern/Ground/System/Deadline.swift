import Glibc

/// The time by which something must have happened.
struct Deadline {
    private let end: Int64

    init(milliseconds: Int64) { end = MonotonicClock.milliseconds + milliseconds }

    /// For `poll`: never negative, since that would wait forever.
    var remaining: Int32 { Int32(clamping: max(0, end - MonotonicClock.milliseconds)) }

    /// Waits until one of the descriptors is ready.
    ///
    /// - Returns: which ones are ready; all false after the deadline.
    func wait(for events: Int, on descriptors: [Int32]) -> [Bool] {
        var polled = descriptors.map { pollfd(fd: $0, events: Int16(truncatingIfNeeded: events), revents: 0) }
        while true {
            let count = poll(&polled, nfds_t(polled.count), remaining)
            if count < 0, errno == EINTR { continue }
            return count > 0 ? polled.map { $0.revents != 0 } : polled.map { _ in false }
        }
    }
}

enum MonotonicClock {
    /// Milliseconds of a clock that never goes back.
    static var milliseconds: Int64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
    }
}

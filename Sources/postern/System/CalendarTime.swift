import Glibc

/// The time of the calendar, in seconds since 1970.
enum CalendarTime {
    static var now: Int64 { Int64(time(nil)) }

    /// Waits for a moment, also over a suspended machine and a clock that was set.
    static func sleep(until seconds: Int64) {
        var moment = timespec(tv_sec: Int(seconds), tv_nsec: 0)
        while clock_nanosleep(CLOCK_REALTIME, TIMER_ABSTIME, &moment, nil) == EINTR {}
    }
}

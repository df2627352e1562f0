import Glibc

/// Calendar time, in seconds since 1970.
enum CalendarTime {
    static var now: Int64 { Int64(time(nil)) }

    /// Sleeps until a given time, even if the machine is suspended or the clock is set meanwhile.
    static func sleep(until seconds: Int64) {
        var moment = timespec(tv_sec: Int(seconds), tv_nsec: 0)
        while clock_nanosleep(CLOCK_REALTIME, TIMER_ABSTIME, &moment, nil) == EINTR {}
    }
}

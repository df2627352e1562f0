import Glibc
import PosternValues

enum SystemClock {
    static var now: Timestamp {
        var time = timespec()
        // Cannot fail for this clock.
        clock_gettime(CLOCK_REALTIME, &time)
        return Timestamp(milliseconds: Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000)
    }
}

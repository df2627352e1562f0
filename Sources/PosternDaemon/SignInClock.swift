import Glibc
import PosternCore

/// The wall clock for sign-ins, with a second one beside it that nobody can set back.
@DaemonActor
enum SignInClock {
    private static var moments = SignInMoments(uptime: uptime)

    /// For the moment of a sign-in, which ``recency`` can judge then.
    static var now: Timestamp {
        let now = WallClock.now
        moments.passed(now, uptime: uptime)
        return now
    }

    /// Whether a sign-in is recent, as of now; to be carried into a transaction.
    static var recency: @Sendable (AppSignIn) -> Bool {
        let (moments, now, uptime) = (moments, WallClock.now, uptime)
        return { moments.isRecent($0, now: now, uptime: uptime) }
    }

    /// To be read once at the start of the daemon: what came before is older than that.
    static func start() { _ = moments }

    /// Seconds since the machine started, its sleep among them.
    private static var uptime: Int64 {
        var time = timespec()
        clock_gettime(CLOCK_BOOTTIME, &time)
        return Int64(time.tv_sec)
    }
}

import PosternCore

/// The wall clock for sign-ins, together with a second one that nobody can set back.
@DaemonActor
public final class SignInClock {
    private let clock: any WallClock
    /// Read once at the start of the daemon: anything before it is older than that.
    private var moments: SignInMoments

    init(_ clock: any WallClock) {
        self.clock = clock
        moments = SignInMoments(uptime: clock.uptime)
    }

    /// The moment of a new sign-in, which ``recency`` can judge later.
    var now: Timestamp {
        let now = clock.now
        moments.passed(now, uptime: clock.uptime)
        return now
    }

    /// The proof, with its moment known to ``recency`` however the wall clock is set later.
    func noted(_ proof: Proof) -> Proof {
        if let seenAt = proof.seenAt {
            moments.passed(seenAt, uptime: clock.uptime - (clock.now.milliseconds - seenAt.milliseconds) / 1000)
        }
        return proof
    }

    /// Whether a sign-in is recent, as of now; to be passed to a transaction.
    var recency: @Sendable (AppSignIn) -> Bool {
        let (moments, now, uptime) = (moments, clock.now, clock.uptime)
        return { moments.isRecent($0, now: now, uptime: uptime) }
    }
}

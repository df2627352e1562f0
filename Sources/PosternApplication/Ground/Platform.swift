import PosternCore

/// What the application uses of the machine that it runs on: the time, timers, random values, cryptography, and the work that it has
/// started.
@DaemonActor
public final class Platform {
    public let clock: any WallClock
    public let timers: any Timers
    public let randomness: any Randomness
    public let cryptography: any Cryptography
    /// All independent work.
    public let work: WorkTracker
    /// The moments of sign-ins, which nobody can make recent by setting the clock back.
    public let signIns: SignInClock
    /// The daemon is about to end: work under way is waited for, and whatever starts now would be cut off.
    var isEnding = false
    private(set) weak var observer: (any ApplicationObserver)?

    public init(
        clock: any WallClock, timers: any Timers, randomness: any Randomness, cryptography: any Cryptography,
        observer: (any ApplicationObserver)? = nil
    ) {
        self.clock = clock
        self.timers = timers
        self.randomness = randomness
        self.cryptography = cryptography
        self.observer = observer
        work = WorkTracker()
        signIns = SignInClock(clock)
    }

    public var now: Timestamp { clock.now }

    /// Something began or ended, which may allow the daemon to become idle or prevent it.
    func activityChanged() { observer?.activityChanged() }

    /// True if the next start runs another program; nil if not.
    var isReplaced: Bool? { observer?.isReplaced == true ? true : nil }

    /// 256 random bits as text.
    func randomToken() throws(RandomnessFailure) -> Secret { Secret(Base64URL.encode(try randomness.bytes(32))) }
}

/// The time of day. Expiry is judged by it: tokens and states keep ageing while the machine sleeps.
public protocol WallClock: Sendable {
    var now: Timestamp { get }
    /// Seconds since the machine started, including its sleep; nobody can set it back.
    var uptime: Int64 { get }
}

/// Calls back later.
@DaemonActor
public protocol Timers: AnyObject {
    /// - Parameter milliseconds: from now on; less than 1 counts as 1.
    /// - Returns: what cancels it. A timer that nobody holds fires anyway.
    @discardableResult
    func after(milliseconds: Int64, _ body: @escaping @Sendable @DaemonActor () -> Void) -> any PendingTimer
}

/// A scheduled call.
@DaemonActor
public protocol PendingTimer: AnyObject {
    func cancel()
}

extension Timers {
    /// Calls back at that moment of the wall clock, or at once if it is past.
    @discardableResult
    func at(_ moment: Timestamp, now: Timestamp, _ body: @escaping @Sendable @DaemonActor () -> Void) -> any PendingTimer {
        after(milliseconds: max(1, moment.milliseconds - now.milliseconds), body)
    }
}

/// Values that nobody can guess.
public protocol Randomness: Sendable {
    func bytes(_ count: Int) throws(RandomnessFailure) -> [UInt8]
    /// A new key for one sign-in and its credential (RFC 9449).
    func proofKey() throws(RandomnessFailure) -> DPoPKey
}

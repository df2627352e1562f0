import PosternCore

/// Ends an idle daemon that systemd starts again on demand.
///
/// Activity only notes the time, which costs nothing; one timer looks at it when the interval may have passed, so an idle
/// daemon wakes once before it ends, and one that a silent client keeps wakes once an interval.
@DaemonActor
public final class IdleExit {
    /// Who can be idle.
    @DaemonActor
    public protocol Subject: AnyObject, Sendable {
        /// A client is connected, a sign-in waits, or something is under way.
        var isBusy: Bool { get }
        /// Begins the orderly end.
        func endIdle()
    }

    /// In seconds; nil: never.
    public var interval: Int64? {
        didSet { if interval != oldValue { look() } }
    }
    private weak var subject: (any Subject)?
    private let clock: any WallClock
    private let timers: any Timers
    /// By ``WallClock/uptime``.
    private var lastActivity: Int64
    private var timer: (any PendingTimer)?

    public init(_ subject: any Subject, interval: Int64?, clock: any WallClock, timers: any Timers) {
        self.subject = subject
        self.clock = clock
        self.timers = timers
        self.interval = interval
        lastActivity = clock.uptime
        look()
    }

    /// Something began or ended.
    public func activityChanged() { lastActivity = clock.uptime }

    private func look() {
        timer?.cancel()
        guard let interval else { return }
        let seconds = lastActivity + interval - clock.uptime
        timer = timers.after(milliseconds: max(1, seconds) * 1000) { [weak self] in self?.momentReached() }
    }

    private func momentReached() {
        guard let interval, let subject else { return }
        let now = clock.uptime
        if subject.isBusy { lastActivity = now }
        if now - lastActivity >= interval { subject.endIdle() } else { look() }
    }
}

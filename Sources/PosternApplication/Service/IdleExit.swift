import PosternCore

/// Ends an idle daemon that systemd starts again on demand.
///
/// Activity only records the time, which costs nothing; one timer checks it when the interval may have passed, so an idle daemon wakes once
/// before it ends, and one with a silent client wakes once per interval.
///
/// A daemon whose program was replaced, for example by an upgrade, does not wait for the interval: it ends in the first quiet second after
/// something began or ended, so that the next call starts the new program.
@DaemonActor
public final class IdleExit {
    /// What can be idle.
    @DaemonActor
    public protocol Subject: AnyObject, Sendable {
        /// A client is connected, a sign-in waits, or something is under way.
        var isBusy: Bool { get }
        /// Begins an orderly shutdown.
        func endIdle()
        /// The program's file was replaced or removed.
        var isReplaced: Bool { get }
    }

    /// How many seconds must be quiet before a replaced daemon ends: a client that makes one call after another, each on a new connection,
    /// is not cut off between them.
    private static let quiet: Int64 = 1

    /// In seconds; nil for never.
    public var interval: Int64? {
        didSet { if interval != oldValue { look() } }
    }
    private weak var subject: (any Subject)?
    private let clock: any WallClock
    private let timers: any Timers
    /// By ``WallClock/uptime``.
    private var lastActivity: Int64
    private var timer: (any PendingTimer)?
    private var isReplaced = false
    private var pendingCheck: (any PendingTimer)?

    public init(_ subject: any Subject, interval: Int64?, clock: any WallClock, timers: any Timers) {
        self.subject = subject
        self.clock = clock
        self.timers = timers
        self.interval = interval
        lastActivity = clock.uptime
        look()
    }

    /// Something began or ended.
    public func activityChanged() {
        let before = lastActivity
        lastActivity = clock.uptime
        guard interval != nil, let subject else { return }
        // The check costs a system call, so it is made at most once a second. For a daemon that never ends by itself it is not made.
        if !isReplaced {
            if lastActivity != before { isReplaced = subject.isReplaced } else if pendingCheck == nil { askLater() }
        }
        if isReplaced { look() }
    }

    /// Checked in this second already, and the program may have been replaced since. Nothing else may happen for as long as the daemon
    /// runs.
    private func askLater() {
        pendingCheck = timers.after(milliseconds: Self.quiet * 1000) { [weak self] in
            guard let self else { return }
            pendingCheck = nil
            guard interval != nil, !isReplaced, subject?.isReplaced == true else { return }
            isReplaced = true
            look()
        }
    }

    private func look() { look(after: patience) }

    private func look(after wait: Int64?) {
        timer?.cancel()
        guard let wait else { return }
        let seconds = lastActivity + wait - clock.uptime
        timer = timers.after(milliseconds: max(1, seconds) * 1000) { [weak self] in self?.momentReached() }
    }

    private func momentReached() {
        guard let patience, let subject else { return }
        let now = clock.uptime
        if subject.isBusy {
            lastActivity = now
            // The end of what is under way is an activity, too.
            look(after: interval)
        } else if now - lastActivity >= patience {
            subject.endIdle()
        } else {
            look()
        }
    }

    /// Nil for never.
    private var patience: Int64? { interval.map { isReplaced ? min($0, Self.quiet) : $0 } }
}

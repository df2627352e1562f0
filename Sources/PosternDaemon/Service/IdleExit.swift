import NIOCore

/// Ends an idle daemon that systemd starts again on demand.
///
/// Activity only notes the time, which costs nothing; one timer looks at it when the interval may have passed, so an idle
/// daemon wakes once before it ends, and one that a silent client keeps wakes once an interval.
@DaemonActor
final class IdleExit {
    /// Nil: never.
    var interval: TimeAmount? {
        didSet { if interval != oldValue { look() } }
    }
    private let isBusy: @DaemonActor () -> Bool
    private let end: @DaemonActor () -> Void
    private var lastActivity = NIODeadline.now()
    private var timer: Scheduled<Void>?

    /// - Parameters:
    ///   - isBusy: a client is connected, a sign-in waits, or a request to a provider is under way.
    ///   - end: begins the orderly end.
    init(isBusy: @escaping @DaemonActor () -> Bool, end: @escaping @DaemonActor () -> Void) {
        self.isBusy = isBusy
        self.end = end
    }

    /// Something began or ended.
    func activityChanged() { lastActivity = .now() }

    private func look() {
        timer?.cancel()
        guard let interval else { return }
        timer = DaemonActor.shared.eventLoop.scheduleTask(deadline: lastActivity + interval) { [weak self] in
            DaemonActor.assumeIsolated { self?.momentReached() }
        }
    }

    private func momentReached() {
        guard let interval else { return }
        let now = NIODeadline.now()
        if isBusy() { lastActivity = now }
        if now - lastActivity >= interval { end() } else { look() }
    }
}

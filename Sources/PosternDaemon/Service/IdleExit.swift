import NIOCore

/// Ends an idle daemon that systemd starts again on demand.
///
/// A deadline is set when the last reason to stay goes, and dropped when a new one comes: an idle daemon has one timer and
/// no wake-up before it.
@DaemonActor
final class IdleExit {
    private let interval: TimeAmount
    private let isBusy: @DaemonActor () -> Bool
    private let end: @DaemonActor () -> Void
    private var deadline: Scheduled<Void>?

    /// - Parameters:
    ///   - isBusy: a client is connected, a sign-in waits, or a request to a provider is under way.
    ///   - end: begins the orderly end.
    init(interval: TimeAmount, isBusy: @escaping @DaemonActor () -> Bool, end: @escaping @DaemonActor () -> Void) {
        self.interval = interval
        self.isBusy = isBusy
        self.end = end
        activityChanged()
    }

    /// Something began or ended.
    func activityChanged() {
        deadline?.cancel()
        deadline = nil
        guard !isBusy() else { return }
        deadline = DaemonActor.shared.eventLoop.scheduleTask(in: interval) { [weak self] in
            DaemonActor.assumeIsolated { self?.deadlineReached() }
        }
    }

    private func deadlineReached() {
        deadline = nil
        if isBusy() { activityChanged() } else { end() }
    }
}

/// Returns freed memory to the system, at quiet moments.
///
/// malloc keeps freed memory between pieces that are still in use. After hundreds of simultaneous connections that is some MiB, for as long
/// as the daemon lives. Returning it takes up to a millisecond, and allocating it again some more, so it is done once no client has
/// connected or disconnected for a second or two, and not again until one has. It does not wake an idle daemon.
@DaemonActor
public final class FreedMemory {
    /// In milliseconds.
    private static let quiet: Int64 = 1000

    private let timers: any Timers
    private let giveBack: @DaemonActor () -> Void
    private var isWaiting = false
    /// Something began or ended since the timer was set.
    private var hasChanged = false

    public init(timers: any Timers, giveBack: @escaping @DaemonActor () -> Void) {
        self.timers = timers
        self.giveBack = giveBack
    }

    /// Something began or ended, which happens often: only this is recorded.
    public func activityChanged() {
        hasChanged = true
        if !isWaiting { wait() }
    }

    private func wait() {
        isWaiting = true
        hasChanged = false
        timers.after(milliseconds: Self.quiet) { [weak self] in self?.momentReached() }
    }

    private func momentReached() {
        guard !hasChanged else { return wait() }
        isWaiting = false
        giveBack()
    }
}

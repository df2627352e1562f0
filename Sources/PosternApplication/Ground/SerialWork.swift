/// Runs one piece of work at a time, in the order of arrival.
@DaemonActor
public final class SerialWork {
    private var isRunning = false
    private let room = WaitingRoom<Void>()

    public nonisolated init() {}

    /// Returns when it is the caller's turn, which lasts until ``end()``.
    public func begin() async {
        while isRunning {
            // The turn is handed over, so that no later caller gets in between.
            if await room.wait(while: { isRunning }) != nil { return }
        }
        isRunning = true
    }

    public func end() {
        if room.isEmpty { isRunning = false } else { room.releaseFirst(with: ()) }
    }
}

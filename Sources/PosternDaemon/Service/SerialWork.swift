/// Lets one piece of work at a time through, in the order in which they came.
@DaemonActor
final class SerialWork {
    private var isRunning = false
    private var waiting: [CheckedContinuation<Void, Never>] = []

    var isBusy: Bool { isRunning }

    /// Returns when it is the caller's turn, which lasts until ``end()``.
    func begin() async {
        guard isRunning else {
            isRunning = true
            return
        }
        await withCheckedContinuation { waiting.append($0) }
    }

    func end() {
        // The turn goes straight to the next one: nobody who comes now gets between.
        if waiting.isEmpty { isRunning = false } else { waiting.removeFirst().resume() }
    }
}

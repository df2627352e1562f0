import PosternCore
import PosternInterface

/// The callers of `Monitor`.
extension EventLog {
    typealias Listener = @DaemonActor (Interface.Monitor.Reply) -> Void

    /// - Returns: the argument for ``remove(_:)``.
    func add(_ listener: @escaping Listener) -> UInt64 {
        lastListener += 1
        listeners[lastListener] = listener
        return lastListener
    }

    /// Reports to the caller what happens from now on. Returns when it has disconnected.
    func follow(_ replies: Replies<Interface.Monitor.Reply>) async {
        let gone = Promise<Void>()
        let listener = add { replies.send($0) }
        await withTaskCancellationHandler {
            await gone.value
        } onCancel: {
            DaemonActor.assumeIsolated { _ = gone.fulfill(()) }
        }
        remove(listener)
    }

    /// Somebody listens.
    var isWatched: Bool { !listeners.isEmpty }

    func remove(_ id: UInt64) { listeners[id] = nil }

    func tellListeners(_ event: Interface.Monitor.Reply) {
        for listener in listeners.values { listener(event) }
    }
}

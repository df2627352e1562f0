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
    ///
    /// - Throws: if the caller accepts only one reply.
    func follow(_ reply: any InterfaceReply) async throws(InterfaceError) {
        guard reply.wantsMore else { throw .expectedMore }
        let gone = Promise<Void>()
        let listener = add { reply.send($0, continues: true) }
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

import PosternCore
import PosternInterface

/// Those who asked with `Monitor`.
extension EventLog {
    typealias Listener = @DaemonActor (Interface.Monitor.Reply) -> Void

    /// - Returns: what ``remove(_:)`` takes.
    func add(_ listener: @escaping Listener) -> UInt64 {
        lastListener += 1
        listeners[lastListener] = listener
        return lastListener
    }

    /// The method `Monitor`.
    func monitor(_ call: InterfaceCall, _ reply: any InterfaceReply) throws {
        _ = try Interface.Monitor(object: call.parameters)
        guard call.more else { throw InterfaceError.expectedMore }
        let listener = add { reply.send($0, continues: true) }
        reply.onCancel { self.remove(listener) }
    }

    /// Somebody listens.
    var isWatched: Bool { !listeners.isEmpty }

    func remove(_ id: UInt64) { listeners[id] = nil }

    func tellListeners(_ event: Interface.Monitor.Reply) {
        for listener in listeners.values { listener(event) }
    }
}

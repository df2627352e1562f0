/// Callers that wait for something that another caller is doing.
///
/// Whether it is still under way is checked again when a caller has really entered the room: on the way there the event loop may have done
/// other work, because entering an async function can take a turn of the executor. A caller that came too late would otherwise wait
/// forever.
@DaemonActor
final class WaitingRoom<Value: Sendable> {
    private var waiting: [CheckedContinuation<Value?, Never>] = []

    nonisolated init() {}

    var isEmpty: Bool { waiting.isEmpty }

    /// - Parameter isUnderWay: there is something to wait for.
    /// - Returns: the result; nil if it was over before.
    func wait(while isUnderWay: @DaemonActor () -> Bool) async -> Value? {
        await withCheckedContinuation { continuation in
            if isUnderWay() { waiting.append(continuation) } else { continuation.resume(returning: nil) }
        }
    }

    /// Releases everybody who waits.
    func release(with value: Value) {
        let released = waiting
        waiting = []
        for continuation in released { continuation.resume(returning: value) }
    }

    /// Releases the first caller.
    func releaseFirst(with value: Value) {
        if !waiting.isEmpty { waiting.removeFirst().resume(returning: value) }
    }
}

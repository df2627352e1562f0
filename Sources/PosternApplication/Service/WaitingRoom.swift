/// Those who wait for something that somebody else is doing.
///
/// Whether it is still being done is asked again at the moment that somebody is really in the room: on the way there the event
/// loop may have done other work, for entering an async function can take a turn of the executor. Who then came too late would
/// wait for ever.
@DaemonActor
final class WaitingRoom<Value: Sendable> {
    private var waiting: [CheckedContinuation<Value?, Never>] = []

    nonisolated init() {}

    var isEmpty: Bool { waiting.isEmpty }

    /// - Parameter isUnderWay: there is something to wait for.
    /// - Returns: what it came to; nil if it was over before.
    func wait(while isUnderWay: @DaemonActor () -> Bool) async -> Value? {
        await withCheckedContinuation { continuation in
            if isUnderWay() { waiting.append(continuation) } else { continuation.resume(returning: nil) }
        }
    }

    /// To everybody who waits.
    func release(with value: Value) {
        let released = waiting
        waiting = []
        for continuation in released { continuation.resume(returning: value) }
    }

    /// To who came first.
    func releaseFirst(with value: Value) {
        if !waiting.isEmpty { waiting.removeFirst().resume(returning: value) }
    }
}

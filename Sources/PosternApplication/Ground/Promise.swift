/// A value that will be set once, for the one caller that waits for it.
@DaemonActor
final class Promise<Value: Sendable> {
    private enum State {
        case open
        case awaited(CheckedContinuation<Value, Never>)
        case fulfilled(Value)
    }

    private var state = State.open

    nonisolated init() {}

    /// - Returns: false if it was fulfilled before; the first value stays.
    @discardableResult
    func fulfill(_ value: Value) -> Bool {
        switch state {
        case .open: state = .fulfilled(value)
        case .awaited(let continuation):
            state = .fulfilled(value)
            continuation.resume(returning: value)
        case .fulfilled: return false
        }
        return true
    }

    /// To be read once.
    var value: Value {
        get async {
            // Without a turn of the executor if the value is there.
            if case .fulfilled(let value) = state { return value }
            return await withCheckedContinuation { continuation in
                // Checked again: the value may have been set on the way here.
                if case .fulfilled(let value) = state { continuation.resume(returning: value) } else { state = .awaited(continuation) }
            }
        }
    }
}

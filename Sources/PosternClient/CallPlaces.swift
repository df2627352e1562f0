import Synchronization

/// How many calls a process makes at once. Further ones wait for their turn, in the order in which they came.
///
/// The daemon has 256 connections for all programs, and refuses further ones. Each call has a thread besides.
package final class CallPlaces: Sendable {
    /// Of this process. Half of the daemon's connections remain even if two programs need all of theirs.
    package static let shared = CallPlaces(count: 64)

    private struct Waiter {
        var id: UInt64
        var continuation: CheckedContinuation<Bool, Never>
    }

    private struct State {
        var free: Int
        var waiting: [Waiter] = []
        var lastID: UInt64 = 0
        /// Those that were cancelled before they waited.
        var cancelled: Set<UInt64> = []

        mutating func newID() -> UInt64 {
            lastID += 1
            return lastID
        }
    }

    private let state: Mutex<State>

    package init(count: Int) { state = Mutex(State(free: count)) }

    /// Runs the body when there is a place for it.
    ///
    /// - Throws: `CancellationError` if the task is cancelled before; the body is then not run.
    package func withPlace<Value>(_ body: () async throws -> Value) async throws -> Value {
        guard await take() else { throw CancellationError() }
        defer { giveBack() }
        return try await body()
    }

    private func take() async -> Bool {
        let id = state.withLock { $0.newID() }
        let isTaken = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isTaken: Bool? = state.withLock { state in
                    if state.cancelled.contains(id) { return false }
                    if state.free > 0 {
                        state.free -= 1
                        return true
                    }
                    state.waiting.append(Waiter(id: id, continuation: continuation))
                    return nil
                }
                if let isTaken { continuation.resume(returning: isTaken) }
            }
        } onCancel: {
            let waiter = state.withLock { state -> Waiter? in
                guard let index = state.waiting.firstIndex(where: { $0.id == id }) else {
                    state.cancelled.insert(id)
                    return nil
                }
                return state.waiting.remove(at: index)
            }
            waiter?.continuation.resume(returning: false)
        }
        state.withLock { _ = $0.cancelled.remove(id) }
        return isTaken
    }

    private func giveBack() {
        let next = state.withLock { state -> Waiter? in
            guard !state.waiting.isEmpty else {
                state.free += 1
                return nil
            }
            return state.waiting.removeFirst()
        }
        next?.continuation.resume(returning: true)
    }
}

/// Counts independent work, and reports when none is left.
@DaemonActor
public final class WorkTracker {
    /// What would be lost with the work.
    public enum Kind: CaseIterable, Sendable {
        /// Its result cannot be obtained again, and has yet to be stored: a provider was asked.
        case toBeKept
        /// The answer of a call, or a change that nobody waits for.
        case other
        /// A call that lasts until a user has done something, and can be repeated.
        case person

        /// What the end of the daemon waits for.
        public static let ending: [Kind] = [.toBeKept, .other]
    }

    private var counts: [Kind: Int] = [:]
    private var waiting: [(kinds: [Kind], id: UInt64, continuation: CheckedContinuation<Void, Never>)] = []
    private var lastWait: UInt64 = 0

    public nonisolated init() {}

    public func isEmpty(_ kinds: [Kind] = Kind.ending) -> Bool { kinds.allSatisfy { counts[$0, default: 0] == 0 } }

    /// Starts work that counts until it has ended.
    public func start(_ kind: Kind = .other, _ body: @escaping @Sendable @DaemonActor () async -> Void) {
        began(kind)
        DaemonActor.start {
            await body()
            self.ended(kind)
        }
    }

    /// As ``start(_:_:)``, but its first step has run when this returns.
    func startAtOnce(_ kind: Kind, _ body: @escaping @Sendable @DaemonActor () async -> Void) -> Task<Void, Never> {
        began(kind)
        return DaemonActor.startAtOnce {
            await body()
            self.ended(kind)
        }
    }

    /// Counts work that its caller waits for.
    public func count<Value, Failure>(
        _ kind: Kind = .other, _ body: @DaemonActor () async throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        began(kind)
        defer { ended(kind) }
        return try await body()
    }

    /// Returns when no work of these kinds is left, or after the given time, whichever comes first.
    public func whenEmpty(_ kinds: [Kind] = Kind.ending, within milliseconds: Int64, timers: any Timers) async {
        guard !isEmpty(kinds) else { return }
        lastWait += 1
        let id = lastWait
        let timer = timers.after(milliseconds: milliseconds) { self.giveUp(id) }
        await withCheckedContinuation { continuation in
            // Checked again: the last of it may have ended on the way here.
            if isEmpty(kinds) { continuation.resume() } else { waiting.append((kinds, id, continuation)) }
        }
        timer.cancel()
    }

    private func began(_ kind: Kind) { counts[kind, default: 0] += 1 }

    private func ended(_ kind: Kind) {
        counts[kind, default: 0] -= 1
        let ready = waiting.filter { isEmpty($0.kinds) }
        guard !ready.isEmpty else { return }
        waiting.removeAll { isEmpty($0.kinds) }
        for wait in ready { wait.continuation.resume() }
    }

    private func giveUp(_ id: UInt64) {
        guard let index = waiting.firstIndex(where: { $0.id == id }) else { return }
        waiting.remove(at: index).continuation.resume()
    }
}

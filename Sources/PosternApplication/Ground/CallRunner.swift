import PosternInterface

/// Carries out calls, each in its own task. A cancelled call has lost its caller.
@DaemonActor
struct CallRunner {
    let work: WorkTracker

    /// Ends with exactly one final reply or error through `reply`, now or later: if the answer is in memory, it is given before this
    /// returns. Nothing is started for a client that has disconnected by then.
    func run(
        _ method: Interface.Method, _ reply: any InterfaceReply,
        _ body: @escaping @Sendable @DaemonActor () async throws(InterfaceError) -> (any InterfaceObject)?
    ) {
        let carryOut: @Sendable @DaemonActor () async -> Void = {
            guard reply.isOneway || !reply.isCancelled else { return }
            do throws(InterfaceError) {
                if let last = try await body() { reply.send(last, continues: false) }
            } catch { reply.fail(error) }
        }
        let task =
            switch method.replies {
            case .one: work.startAtOnce(.other, carryOut)
            // A person is waited for.
            case .many: work.startAtOnce(.person, carryOut)
            // Lasts as long as its client likes.
            case .endless: DaemonActor.startAtOnce(carryOut)
            }
        // A client that wants no reply may disconnect, and its call is carried out anyway.
        let isWaitedFor = !reply.isOneway || method.replies != .one
        guard isWaitedFor, !reply.isCancelled else { return }
        reply.onDisconnect { task.cancel() }
    }
}

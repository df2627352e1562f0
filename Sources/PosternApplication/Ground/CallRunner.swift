import PosternInterface

/// Carries out calls, each in its own task. A cancelled call has lost its caller.
@DaemonActor
struct CallRunner {
    let work: WorkTracker

    /// Ends with exactly one final reply or error through `reply`, now or later: if the answer is in memory, it is given before this
    /// returns. Nothing is started for a client that has disconnected by then.
    func run(
        _ method: Interface.Method, more: Bool, _ reply: any InterfaceReply,
        _ body: @escaping @Sendable @DaemonActor (ReplySink) async throws(InterfaceError) -> (any InterfaceObject)?
    ) {
        let replies = ReplySink(isWanted: more, isLastWanted: !reply.isOneway) { earlier in
            DaemonActor.assumeIsolated { reply.send(earlier, continues: true) }
        }
        let carryOut: @Sendable @DaemonActor () async -> Void = {
            guard reply.isOneway || !reply.isCancelled else { return }
            do throws(InterfaceError) {
                if let last = try await body(replies) { reply.send(last, continues: false) }
            } catch { reply.fail(error) }
        }
        let task: Task<Void, Never>
        var isWaitedFor = !reply.isOneway
        switch method {
        case .monitor:
            // Lasts as long as its client likes.
            task = DaemonActor.startAtOnce(carryOut)
            isWaitedFor = true
        case .signIn, .attachSession:
            task = work.startAtOnce(.person, carryOut)
            isWaitedFor = true
        default: task = work.startAtOnce(.other, carryOut)
        }
        // A client that wants no reply may disconnect, and its call is carried out anyway.
        guard isWaitedFor, !reply.isCancelled else { return }
        reply.onCancel { task.cancel() }
    }
}

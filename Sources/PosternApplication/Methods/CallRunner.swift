import PosternInterface

/// Carries out calls, each in its own task. One that is cancelled has lost its caller.
@DaemonActor
struct CallRunner {
    let work: WorkTracker

    /// Ends with exactly one final reply or error through `reply`, now or later: what is in memory is answered before this returns.
    /// Nothing is begun for a client that has gone by then.
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
        // A client that takes no reply may go, and wants its call carried out anyway.
        guard isWaitedFor, !reply.isCancelled else { return }
        reply.onCancel { task.cancel() }
    }
}

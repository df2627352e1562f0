import NIOCore
import NIOPosix

/// The one event loop on which the daemon lives.
///
/// Sockets, timers and state share it, so a handler calls the state directly, without a hop or a lock. Nothing here uses
/// Swift Concurrency's default executor: it would wake an idle process once a second for ever.
@globalActor
public actor DaemonActor {
    public static let shared = DaemonActor()

    public nonisolated let eventLoop: any EventLoop

    private init() {
        eventLoop = MultiThreadedEventLoopGroup(numberOfThreads: 1).next()
    }

    public nonisolated var unownedExecutor: UnownedSerialExecutor { eventLoop.executor.asUnownedSerialExecutor() }

    /// Begins work that goes on by itself, on the event loop from its first step to its last.
    ///
    /// A plain `Task` would too, but for its continuations: they resume by way of the default executor unless the task
    /// prefers another.
    nonisolated static func start(_ work: @escaping @Sendable @DaemonActor () async -> Void) {
        Task(executorPreference: preference, operation: work)
    }

    private static let preference = LoopTaskExecutor(eventLoop: shared.eventLoop)

    /// Runs the body at once; for code that the event loop called, which the compiler cannot see.
    ///
    /// Off the event loop it stops the program: that is our own mistake, and a race otherwise.
    static func assumeIsolated<Result>(_ body: @DaemonActor () throws -> Result) rethrows -> Result {
        shared.preconditionIsolated()
        return try withoutActuallyEscaping(body) { escaping in
            // The same step that `MainActor.assumeIsolated` takes: isolation is no part of how a function is called.
            try unsafeBitCast(escaping, to: (() throws -> Result).self)()
        }
    }
}

extension EventLoopFuture where Value: Sendable {
    /// Waits without leaving the daemon's event loop; NIO's own `get()` would resume on the default executor.
    @DaemonActor
    func result() async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            whenComplete { continuation.resume(with: $0) }
        }
    }
}

/// Runs a task's jobs on an event loop, where they belong to no actor.
private final class LoopTaskExecutor: TaskExecutor {
    private let eventLoop: any EventLoop

    init(eventLoop: any EventLoop) { self.eventLoop = eventLoop }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        eventLoop.execute { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}

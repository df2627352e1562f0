import NIOCore
import NIOPosix
import PosternApplication
import PosternCore

/// The one event loop on which the daemon lives: sockets, timers and state share it.
enum DaemonLoop {
    static let eventLoop: any EventLoop = MultiThreadedEventLoopGroup(numberOfThreads: 1).next()

    /// Gives the daemon's actor to the event loop, once.
    static func adopt() { _ = adopted }

    private static let adopted: Void = DaemonActor.run(on: EventLoopExecutor(eventLoop))
}

extension EventLoopFuture where Value: Sendable {
    /// Waits without leaving the daemon's event loop; NIO's own `get()` would resume on the default executor.
    @DaemonActor
    func result() async -> Result<Value, any Error> {
        await withCheckedContinuation { continuation in
            whenComplete { continuation.resume(returning: $0) }
        }
    }

    /// As ``result()``.
    ///
    /// - Parameter failure: of the caller's own type. A future does not tell what it fails with.
    @DaemonActor
    func value<Failure: Error>(orThrow failure: (any Error) -> Failure) async throws(Failure) -> Value {
        switch await result() {
        case .success(let value): return value
        case .failure(let error): throw failure(error)
        }
    }
}

/// Runs jobs on the event loop.
///
/// Unchecked: what it holds besides the loop is read and written on the loop alone.
private final class EventLoopExecutor: DaemonExecutor, @unchecked Sendable {
    private let eventLoop: any EventLoop
    private var runsNextAtOnce = false

    init(_ eventLoop: any EventLoop) { self.eventLoop = eventLoop }

    func runNextAtOnce() { runsNextAtOnce = true }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        if eventLoop.inEventLoop, runsNextAtOnce {
            runsNextAtOnce = false
            run(job)
        } else {
            eventLoop.execute { self.run(job) }
        }
    }

    private func run(_ job: UnownedJob) {
        job.runSynchronously(isolatedTo: asUnownedSerialExecutor(), taskExecutor: asUnownedTaskExecutor())
    }

    func checkIsolated() { eventLoop.preconditionInEventLoop() }

    func isIsolatingCurrentContext() -> Bool? { eventLoop.inEventLoop }
}

/// Timers of the event loop.
@DaemonActor
final class LoopTimers: Timers {
    func after(milliseconds: Int64, _ body: @escaping @Sendable @DaemonActor () -> Void) -> any PendingTimer {
        LoopTimer(
            DaemonLoop.eventLoop.scheduleTask(in: .milliseconds(max(1, milliseconds))) { DaemonActor.assumeIsolated { body() } })
    }
}

@DaemonActor
private final class LoopTimer: PendingTimer {
    private let scheduled: Scheduled<Void>

    init(_ scheduled: Scheduled<Void>) { self.scheduled = scheduled }

    func cancel() { scheduled.cancel() }
}

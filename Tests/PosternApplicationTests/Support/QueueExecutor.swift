import PosternApplication
import Synchronization

/// Keeps jobs until the test runs them, in the order in which they came: the same order each time.
final class QueueExecutor: DaemonExecutor {
    /// The process has one daemon's actor, so it has one of these.
    static let shared: QueueExecutor = {
        let executor = QueueExecutor()
        DaemonActor.run(on: executor)
        return executor
    }()

    private struct State {
        var jobs: [(job: UnownedJob, store: StoreQueue?)] = []
        var isRunning = false
        var runsNextAtOnce = false
        var watcher: (@Sendable () -> Void)?
    }

    private let state = Mutex(State())

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let waits = state.withLock { state in
            guard !state.runsNextAtOnce else {
                state.runsNextAtOnce = false
                return false
            }
            state.jobs.append((job, nil))
            return true
        }
        if !waits { job.runSynchronously(isolatedTo: asUnownedSerialExecutor(), taskExecutor: asUnownedTaskExecutor()) }
    }

    func runningNextAtOnce<Value>(_ body: () -> Value) -> Value {
        let before = state.withLock { state in
            defer { state.runsNextAtOnce = true }
            return state.runsNextAtOnce
        }
        defer { state.withLock { $0.runsNextAtOnce = before } }
        return body()
    }

    /// Work of the store takes its turns with everything else, as work of another executor: a question to it is its own step.
    fileprivate func enqueue(_ job: UnownedJob, of store: StoreQueue) { state.withLock { $0.jobs.append((job, store)) } }

    /// The jobs run one after the other, on whichever thread runs the test.
    func checkIsolated() { precondition(isIsolatingCurrentContext() == true, "only the test's own steps are isolated") }

    func isIsolatingCurrentContext() -> Bool? { state.withLock { $0.isRunning } }

    /// Runs the oldest job.
    ///
    /// - Returns: false if there was none.
    @discardableResult
    func step() -> Bool {
        let next: (job: UnownedJob, store: StoreQueue?)? = state.withLock { state in
            guard !state.jobs.isEmpty else { return nil }
            state.isRunning = true
            return state.jobs.removeFirst()
        }
        guard let (job, store) = next else { return false }
        if let store {
            job.runSynchronously(on: store.asUnownedSerialExecutor())
        } else {
            job.runSynchronously(isolatedTo: asUnownedSerialExecutor(), taskExecutor: asUnownedTaskExecutor())
        }
        let watcher = state.withLock { state in
            state.isRunning = false
            return state.watcher
        }
        watcher?()
        return true
    }

    /// - Parameter watcher: called after each step; it takes none.
    func watch(_ watcher: (@Sendable () -> Void)?) { state.withLock { $0.watcher = watcher } }

    /// Runs jobs until none is left.
    func settle() { while step() {} }

    /// Runs the body as the actor would.
    func isolated<Value>(_ body: @DaemonActor () throws -> Value) rethrows -> Value {
        state.withLock { $0.isRunning = true }
        defer { state.withLock { $0.isRunning = false } }
        return try DaemonActor.assumeIsolated(body)
    }
}

/// The executor of a store: its jobs wait in the same queue.
final class StoreQueue: SerialExecutor {
    private let queue: QueueExecutor

    init(_ queue: QueueExecutor) { self.queue = queue }

    func enqueue(_ job: consuming ExecutorJob) { queue.enqueue(UnownedJob(job), of: self) }

    func checkIsolated() { queue.checkIsolated() }
}

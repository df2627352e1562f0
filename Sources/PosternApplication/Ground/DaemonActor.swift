/// Isolates the daemon's state: one executor, which the program sets before anything runs on it.
///
/// In the daemon it is the epoll loop, so that a handler of the Unix socket calls the state directly, without a hop or a lock; in tests it
/// is a queue that the test empties. Nothing here uses Swift Concurrency's default executor: it would wake an idle process once a second,
/// forever.
@globalActor
public actor DaemonActor {
    public static let shared = DaemonActor()

    // Unsafe: set once, before the first job, and only read after that.
    private nonisolated(unsafe) static var executor: (any DaemonExecutor)?

    /// To be called once, before anything else on this actor.
    public static func run(on executor: any DaemonExecutor) {
        assert(self.executor == nil, "the daemon's executor was given already")
        self.executor = executor
    }

    private static var given: any DaemonExecutor {
        guard let executor else { preconditionFailure("the daemon's executor was not given before its first use") }
        return executor
    }

    public nonisolated var unownedExecutor: UnownedSerialExecutor { Self.given.asUnownedSerialExecutor() }

    /// Starts independent work, on the actor's executor from its first step to its last.
    ///
    /// A plain `Task` would do the same, except for its continuations: they resume by way of the default executor unless the task prefers
    /// another.
    @discardableResult
    public nonisolated static func start(_ work: @escaping @Sendable @DaemonActor () async -> Void) -> Task<Void, Never> {
        Task(executorPreference: given, operation: work)
    }

    /// As ``start(_:)``, but the first step has run when this returns, if the executor can do that: work that needs no second step is then
    /// complete.
    @discardableResult
    static func startAtOnce(_ work: @escaping @Sendable @DaemonActor () async -> Void) -> Task<Void, Never> {
        given.runningNextAtOnce { start(work) }
    }

    /// Runs the body at once; for code that the executor called, which the compiler cannot see.
    ///
    /// Anywhere else it stops the program: that would be our own mistake, and a race otherwise.
    public static func assumeIsolated<Result>(_ body: @DaemonActor () throws -> Result) rethrows -> Result {
        shared.preconditionIsolated()
        return try withoutActuallyEscaping(body) { escaping in
            // As in `MainActor.assumeIsolated`: isolation does not change how a function is called.
            try unsafeBitCast(escaping, to: (() throws -> Result).self)()
        }
    }
}

/// Runs the jobs of the actor, and of the tasks that begin on it.
public protocol DaemonExecutor: SerialExecutor, TaskExecutor {
    /// The first job that the body enqueues runs at once, instead of in its turn. To be called only on the executor.
    func runningNextAtOnce<Value>(_ body: () -> Value) -> Value
}

/// Where the daemon's state lives: one executor, which the program gives before anything runs on it.
///
/// In the daemon it is the event loop, so that a handler of a socket calls the state directly, without a hop or a lock; in tests it is
/// a queue that the test empties. Nothing here uses Swift Concurrency's default executor: it would wake an idle process once a second
/// for ever.
@globalActor
public actor DaemonActor {
    public static let shared = DaemonActor()

    /// Jobs of the actor, and of the tasks that begin on it.
    public struct Executors: Sendable {
        public let actor: any SerialExecutor
        public let tasks: any TaskExecutor

        public init(actor: any SerialExecutor, tasks: any TaskExecutor) {
            self.actor = actor
            self.tasks = tasks
        }
    }

    // Unsafe: set once, before the first job, and only read after that.
    private nonisolated(unsafe) static var executors: Executors?

    /// To be called once, before anything else of this actor.
    public static func run(on executors: Executors) {
        assert(self.executors == nil, "the daemon's executor was given already")
        self.executors = executors
    }

    private static var given: Executors {
        guard let executors else { preconditionFailure("the daemon's executor was not given before its first use") }
        return executors
    }

    public nonisolated var unownedExecutor: UnownedSerialExecutor { Self.given.actor.asUnownedSerialExecutor() }

    /// Begins work that goes on by itself, on the actor's executor from its first step to its last.
    ///
    /// A plain `Task` would too, but for its continuations: they resume by way of the default executor unless the task
    /// prefers another.
    public nonisolated static func start(_ work: @escaping @Sendable @DaemonActor () async -> Void) {
        Task(executorPreference: given.tasks, operation: work)
    }

    /// Runs the body at once; for code that the executor called, which the compiler cannot see.
    ///
    /// Anywhere else it stops the program: that is our own mistake, and a race otherwise.
    public static func assumeIsolated<Result>(_ body: @DaemonActor () throws -> Result) rethrows -> Result {
        shared.preconditionIsolated()
        return try withoutActuallyEscaping(body) { escaping in
            // The same step that `MainActor.assumeIsolated` takes: isolation is no part of how a function is called.
            try unsafeBitCast(escaping, to: (() throws -> Result).self)()
        }
    }
}

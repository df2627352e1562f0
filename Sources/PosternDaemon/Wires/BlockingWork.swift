import Glibc
import PosternApplication

/// Blocking work, each piece on a new thread that ends with it: a command that prints a secret, a slow keyring.
///
/// Never on the daemon's loop: if the system provides no thread, the caller gets an error.
enum BlockingWork {
    private final class Job: Sendable {
        let body: @Sendable () -> Void
        init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }

    /// What runs here needs far less than the usual 8 MiB.
    static let stackSize = 512 * 1024

    /// Runs the body on a new thread. For few and short pieces of work: each costs a thread.
    ///
    /// - Parameter stackSize: in bytes.
    /// - Throws: ``NoThread``; then the body was not started.
    @DaemonActor
    static func run<Value: Sendable>(
        stackSize: Int = stackSize, _ body: @escaping @Sendable () -> Value
    ) async throws(NoThread) -> Value {
        let result: Result<Value, NoThread> = await withCheckedContinuation { continuation in
            let code = start(Job { continuation.resume(returning: .success(body())) }, stackSize: stackSize)
            if code != 0 { continuation.resume(returning: .failure(NoThread(code: code))) }
        }
        return try result.get()
    }

    /// As ``run(stackSize:_:)``, for work that may fail.
    ///
    /// - Parameter failure: the error if there is no thread.
    @DaemonActor
    static func run<Value: Sendable, Failure: Error>(
        orThrow failure: (NoThread) -> Failure, _ body: @escaping @Sendable () throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        let result: Result<Value, Failure>
        do throws(NoThread) { result = try await run { Result(catching: body) } } catch { throw failure(error) }
        return try result.get()
    }

    /// Not isolated to the actor: the body runs on the new thread.
    ///
    /// - Returns: zero, or an errno; the job is dropped then.
    private nonisolated static func start(_ job: Job, stackSize: Int) -> Int32 {
        var attributes = pthread_attr_t()
        pthread_attr_init(&attributes)
        pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
        pthread_attr_setstacksize(&attributes, stackSize)
        defer { pthread_attr_destroy(&attributes) }
        var thread = pthread_t()
        let context = Unmanaged.passRetained(job)
        let code = pthread_create(
            &thread, &attributes,
            { context in
                guard let context else { return nil }
                Unmanaged<Job>.fromOpaque(context).takeRetainedValue().body()
                return nil
            }, context.toOpaque())
        if code != 0 { context.release() }
        return code
    }
}

/// The system provided no thread: a limit on tasks or processes is reached, or memory is short.
struct NoThread: Error, Sendable, Hashable, CustomStringConvertible {
    /// An errno.
    var code: Int32

    var reason: String { "the system could not create a thread for it (\(String(cString: strerror(code))))" }
    var advice: String { "end some programs, or raise the service's TasksMax= or the limit of processes, then try again" }
    var description: String { "\(reason); \(advice)" }
}

import Glibc

/// Work that blocks, on a thread of its own that ends with it: a command that gives a secret, a keyring that thinks.
enum BlockingWork {
    private final class Job: Sendable {
        let body: @Sendable () -> Void
        init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }

    /// Few and short: each costs a thread.
    @DaemonActor
    static func run<Value: Sendable>(_ body: @escaping @Sendable () -> Value) async -> Value {
        await withCheckedContinuation { continuation in
            let job = Job {
                let value = body()
                continuation.resume(returning: value)
            }
            // No thread to be had: slow for once is better than not at all.
            if !start(job) { job.body() }
        }
    }

    /// As ``run(_:)``, for work that is never to hold up the event loop.
    ///
    /// - Returns: nil where no thread is to be had.
    @DaemonActor
    static func runElsewhere<Value: Sendable>(_ body: @escaping @Sendable () -> Value) async -> Value? {
        await withCheckedContinuation { continuation in
            let job = Job { continuation.resume(returning: body()) }
            if !start(job) { continuation.resume(returning: nil) }
        }
    }

    /// Not of the event loop: what runs here runs on the new thread.
    private nonisolated static func start(_ job: Job) -> Bool {
        var attributes = pthread_attr_t()
        pthread_attr_init(&attributes)
        pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
        pthread_attr_setstacksize(&attributes, 512 * 1024)
        defer { pthread_attr_destroy(&attributes) }
        var thread = pthread_t()
        let context = Unmanaged.passRetained(job)
        let result = pthread_create(
            &thread, &attributes,
            { context in
                guard let context else { return nil }
                Unmanaged<Job>.fromOpaque(context).takeRetainedValue().body()
                return nil
            }, context.toOpaque())
        guard result != 0 else { return true }
        context.release()
        return false
    }
}

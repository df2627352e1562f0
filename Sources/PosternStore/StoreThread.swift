import Glibc
import PosternCore
import Synchronization

/// The one thread on which the store works: `fsync` may take long, and must block nothing else.
///
/// It sleeps on a condition while there is nothing to do. The default executor would wake the process once a second, forever, and a pool
/// would use one connection on several threads.
final class StoreThread: SerialExecutor, @unchecked Sendable {
    // Unchecked: all mutable state is accessed under `mutex`, only by the thread, or atomic.

    /// SQLite and records of bounded depth need far less than the usual 8 MiB.
    private static let stackSize = 512 * 1024

    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
    private var waiting: [UnownedJob] = []
    /// Taken over from `waiting`, the next one last; only used by the thread.
    private var taken: [UnownedJob] = []
    private let count = Atomic<Int>(0)
    private var isStopped = false
    private var thread = pthread_t()

    /// - Parameter file: for the error message if no thread can be created.
    init(file: String) throws(StoreError) {
        pthread_mutex_init(mutex, nil)
        pthread_cond_init(condition, nil)
        var attributes = pthread_attr_t()
        pthread_attr_init(&attributes)
        defer { pthread_attr_destroy(&attributes) }
        pthread_attr_setstacksize(&attributes, Self.stackSize)
        pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))

        // Signals are for the thread that handles them; a new thread inherits the mask.
        var everySignal = sigset_t()
        var before = sigset_t()
        sigfillset(&everySignal)
        pthread_sigmask(SIG_SETMASK, &everySignal, &before)
        defer { pthread_sigmask(SIG_SETMASK, &before, nil) }

        // The thread owns its executor until `stop`.
        let owned = Unmanaged.passRetained(self)
        let result = pthread_create(
            &thread, &attributes,
            { argument in
                guard let argument else { return nil }
                let executor = Unmanaged<StoreThread>.fromOpaque(argument).takeRetainedValue()
                executor.run()
                return nil
            }, owned.toOpaque())
        guard result == 0 else {
            owned.release()
            throw StoreError(.noThread, file: file, reason: "the store's thread cannot be started: \(String(cString: strerror(result)))")
        }
    }

    deinit {
        pthread_cond_destroy(condition)
        pthread_mutex_destroy(mutex)
        condition.deallocate()
        mutex.deallocate()
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        count.add(1, ordering: .relaxed)
        pthread_mutex_lock(mutex)
        waiting.append(job)
        pthread_cond_signal(condition)
        pthread_mutex_unlock(mutex)
    }

    /// Ends the thread once it has done all pending work.
    func stop() {
        pthread_mutex_lock(mutex)
        isStopped = true
        pthread_cond_signal(condition)
        pthread_mutex_unlock(mutex)
    }

    /// Pieces of work that have not begun. May be read from any thread.
    var waitingCount: Int { count.load(ordering: .relaxed) }

    private func run() {
        while let job = next() { job.runSynchronously(on: asUnownedSerialExecutor()) }
    }

    /// Waits for work; nil when the thread should end.
    private func next() -> UnownedJob? {
        if taken.isEmpty { takeOver() }
        guard let job = taken.popLast() else { return nil }
        count.subtract(1, ordering: .relaxed)
        return job
    }

    /// All at once, by swapping two arrays: whoever adds work, such as the daemon's loop, never waits for more than that.
    private func takeOver() {
        // The memory that a burst needed is released.
        if taken.capacity > Self.keptCapacity { taken = [] }
        pthread_mutex_lock(mutex)
        while waiting.isEmpty, !isStopped { pthread_cond_wait(condition, mutex) }
        swap(&taken, &waiting)
        pthread_mutex_unlock(mutex)
        taken.reverse()
    }

    private static let keptCapacity = 256
}

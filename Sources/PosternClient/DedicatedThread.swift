import Glibc

/// A dedicated thread for work that blocks.
///
/// Blocking reads must not run on the threads that Swift tasks share: there are only as many as processors, and a sign-in waits minutes for
/// the user.
package enum DedicatedThread {
    private final class Work: Sendable {
        let body: @Sendable () -> Void
        init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }

    /// Returns false if the system cannot create another thread; the body is then not run.
    package static func start(_ body: @escaping @Sendable () -> Void) -> Bool {
        var attributes = pthread_attr_t()
        guard pthread_attr_init(&attributes) == 0 else { return false }
        defer { pthread_attr_destroy(&attributes) }
        pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
        // With the default of 8 MiB each, many waiting calls would use up the address space.
        pthread_attr_setstacksize(&attributes, 512 * 1024)
        var thread = pthread_t()
        let work = Unmanaged.passRetained(Work(body))
        let status = pthread_create(
            &thread, &attributes,
            { argument in
                guard let argument else { return nil }
                Unmanaged<Work>.fromOpaque(argument).takeRetainedValue().body()
                return nil
            }, work.toOpaque())
        if status != 0 { work.release() }
        return status == 0
    }
}

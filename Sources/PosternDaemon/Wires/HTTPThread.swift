import CProcess
import Glibc
import NIOCore
import NIOPosix
import PosternApplication

/// SwiftNIO's thread, for HTTP with browsers and providers. It is started when first needed: a daemon that only returns stored tokens never
/// needs it.
@DaemonActor
enum HTTPThread {
    private static var started: (any EventLoop)?

    static func eventLoop() throws(NoHTTP) -> any EventLoop {
        if let started { return started }
        try checkSupply()
        let eventLoop = MultiThreadedEventLoopGroup(numberOfThreads: 1).next()
        // NIO's own descriptors would otherwise be inherited.
        _ = postern_close_on_exec_from(3)
        started = eventLoop
        return eventLoop
    }

    /// NIO ends the program if it gets no descriptor or no thread. Not isolated to the actor, since the tried thread is not either.
    private nonisolated static func checkSupply() throws(NoHTTP) {
        var spare: [CInt] = []
        defer { for descriptor in spare { close(descriptor) } }
        for _ in 0..<descriptorsNeeded {
            let descriptor = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3)
            guard descriptor >= 0 else { throw NoHTTP(code: errno) }
            spare.append(descriptor)
        }
        var thread = pthread_t()
        let code = pthread_create(&thread, nil, { _ in nil }, nil)
        guard code == 0 else { throw NoHTTP(code: code) }
        pthread_join(thread, nil)
    }

    /// What NIO's loop needs, and some for its connections.
    private nonisolated static let descriptorsNeeded = 8
}

/// The system has no resources for HTTP now: a limit on descriptors, tasks or processes is reached.
struct NoHTTP: Error, Sendable, CustomStringConvertible {
    /// An errno.
    var code: Int32

    var description: String {
        "the system gives the daemon no thread or no descriptors for HTTP (\(String(cString: strerror(code)))); "
            + "end programs that are not needed, or raise the service's LimitNOFILE= or TasksMax=, then try again"
    }
}

extension EventLoopFuture where Value: Sendable {
    /// Waits on the daemon's loop; NIO's own `get()` would resume on the default executor.
    @DaemonActor
    func result() async -> Result<Value, any Error> {
        await withCheckedContinuation { continuation in
            whenComplete { continuation.resume(returning: $0) }
        }
    }

    /// As ``result()``.
    ///
    /// - Parameter failure: makes an error of the caller's own type. A future's error has no static type.
    @DaemonActor
    func value<Failure: Error>(orThrow failure: (any Error) -> Failure) async throws(Failure) -> Value {
        switch await result() {
        case .success(let value): return value
        case .failure(let error): throw failure(error)
        }
    }
}

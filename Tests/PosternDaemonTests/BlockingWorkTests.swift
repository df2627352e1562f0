import Glibc
import PosternApplication
import Testing

@testable import PosternDaemon

@Suite("Work that blocks")
struct BlockingWorkTests {
    @Test("runs on its own thread")
    func thread() async throws {
        let (loop, worker) = try await DaemonActor.run {
            (pthread_self(), try await BlockingWork.run { pthread_self() })
        }
        #expect(pthread_equal(loop, worker) == 0)
    }

    /// More than the address space has: the system refuses as it does at a limit.
    @Test("without a thread it is not run at all, and whoever asked is told")
    func noThread() async {
        let error = await #expect(throws: NoThread.self) {
            try await DaemonActor.run {
                try await BlockingWork.run(stackSize: 1 << 60) { Issue.record("the body ran") }
            }
        }
        #expect(error?.description.contains("could not create a thread") == true)
    }
}

extension DaemonActor {
    /// From a test, which runs elsewhere.
    static func run<Value: Sendable>(_ body: @escaping @Sendable @DaemonActor () async throws -> Value) async throws -> Value {
        TestThread.start()
        return try await withCheckedThrowingContinuation { continuation in
            start {
                do { continuation.resume(returning: try await body()) } catch { continuation.resume(throwing: error) }
            }
        }
    }
}

/// The daemon's loop on a thread of its own: the main one is the tests'.
private enum TestThread {
    static func start() { _ = started }

    private static let started: Void = {
        DaemonLoop.adopt()
        var thread = pthread_t()
        let code = pthread_create(
            &thread, nil,
            { _ in
                DaemonLoop.loop.run()
                return nil
            }, nil)
        precondition(code == 0)
    }()
}

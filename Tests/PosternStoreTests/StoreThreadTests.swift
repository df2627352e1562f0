import Glibc
import PosternCore
import Synchronization
import Testing

@testable import PosternStore

@Suite struct StoreThreadTests {
    let directory: TemporaryDirectory
    let store: Store
    init() throws {
        directory = try TemporaryDirectory()
        store = try Store.open(directory: directory.path, key: FixedKey())
    }

    @Test("Every method runs on one thread, which is nobody else's")
    func oneThread() async throws {
        var threads: Set<pthread_t> = []
        for _ in 0..<10 { threads.insert(await store.currentThread()) }
        #expect(threads.count == 1)
        #expect(!threads.contains(pthread_self()))
        let elsewhere = try TemporaryDirectory()
        let other = try Store.open(directory: elsewhere.path, key: FixedKey())
        #expect(await !threads.contains(other.currentThread()))
    }

    @Test("A call without a task runs on the store's thread, in turn, and tells its result")
    func performing() async throws {
        let session = Samples.session()
        let thread = await store.currentThread()
        let loaded = await withCheckedContinuation { continuation in
            store.perform({ try $0.begin(session) }, completion: { _ in })
            store.perform({ store in (try store.loadSessions(now: Samples.now).values, pthread_self()) }) {
                continuation.resume(returning: $0)
            }
        }
        let (values, ran) = try loaded.get()
        #expect(values == [session])
        #expect(ran == thread)
    }

    @Test("A call without a task tells its error")
    func performingFails() async {
        let result: Result<Void, any Error> = await withCheckedContinuation { continuation in
            store.perform({ try $0.apply(AccountChanges(signIn: Samples.signIn(app: "a", uid: "nobody"))) }) { continuation.resume(returning: $0) }
        }
        #expect(throws: StoreError.self) { try result.get() }
    }

    /// Keeps the store's thread from doing anything until the closure that comes back is called. Returns once it is kept.
    private func occupy() async -> @Sendable () -> Void {
        let gate = Gate()
        await withCheckedContinuation { continuation in
            store.perform(
                { _ in
                    continuation.resume()
                    gate.wait()
                }, completion: { _ in })
        }
        return gate.open
    }

    @Test("More work than is good waits: the store says so until it has caught up")
    func overload() async throws {
        #expect(!store.isOverloaded)
        let release = await occupy()
        for _ in 1..<Store.mostWaiting { store.perform({ _ in }, completion: { _ in }) }
        #expect(!store.isOverloaded)
        store.perform({ _ in }, completion: { _ in })
        #expect(store.isOverloaded)
        release()
        // After all that waited.
        _ = await store.currentThread()
        #expect(!store.isOverloaded)
    }

    @Test("A queue of any length is worked through in order, as fast at its beginning as at its end", .timeLimit(.minutes(1)))
    func longQueue() async {
        let release = await occupy()
        let order = Mutex<[Int]>([])
        let count = 300_000
        for number in 0..<count { store.perform({ _ in order.withLock { $0.append(number) } }, completion: { _ in }) }
        release()
        _ = await store.currentThread()
        #expect(order.withLock { $0 } == Array(0..<count))
    }

    @Test("What its client no longer waits for is dropped where it has not begun")
    func withdrawn() async throws {
        let user = Samples.user()
        let release = await occupy()
        let demand = StoreDemand()
        let work = Task {
            try await StoreDemand.$current.withValue(demand) { try await store.apply(AccountChanges(upsertUser: user)) }
        }
        demand.withdraw()
        release()
        let error = await storeError { try await work.value }
        #expect(error?.kind == .withdrawn)
        #expect(try await store.user(uid: user.uid) == nil)
    }

    @Test("What has begun is finished, with all its steps, whoever has gone")
    func begun() async throws {
        let user = Samples.user()
        let demand = StoreDemand()
        try await StoreDemand.$current.withValue(demand) {
            try await store.change { _ throws(AccountFailure) in
                demand.withdraw()
                return ((), AccountChanges(upsertUser: user))
            }
            try await store.apply(AccountChanges(signIn: Samples.signIn(app: "app", uid: user.uid)))
        }
        #expect(try await store.current(app: "app")?.user.uid == user.uid)
    }

    @Test("A hundred stores that come and go leave no thread behind", .timeLimit(.minutes(1)))
    func threadsEnd() async throws {
        for _ in 0..<100 {
            let directory = try TemporaryDirectory()
            await (try Store.open(directory: directory.path, key: FixedKey())).close()
        }
        // Detached threads end by themselves: wait until they have, however long it takes.
        while TemporaryDirectory.names(in: "/proc/self/task").count > 100 { await Task.yield() }
    }
}

/// Holds a thread up until it is opened.
private final class Gate: Sendable {
    private let ends = Mutex(Gate.pipe())

    private static func pipe() -> (reading: CInt, writing: CInt) {
        var ends: [CInt] = [-1, -1]
        _ = Glibc.pipe(&ends)
        return (ends[0], ends[1])
    }

    deinit { ends.withLock { ends in _ = close(ends.reading) } }

    func wait() {
        var byte: UInt8 = 0
        _ = read(ends.withLock { $0.reading }, &byte, 1)
    }

    /// By the end of the pipe.
    @Sendable func open() { ends.withLock { ends in _ = close(ends.writing) } }
}

extension Store {
    func currentThread() -> pthread_t { pthread_self() }
}

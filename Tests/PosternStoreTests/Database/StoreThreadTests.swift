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

    /// Keeps the store's thread from doing anything until the closure that comes back is called. Returns once it is kept.
    private func occupy() async -> @Sendable () -> Void {
        let gate = Gate()
        await withCheckedContinuation { continuation in
            Task {
                await store.run {
                    continuation.resume()
                    gate.wait()
                }
            }
        }
        return gate.open
    }

    /// Asks the store for so much work, in order. Returns once all of it waits: the main actor takes its tasks in turn, and each asks before
    /// the next one has its turn.
    @MainActor private func ask(_ count: Int, _ work: @escaping @Sendable (Int) -> Void) async {
        for number in 0..<count { Task { await store.run { work(number) } } }
        await Task {}.value
    }

    @Test("More work than is good waits: the store says so until it has caught up")
    func overload() async throws {
        #expect(!store.isOverloaded)
        let release = await occupy()
        await ask(Store.mostWaiting - 1) { _ in }
        #expect(!store.isOverloaded)
        await ask(1) { _ in }
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
        let count = 100_000
        await ask(count) { number in order.withLock { $0.append(number) } }
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
        func threads() -> Int { TemporaryDirectory.names(in: "/proc/self/task").count }
        // Those of other tests come and go meanwhile.
        let most = threads() + 50
        for _ in 0..<100 {
            let directory = try TemporaryDirectory()
            await (try Store.open(directory: directory.path, key: FixedKey())).close()
        }
        // Detached threads end by themselves: wait until they have, however long it takes.
        while threads() > most { await Task.yield() }
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
    func run(_ body: @Sendable () -> Void) { body() }
}

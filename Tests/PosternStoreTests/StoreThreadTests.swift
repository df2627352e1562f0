import Glibc
import PosternCore
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

extension Store {
    func currentThread() -> pthread_t { pthread_self() }
}

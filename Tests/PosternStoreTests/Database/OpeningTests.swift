import Glibc
import PosternCore
import Testing

@testable import PosternStore

@Suite struct OpeningTests {
    let directory: TemporaryDirectory
    init() throws { directory = try TemporaryDirectory() }

    @Test("A new store has its settings, its mark and no users")
    func newStore() async throws {
        let store = try Store.open(directory: directory.path, key: FixedKey())
        let counts = try await store.counts()
        #expect(counts == (0, 0))
        let answers = try await store.pragmas([
            "application_id", "user_version", "synchronous", "foreign_keys", "secure_delete", "trusted_schema", "cell_size_check",
        ])
        #expect(answers == [Schema.applicationID, Schema.version, 2, 1, 1, 0, 1])
        #expect(try await store.journalMode() == "wal")
    }

    @Test("What was stored is there after the store was closed and opened again")
    func reopening() async throws {
        let store = try Store.open(directory: directory.path, key: FixedKey())
        try await store.begin(Samples.session())
        await store.close()
        let again = try Store.open(directory: directory.path, key: FixedKey())
        #expect(try await again.loadSessions(now: Samples.now).values == [Samples.session()])
    }

    @Test("A closed store answers that it is closed, and its log was written back")
    func closing() async throws {
        let store = try Store.open(directory: directory.path, key: FixedKey())
        try await store.begin(Samples.session())
        await store.close()
        #expect(await storeError { try await store.counts() }?.kind == .closed)
        #expect(directory.names == ["lock", "postern.db"])
    }

    @Test("Letting go of a store closes it", .timeLimit(.minutes(1)))
    func lettingGo() async throws {
        func use() async throws {
            let store = try Store.open(directory: directory.path, key: FixedKey())
            try await store.begin(Samples.session())
        }
        try await use()
        // The thread may still be letting go of its last call, so ask until the directory is free.
        while true {
            let error = await storeError { try Store.open(directory: directory.path, key: FixedKey()) }
            guard error?.kind == .locked else {
                #expect(error == nil)
                return
            }
            await Task.yield()
        }
    }

    @Test("Two daemons cannot share a directory, and the second is told who has it")
    func twoOpeners() async throws {
        let store = try Store.open(directory: directory.path, key: FixedKey())
        let error = await storeError { try Store.open(directory: directory.path, key: FixedKey()) }
        #expect(error?.kind == .locked)
        #expect(error?.description.contains("process \(getpid())") == true)
        #expect(error?.description.contains(directory.path) == true)
        await store.close()
        _ = try Store.open(directory: directory.path, key: FixedKey())
    }

    @Test("Of a longer number that stood in the lock file before, nothing is told")
    func earlierHolder() async throws {
        try Bytes.write(Array("2147483647\n".utf8), to: directory.file("lock"))
        let store = try Store.open(directory: directory.path, key: FixedKey())
        let error = await storeError { try Store.open(directory: directory.path, key: FixedKey()) }
        #expect(error?.description.contains("process \(getpid()))") == true)
        await store.close()
    }

    @Test("Another key than the store's own is told from damage, and changes nothing")
    func wrongKey() async throws {
        let store = try Store.open(directory: directory.path, key: FixedKey())
        try await store.begin(Samples.session())
        await store.close()
        let before = try Bytes.readAll(in: directory.path)
        let error = await storeError { try Store.open(directory: directory.path, key: FixedKey(byte: 8)) }
        #expect(error?.kind == .wrongKey)
        #expect(error?.description.contains(directory.file("postern.db")) == true)
        #expect(try isUntouched(before, Bytes.readAll(in: directory.path)))
    }

    @Test(
        "A key check that was changed is damage, not a wrong key",
        arguments: ["key_fingerprint", "key_check", "key_source"])
    func changedKeyCheck(name: String) async throws {
        await (try Store.open(directory: directory.path, key: FixedKey())).close()
        try withDatabase(in: directory) { _ = try $0.run("UPDATE meta SET value = x'00' WHERE name = ?", [.text(name)]) }
        #expect(await storeError { try Store.open(directory: directory.path, key: FixedKey()) }?.kind == .damaged)
        try withDatabase(in: directory) { _ = try $0.run("DELETE FROM meta WHERE name = ?", [.text(name)]) }
        #expect(await storeError { try Store.open(directory: directory.path, key: FixedKey()) }?.kind == .damaged)
    }

    @Test("A log without its database is not thrown away")
    func logAlone() async throws {
        try Bytes.write([1, 2, 3], to: directory.file("postern.db-wal"))
        #expect(await storeError { try Store.open(directory: directory.path, key: FixedKey()) }?.kind == .damaged)
        #expect(try Bytes.read(directory.file("postern.db-wal")) == [1, 2, 3])
    }

    @Test("A program that reads the file keeps the store from opening, and is named as the reason")
    func busy() async throws {
        await (try Store.open(directory: directory.path, key: FixedKey())).close()
        try await withReader(of: directory.file("postern.db")) {
            #expect(await storeError { try Store.open(directory: directory.path, key: FixedKey()) }?.kind == .busy)
        }
        _ = try Store.open(directory: directory.path, key: FixedKey())
    }

    /// A second connection that is in the middle of reading, while the body runs.
    private func withReader(of file: String, _ body: () async throws -> Void) async throws {
        let elsewhere = try TemporaryDirectory()
        let reader = try Connection(opening: file, lock: DirectoryLock(StateDirectory(preparing: elsewhere.path)))
        try reader.execute("BEGIN; SELECT count(*) FROM users")
        try await body()
        try reader.execute("COMMIT")
    }
}

extension Store {
    func pragmas(_ names: [String]) throws -> [Int64] { try names.map { try tables.connection.pragma($0) } }

    func journalMode() throws -> String? {
        try tables.connection.first("PRAGMA journal_mode") { (row: borrowing Row) throws(StoreError) in try row.text(0) }
    }

    func maximumPages(_ count: Int) throws { _ = try tables.connection.pragma("max_page_count = \(count)") }
}

import PosternCore
import Testing

@testable import PosternStore

@Suite struct MigrationTests {
    let directory: TemporaryDirectory
    init() throws { directory = try TemporaryDirectory() }

    private static let next = Migration.all.latest + 1
    private static let later =
        Migration.all + [
            Migration(version: next, script: "CREATE TABLE second (x INTEGER); INSERT INTO second VALUES (1)"),
            Migration(version: next + 1, script: "ALTER TABLE second ADD COLUMN y INTEGER NOT NULL DEFAULT 5"),
        ]

    @Test("The steps are numbered from 1 without a gap, and none is lost")
    func numbering() { #expect(Migration.all.map(\.version) == Array(1...Int64(Migration.all.count))) }

    @Test("An earlier store is brought up to date and keeps what it has")
    func upgrade() async throws {
        let first = try Store.open(directory: directory.path, key: FixedKey(), migrations: Migration.all)
        try await first.apply(AccountChanges(upsertUser: Samples.user()))
        await first.close()
        let store = try Store.open(directory: directory.path, key: FixedKey(), migrations: Self.later)
        #expect(try await store.pragmas(["user_version"]) == [Self.next + 1])
        #expect(try await store.user(uid: "uid-a") == Samples.user())
        await store.close()
        #expect(
            try withDatabase(in: directory) {
                try $0.query("SELECT y FROM second") { (row: borrowing Row) throws(StoreError) in try row.integer(0) }
            } == [5])
    }

    @Test("A store of the first schema takes what came with the second, and keeps what it has")
    func secondFactors() async throws {
        let first = try Store.open(directory: directory.path, key: FixedKey(), migrations: [.first])
        try await first.begin(Samples.session())
        await first.close()
        let store = try Store.open(directory: directory.path, key: FixedKey())
        #expect(try await store.loadSessions(now: Samples.now).values == [Samples.session()])
        let changes = Samples.secondFactors()
        try await store.apply(changes)
        #expect(try await store.user(uid: "uid-a") == changes.upsertUser)
    }

    @Test("A valid database with user_version 0 and nothing in it becomes a store")
    func fromNothing() async throws {
        try emptyDatabase()
        let store = try Store.open(directory: directory.path, key: FixedKey())
        try await store.begin(Samples.session())
        await store.close()
        let again = try Store.open(directory: directory.path, key: FixedKey())
        #expect(try await again.loadSessions(now: Samples.now).values.count == 1)
    }

    @Test(
        "Another program's database is not taken over",
        arguments: [
            "CREATE TABLE theirs (x)", "PRAGMA application_id = 77; CREATE TABLE theirs (x)",
            "PRAGMA user_version = 1; CREATE TABLE theirs (x)",
        ])
    func foreign(script: String) async throws {
        try emptyDatabase()
        try withDatabase(in: directory) { try $0.execute(script) }
        let before = try Bytes.readAll(in: directory.path)
        #expect(await storeError { try Store.open(directory: directory.path, key: FixedKey()) }?.kind == .damaged)
        #expect(try isUntouched(before, Bytes.readAll(in: directory.path)))
    }

    @Test("A step that fails leaves the store at the last whole one, to be tried again")
    func failingStep() async throws {
        await (try Store.open(directory: directory.path, key: FixedKey())).close()
        let broken = Migration.all + [Migration(version: Self.next, script: "CREATE TABLE second (x); INSERT INTO nowhere VALUES (1)")]
        #expect(await storeError { try Store.open(directory: directory.path, key: FixedKey(), migrations: broken) }?.kind == .internal)
        let store = try Store.open(directory: directory.path, key: FixedKey(), migrations: Self.later)
        #expect(try await store.pragmas(["user_version"]) == [Self.next + 1])
    }

    @Test("A newer schema is refused, and not a byte of any file changes")
    func newer() async throws {
        let newer = try Store.open(directory: directory.path, key: FixedKey(), migrations: Self.later)
        try await newer.begin(Samples.session())
        await newer.close()
        let before = try Bytes.readAll(in: directory.path)
        let error = await storeError { try Store.open(directory: directory.path, key: FixedKey()) }
        #expect(error?.kind == .newerSchema)
        #expect(error?.description.contains("schema \(Self.next + 1)") == true)
        #expect(try isUntouched(before, Bytes.readAll(in: directory.path)))
    }

    @Test("A newer schema that is still in the log alone is refused, and not a byte changes")
    func newerInLog() async throws {
        let store = try Store.open(directory: directory.path, key: FixedKey())
        try await store.begin(Samples.session())
        let copy = try TemporaryDirectory()
        try await store.setVersion(9)
        // As a daemon leaves it that is killed: the log not yet written back.
        for (name, bytes) in try Bytes.readAll(in: directory.path) { try Bytes.write(bytes, to: copy.file(name)) }
        #expect(copy.names.contains("postern.db-wal"))
        let before = try Bytes.readAll(in: copy.path)
        #expect(await storeError { try Store.open(directory: copy.path, key: FixedKey()) }?.kind == .newerSchema)
        let after = try Bytes.readAll(in: copy.path)
        for name in ["postern.db", "postern.db-wal"] { #expect(after[name] == before[name], "\(name)") }
    }

    /// A file as `sqlite3 postern.db VACUUM` makes it.
    private func emptyDatabase() throws {
        try Bytes.write([], to: directory.file("postern.db"))
        try withDatabase(in: directory) { try $0.execute("VACUUM") }
        #expect(try !Bytes.read(directory.file("postern.db")).isEmpty)
    }
}

extension Store {
    func setVersion(_ version: Int) throws { try tables.connection.execute("PRAGMA user_version = \(version)") }
}

import Glibc
import PosternCore
import Testing

@testable import PosternStore

@Suite struct SchemaTests {
    let directory: TemporaryDirectory
    init() throws { directory = try TemporaryDirectory() }

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

    @Test(
        "Another schema is refused with what to do, and not a byte of any file changes",
        arguments: [
            (Schema.version + 1, StoreError.Kind.newerSchema, "install the newer version again"), (1, .olderSchema, "move postern.db away"),
            (Schema.version - 1, .olderSchema, "move postern.db away"),
        ])
    func other(version: Int64, kind: StoreError.Kind, advice: String) async throws {
        let store = try Store.open(directory: directory.path, key: FixedKey())
        try await store.begin(Samples.session())
        try await store.setVersion(version)
        await store.close()
        let before = try Bytes.readAll(in: directory.path)
        let error = await storeError { try Store.open(directory: directory.path, key: FixedKey()) }
        #expect(error?.kind == kind)
        let text = error?.description ?? ""
        #expect(text.hasPrefix("\(directory.file("postern.db")): ") && text.contains("schema \(version)") && text.contains(advice), "\(text)")
        #expect(try isUntouched(before, Bytes.readAll(in: directory.path)))
        #expect(await storeError { try Store.keySource(in: directory.path) }?.kind == kind)
    }

    @Test("A store that was moved away, as an older one asks for, makes room for a new one with the same key")
    func movedAway() async throws {
        let store = try Store.open(directory: directory.path, key: KeyChoice(.file))
        try await store.begin(Samples.session())
        try await store.setVersion(1)
        await store.close()
        #expect(await storeError { try Store.open(directory: directory.path, key: KeyChoice(.file)) }?.kind == .olderSchema)
        #expect(rename(directory.file("postern.db"), directory.file("postern.db.old")) == 0)
        let new = try Store.open(directory: directory.path, key: KeyChoice(.file))
        #expect(try await new.loadSessions(now: Samples.now).values.isEmpty)
        #expect(directory.names.contains("postern.db.old"))
    }

    @Test("Another schema that is still in the log alone is refused, and not a byte changes", arguments: [3, 9])
    func otherInLog(version: Int64) async throws {
        let store = try Store.open(directory: directory.path, key: FixedKey())
        try await store.begin(Samples.session())
        let copy = try TemporaryDirectory()
        try await store.setVersion(version)
        // As a daemon leaves it that is killed: the log not yet written back.
        for (name, bytes) in try Bytes.readAll(in: directory.path) { try Bytes.write(bytes, to: copy.file(name)) }
        #expect(copy.names.contains("postern.db-wal"))
        let before = try Bytes.readAll(in: copy.path)
        let kind: StoreError.Kind = version > Schema.version ? .newerSchema : .olderSchema
        #expect(await storeError { try Store.open(directory: copy.path, key: FixedKey()) }?.kind == kind)
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
    func setVersion(_ version: Int64) throws { try tables.connection.execute("PRAGMA user_version = \(version)") }
}

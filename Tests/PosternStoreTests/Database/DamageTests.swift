import Glibc
import PosternCore
import Testing

@testable import PosternStore

@Suite struct DamageTests {
    @Test("A store whose files were removed or replaced takes no change, which would be lost with the daemon", arguments: [true, false])
    func filesAreGone(replaced: Bool) async throws {
        let directory = try TemporaryDirectory()
        let store = try Store.open(directory: directory.path, key: FixedKey())
        try await store.begin(Samples.session())
        let file = directory.file("postern.db")
        if replaced {
            let copy = try Bytes.read(file)
            #expect(rename(file, file + ".old") == 0)
            try Bytes.write(copy, to: file)
        } else {
            #expect(unlink(file) == 0)
        }
        let error = await storeError { try await store.begin(Samples.session("b")) }
        #expect(error?.kind == .io && error?.reason.contains("removed or replaced") == true)
        await store.close()
    }

    /// A closed store of a few pages, made once: its bytes.
    private static func whole() async throws -> [UInt8] {
        let directory = try TemporaryDirectory()
        let store = try Store.open(directory: directory.path, key: FixedKey())
        for mark in ["a", "b", "c"] {
            try await store.begin(Samples.session(mark))
            try await store.apply(
                AccountChanges(
                    upsertUser: Samples.user(mark), signIn: Samples.signIn(app: mark, uid: "uid-\(mark)"),
                    credential: .grant(Samples.credential(mark))))
        }
        await store.close()
        return try Bytes.read(directory.file("postern.db"))
    }

    /// Opens a store of these bytes and asks it everything.
    ///
    /// What it answers must be what was written; the one other way is an error.
    private func examine(_ bytes: [UInt8], _ comment: Comment) async throws -> Set<StoreError.Kind> {
        let directory = try TemporaryDirectory()
        try Bytes.write(bytes, to: directory.file("postern.db"))
        var kinds: Set<StoreError.Kind> = []
        let store: Store
        do { store = try Store.open(directory: directory.path, key: FixedKey()) } catch {
            #expect(try Bytes.read(directory.file("postern.db")) == bytes, comment)
            return [error.kind]
        }
        func note(_ body: () async throws -> Void) async throws {
            do { try await body() } catch let error as StoreError { kinds.insert(error.kind) }
        }
        try await note {
            let listing = try await store.loadSessions(now: Samples.now)
            kinds.formUnion(listing.damaged.map(\.kind))
            for session in listing.values {
                let written = Samples.session(String(session.id.suffix(1)))
                #expect(session.session == written.session, comment)
                if case .pending = session.status { #expect(session.secrets == written.secrets, comment) }
            }
        }
        try await note {
            let listing = try await store.credentials()
            kinds.formUnion(listing.damaged.map(\.kind))
            for credential in listing.values {
                #expect(credential.grant == Samples.credential(String(credential.subject.suffix(1))).grant, comment)
            }
        }
        for mark in ["a", "b", "c"] {
            try await note { if let user = try await store.user(uid: "uid-\(mark)") { #expect(user == Samples.user(mark), comment) } }
            try await note {
                if let user = try await store.user(identity: "github.com", subject: "subject-\(mark)") {
                    #expect(user == Samples.user(mark), comment)
                }
            }
        }
        // It can still be written to, or says why not.
        try await note { try await store.begin(Samples.session("new")) }
        await store.close()
        return kinds
    }

    @Test("The store that is damaged here is whole at first")
    func intact() async throws {
        #expect(try await examine(Self.whole(), "whole").isEmpty)
    }

    @Test("SQLite's words about a corrupt page are one line")
    func oneLine() async throws {
        let whole = try await Self.whole()
        let pageSize = Int(whole[16]) << 8 + Int(whole[17])
        var found = 0
        for page in 1..<(whole.count / pageSize) {
            var bytes = whole
            for index in 0..<8 { bytes[page * pageSize + index] = 0xFF }
            let directory = try TemporaryDirectory()
            try Bytes.write(bytes, to: directory.file("postern.db"))
            do { await (try Store.open(directory: directory.path, key: FixedKey())).close() } catch {
                let text = "\(error)"
                if text.contains("in database main") { found += 1 }
                #expect(!text.utf8.contains(UInt8(ascii: "\n")))
            }
        }
        #expect(found > 0)
    }

    @Test(
        "A file that was cut is refused, and left as it is",
        arguments: [0, 1, 15, 16, 99, 100, 511, 512, 1000, 4095, 4096, 4097, 8192, -4096])
    func cut(length: Int) async throws {
        let bytes = try await Self.whole()
        let kinds = try await examine(Array(bytes.prefix(length >= 0 ? length : bytes.count + length)), "cut to \(length)")
        #expect(kinds == [.damaged])
    }

    @Test("Cut anywhere, the store gives back what was written, or an error, and never anything else")
    func cutAnywhere() async throws {
        let bytes = try await Self.whole()
        for length in stride(from: 1, to: bytes.count, by: 1531) {
            let kinds = try await examine(Array(bytes.prefix(length)), "cut to \(length)")
            #expect(kinds.isSubset(of: [.damaged, .damagedRow]), "\(kinds) at \(length)")
        }
    }

    @Test(
        "A file whose beginning was overwritten is refused, and left as it is",
        arguments: [0, 8, 16, 18, 20, 21, 22, 23, 28, 44, 56, 60, 68, 100, 103, 105])
    func header(offset: Int) async throws {
        var bytes = try await Self.whole()
        for index in offset..<offset + 4 { bytes[index] ^= 0x5A }
        let kinds = try await examine(bytes, "overwritten at \(offset)")
        #expect(kinds.isSubset(of: [.damaged, .newerSchema]) && !kinds.isEmpty, "\(kinds) at \(offset)")
    }

    @Test("Overwritten anywhere, the store gives back what was written, or an error, and never anything else")
    func anywhere() async throws {
        let whole = try await Self.whole()
        var unnoticed = 0
        var places = 0
        for offset in stride(from: 0, to: whole.count - 16, by: 509) {
            var bytes = whole
            for index in offset..<offset + 16 { bytes[index] ^= 0xA5 }
            let kinds = try await examine(bytes, "overwritten at \(offset)")
            #expect(kinds.isSubset(of: [.damaged, .damagedRow, .newerSchema, .conflict]), "\(kinds) at \(offset)")
            places += 1
            if kinds.isEmpty { unnoticed += 1 }
        }
        // Most of a small file is free space, where nothing can be noticed.
        #expect(unnoticed < places)
    }

    @Test(
        "Bytes that never were a database are refused",
        arguments: [
            [UInt8](repeating: 0, count: 8192), [UInt8]("this is a text, not a database\n".utf8), [UInt8]("SQLite format 3\0".utf8),
        ])
    func noDatabase(bytes: [UInt8]) async throws {
        #expect(try await examine(bytes, "no database") == [.damaged])
    }

    @Test(
        "Tables that were changed are damage",
        arguments: [
            "DROP TABLE credentials", "ALTER TABLE credentials RENAME COLUMN sealed TO other",
            "DROP TABLE credentials; CREATE VIEW credentials AS SELECT 1",
        ])
    func tables(script: String) async throws {
        let directory = try TemporaryDirectory()
        await (try Store.open(directory: directory.path, key: FixedKey())).close()
        try withDatabase(in: directory) { try $0.execute(script) }
        let store = try Store.open(directory: directory.path, key: FixedKey())
        #expect(await storeError { try await store.credentials() }?.kind == .damaged)
        #expect(try await store.loadSessions(now: Samples.now).values.isEmpty)
    }

    @Test("A log that was overwritten gives what was written before it, or an error")
    func log() async throws {
        let directory = try TemporaryDirectory()
        let store = try Store.open(directory: directory.path, key: FixedKey())
        try await store.apply(AccountChanges(upsertUser: Samples.user("a"), credential: .grant(Samples.credential("a"))))
        let database = try Bytes.read(directory.file("postern.db"))
        let log = try Bytes.read(directory.file("postern.db-wal"))
        await store.close()
        for offset in stride(from: 0, to: log.count, by: 1021) {
            let copy = try TemporaryDirectory()
            var bytes = log
            bytes[offset] ^= 0xFF
            try Bytes.write(database, to: copy.file("postern.db"))
            try Bytes.write(bytes, to: copy.file("postern.db-wal"))
            let error = await storeError {
                let store = try Store.open(directory: copy.path, key: FixedKey())
                if let user = try await store.user(uid: "uid-a") { #expect(user == Samples.user("a")) }
                await store.close()
            }
            #expect([nil, .damaged, .damagedRow].contains(error?.kind), "\(String(describing: error)) at \(offset)")
        }
    }
}

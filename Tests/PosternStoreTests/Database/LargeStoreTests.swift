import PosternCore
import Testing

@testable import PosternStore

/// A store of thousands is opened as fast as a person's own, and nothing that was promised of a damaged one is lost with that.
@Suite(.serialized) struct LargeStoreTests {
    let directory: TemporaryDirectory
    init() throws { directory = try TemporaryDirectory() }

    /// - Parameter count: of users, each with a credential, a session, a handle and all else that a row can be of.
    private func fill(_ count: Int) async throws {
        let store = try Store.open(directory: directory.path, key: FixedKey())
        try await store.apply(
            (0..<count).map { number in
                AccountChanges(
                    upsertUser: Samples.user("\(number)"), signIn: Samples.signIn(app: "app-\(number)", uid: "uid-\(number)"),
                    credential: .grant(Samples.credential("\(number)")))
            })
        try await store.begin(Samples.session("a"))
        try await store.add(Samples.handle())
        try await store.setSetting("anything", to: ["a": 1])
        await store.close()
    }

    private func open(isSuspect: Bool = false) throws -> Store {
        try Store.open(directory: directory.path, key: FixedKey(), isSuspect: isSuspect)
    }

    // MARK: What a start reads

    private func pagesReadAtStart(users: Int) async throws -> Int {
        let directory = try TemporaryDirectory()
        let other = LargeStoreTests(directory)
        try await other.fill(users)
        let store = try other.open()
        let remains = try await store.remains(now: Samples.now, credentials: 64)
        #expect(remains.credentials.credentials.values.count == 64 && remains.credentials.next != nil && remains.sessions.values.count == 1)
        let pages = try await store.pagesRead
        await store.close()
        return pages
    }

    private init(_ directory: TemporaryDirectory) { self.directory = directory }

    @Test("As many pages are read before the first answer with 2,100 users as with 700")
    func start() async throws {
        let (few, many) = (try await pagesReadAtStart(users: 700), try await pagesReadAtStart(users: 2100))
        // A tree of more rows can be one level deeper: the credentials' is the only one that is gone through.
        #expect(abs(few - many) <= 2 && many < 80, "\(few) pages, \(many) pages")
    }

    /// Pages and rows that one account takes, and the only one of a provider.
    private func readForOne(users: Int) async throws -> (pages: Int, rows: Int) {
        let directory = try TemporaryDirectory()
        let other = LargeStoreTests(directory)
        try await other.fill(users)
        let filled = try other.open()
        try await filled.apply(AccountChanges(credential: .grant(Samples.credential("only", provider: "gitlab.com"))))
        await filled.close()
        let store = try other.open()
        let (pages, rows) = (try await store.pagesRead, try await store.rowsRead)
        #expect(try await store.credential(providerID: "github.com", subject: "subject-\(users - 1)") != nil)
        #expect(try await store.credential(providerID: "github.com", subject: "nobody") == nil)
        let page = try await store.credentials(providerID: "gitlab.com", after: [], limit: 256)
        #expect(page.credentials.values.map(\.subject) == ["subject-only"] && page.next == nil)
        let taken = (pages: try await store.pagesRead - pages, rows: try await store.rowsRead - rows)
        await store.close()
        return taken
    }

    @Test("An account takes as many pages of 2,100 users as of 700, and one row")
    func one() async throws {
        let (few, many) = (try await readForOne(users: 700), try await readForOne(users: 2100))
        #expect(few.rows == 2 && many.rows == 2)
        // The index and the table can be one level deeper each, at three places.
        #expect(many.pages - few.pages <= 6 && many.pages < 20, "\(few.pages) pages, \(many.pages) pages")
    }

    @Test(
        "Page by page a provider's credentials come once each, and no other's; one that does not open hides no other",
        arguments: ["sealed = x'00'", "generation = 'x'"])
    func pagesOfProvider(damage: String) async throws {
        try await fill(10)
        try withDatabase(in: directory) { _ = try $0.run("UPDATE credentials SET \(damage) WHERE rowid = 4") }
        let store = try open()
        try await store.apply((0..<5).map { AccountChanges(credential: .grant(Samples.credential("\($0)", provider: "gitlab.com"))) })
        for (providerID, limit, expected) in [
            ("github.com", 3, (0..<10).filter { $0 != 3 }), ("gitlab.com", 2, Array(0..<5)), ("gitlab.com", 5, Array(0..<5)), ("github", 2, []),
        ] {
            var (found, damaged): ([String], Int) = ([], 0)
            var next: [UInt8]? = []
            while let position = next {
                let page = try await store.credentials(providerID: providerID, after: position, limit: limit)
                #expect(page.credentials.values.allSatisfy { $0.providerID == providerID })
                found += page.credentials.values.map(\.subject)
                damaged += page.credentials.damaged.count
                next = page.next
            }
            #expect(found.sorted() == expected.map { "subject-\($0)" }.sorted() && damaged == (providerID == "github.com" ? 1 : 0))
        }
    }

    @Test("Reading what is needed at the start changes nothing, whatever is over by then")
    func readsAlone() async throws {
        try await fill(10)
        let before = try Bytes.readAll(in: directory.path)
        let store = try open()
        let later = Samples.now.adding(seconds: 30 * 86_400)
        #expect(try await store.remains(now: later, credentials: 64).sessions.values.isEmpty)
        #expect(try isUntouched(before, Bytes.readAll(in: directory.path)))
        try await store.tidy(now: later)
        #expect(try await store.rows(of: "sessions") == 0)
        #expect(try await store.rows(of: "handles") == 0)
    }

    @Test(
        "Page by page the credentials come once each; one that does not open hides no other",
        arguments: ["sealed = x'00'", "generation = 'x'"])
    func pages(damage: String) async throws {
        try await fill(10)
        try withDatabase(in: directory) { _ = try $0.run("UPDATE credentials SET \(damage) WHERE rowid = 4") }
        let store = try open()
        var (found, damaged, sizes): ([String], Int, [Int]) = ([], 0, [])
        var next: Int64? = CredentialPage.start
        while let position = next {
            let page = try await store.credentials(after: position, limit: 3)
            found += page.credentials.values.map(\.subject)
            damaged += page.credentials.damaged.count
            sizes.append(page.credentials.values.count)
            next = page.next
        }
        #expect(found == (0..<10).filter { $0 != 3 }.map { "subject-\($0)" } && damaged == 1 && sizes == [3, 2, 3, 1])
    }

    // MARK: Damage

    /// The trees of the file, by name.
    private static let trees = [
        "settings", "users", "identities", "current_users", "credentials", "sessions", "session_states", "handles", "passwords",
        "second_factors", "challenges", "firebase_sessions", "attempts", "users_by_email", "current_users_by_uid",
        "sqlite_autoindex_users_1", "sqlite_autoindex_identities_1", "sqlite_autoindex_identities_2", "sqlite_autoindex_credentials_1",
        "sqlite_autoindex_sessions_1", "handles_by_expiry",
    ]

    /// A large store, made once: its bytes.
    private static let whole = Task {
        let made = LargeStoreTests(try TemporaryDirectory())
        try await made.fill(700)
        return try Bytes.read(made.directory.file("postern.db"))
    }

    private func makeLarge() async throws { try Bytes.write(try await Self.whole.value, to: directory.file("postern.db")) }

    /// One tree's first page is no page any more.
    ///
    /// - Returns: what is in the file.
    private func damaged(at tree: String) async throws -> [UInt8] {
        try await makeLarge()
        let page = try withDatabase(in: directory) { database in
            #expect(try !database.isSmall)
            return try database.first("SELECT rootpage FROM sqlite_master WHERE name = ?", [.text(tree)]) {
                (row: borrowing Row) throws(StoreError) in try row.integer(0)
            }
        }
        var bytes = try Bytes.read(directory.file("postern.db"))
        let start = (Int(try #require(page)) - 1) * 4096
        for index in start..<start + 64 { bytes[index] = 0xA5 }
        try Bytes.write(bytes, to: directory.file("postern.db"))
        return bytes
    }

    @Test("A large store that is damaged anywhere is never written to, and says so to everybody once that is known", arguments: trees)
    func damage(tree: String) async throws {
        let bytes = try await damaged(at: tree)
        let store = try open()
        // Read before it was looked at whole: what is answered is as it was written, or an error.
        let user = await storeError { if let user = try await store.user(uid: "uid-7") { #expect(user == Samples.user("7")) } }
        #expect([nil, .damaged].contains(user?.kind))
        #expect(await storeError { try await store.begin(Samples.session("new")) }?.kind == .damaged)
        for attempt in [
            await storeError { try await store.tidy(now: Samples.now) }, await storeError { try await store.user(uid: "uid-7") },
            await storeError { try await store.markExchanging(sessionID: "session-a") }, await storeError { try await store.signOut(app: "app-1") },
        ] {
            #expect(attempt?.kind == .damaged)
        }
        await store.close()
        #expect(try Bytes.read(directory.file("postern.db")) == bytes)
        #expect(await storeError { try open(isSuspect: true) }?.kind == .damaged)
        #expect(try Bytes.read(directory.file("postern.db")) == bytes)
    }

    @Test("An index that has lost a row is found before anything is decided by it")
    func lostRow() async throws {
        try await makeLarge()
        try withDatabase(in: directory) { database in
            // As a disk does that brings back an old page: the tree is in order, and says something else than its table.
            try database.execute(
                """
                PRAGMA writable_schema = ON;
                UPDATE sqlite_master SET sql = 'CREATE INDEX users_by_email ON users (email_index) WHERE uid = 1'
                WHERE name = 'users_by_email';
                """)
        }
        try withDatabase(in: directory) { database in
            try database.execute("REINDEX users_by_email")
        }
        try withDatabase(in: directory) { database in
            try database.execute(
                """
                PRAGMA writable_schema = ON;
                UPDATE sqlite_master
                SET sql = 'CREATE INDEX users_by_email ON users (email_index) WHERE email_index IS NOT NULL' WHERE name = 'users_by_email';
                """)
        }
        let store = try open()
        #expect(await storeError { try await store.apply(AccountChanges(upsertUser: Samples.user("new"))) }?.kind == .damaged)
    }

    @Test("Closing a large store that nobody looked at leaves its log alone, and nothing is lost with that")
    func logOfUnknown() async throws {
        try await makeLarge()
        // A life that ended without closing it.
        let store = try open()
        try await store.begin(Samples.session("late"))
        let database = try Bytes.read(directory.file("postern.db"))
        let log = try Bytes.read(directory.file("postern.db-wal"))
        await store.close()
        try Bytes.write(database, to: directory.file("postern.db"))
        try Bytes.write(log, to: directory.file("postern.db-wal"))

        let reader = try open()
        #expect(try await reader.remains(now: Samples.now, credentials: 64).sessions.values.map(\.id) == ["session-a", "session-late"])
        await reader.close()
        #expect(try Bytes.read(directory.file("postern.db")) == database)
        let writer = try open()
        try await writer.tidy(now: Samples.now)
        await writer.close()
        #expect(directory.names == ["lock", "postern.db"])
        #expect(try await open().remains(now: Samples.now, credentials: 64).sessions.values.count == 2)
    }

    // MARK: What is not waited for

    @Test("The delivery of a result waits for no disk, and the next change does")
    func durability() async throws {
        let store = try open()
        try await store.begin(Samples.session())
        #expect(try await store.synchronous == 2)
        try await store.end(Samples.session())
        #expect(try await store.markDelivered(sessionID: "session-a"))
        #expect(try await store.synchronous == 1)
        // A single statement, and a transaction.
        try await store.extend(sessionID: "session-a", until: Samples.now)
        #expect(try await store.synchronous == 2)
        try await store.begin(Samples.session("b"))
        #expect(try await store.synchronous == 2)
    }
}

extension Store {
    fileprivate var pagesRead: Int { get throws { try tables.connection.pagesRead } }

    fileprivate var rowsRead: Int { get throws { try tables.connection.rowsRead } }

    fileprivate var synchronous: Int64 { get throws { try tables.connection.pragma("synchronous") } }

    fileprivate func rows(of table: String) throws -> Int64? {
        try tables.connection.first("SELECT count(*) FROM \(table)") { (row: borrowing Row) throws(StoreError) in try row.integer(0) }
    }

    fileprivate func end(_ signIn: StoredSignIn) throws {
        _ = try markExchanging(sessionID: signIn.session.id)
        try finish(sessionID: signIn.session.id, outcome: .completed(Samples.completed()))
    }
}

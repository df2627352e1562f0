import PosternCore
import StrictJSON
import Testing

@testable import PosternStore

/// Somebody who can write the file, and does not have the key, changes one column of one row.
@Suite("A plain column that was changed") struct PlainColumnTests {
    let directory: TemporaryDirectory
    init() throws { directory = try TemporaryDirectory() }

    /// Times, and a counter: gap 7 of the threat model.
    private static let unauthenticated: Set = [
        "sessions.expires_at", "handles.expires_at", "challenges.expires_at", "attempts.last_at", "credentials.generation",
    ]

    /// All but `meta`, in which the store describes its key.
    private static let tables = [
        "settings", "users", "identities", "current_users", "passwords", "second_factors", "challenges", "firebase_sessions", "attempts",
        "credentials", "sessions", "session_states", "handles",
    ]

    @Test("no table is left out")
    func complete() throws {
        let store = try OpenedStore(directory: directory.path, key: FixedKey())
        let names = try store.connection.query("SELECT name FROM sqlite_master WHERE type = 'table'") {
            (row: borrowing Row) throws(StoreError) in try row.text(0)
        }
        #expect(Set(names) == Set(Self.tables).union(["meta"]))
    }

    @Test("is damage, or hides its row, and never makes anybody somebody else or anything unused", arguments: tables)
    func changed(table: String) async throws {
        try await fill()
        let store = try OpenedStore(directory: directory.path, key: FixedKey())
        try store.connection.execute("PRAGMA foreign_keys = OFF; BEGIN IMMEDIATE")
        let whole = try Questions(store).answers()
        #expect(whole.values.allSatisfy { $0 != .damaged })
        var count = 0
        for change in try Changes(store.connection, table: table).all where !Self.unauthenticated.contains(change.column) {
            try store.connection.tried {
                do throws(StoreError) { try store.connection.execute(change.script) } catch {
                    #expect(error.kind == .conflict, "\(change.script): \(error)")
                    return
                }
                count += 1
                for (request, answer) in try Questions(store).answers() {
                    let isTrue = answer.isNothingBut(whole[request])
                    #expect(isTrue, "\(change.script): \(request)")
                }
            }
        }
        #expect(count > 5)
    }

    @Test("does not keep an app from signing out, and says nobody's name then", arguments: ["uid = 'uid-b'", "sealed = x'00'", "uid = x'00'"])
    func signingOut(change: String) async throws {
        let store = try Store.open(directory: directory.path, key: FixedKey())
        for mark in ["a", "b"] {
            try await store.apply(AccountChanges(upsertUser: Samples.user(mark), signIn: Samples.signIn(app: mark, uid: "uid-\(mark)")))
        }
        await store.close()
        try withDatabase(in: directory) { try $0.execute("UPDATE current_users SET \(change) WHERE app = 'a'") }
        let again = try Store.open(directory: directory.path, key: FixedKey())
        if change != "uid = x'00'" { #expect(await storeError { try await again.current(app: "a") }?.kind == .damagedRow) }
        #expect(try await again.signOut(app: "a") == nil)
        #expect(try await again.current(app: "a") == nil)
        #expect(try await again.signOut(app: "b") == "uid-b")
    }

    @Test("in a state of a sign-in hides no other sign-in")
    func state() async throws {
        let store = try Store.open(directory: directory.path, key: FixedKey())
        for mark in ["a", "b", "c"] { try await store.begin(Samples.session(mark)) }
        await store.close()
        try withDatabase(in: directory) {
            try $0.execute("UPDATE session_states SET session_id = 'session-a' WHERE session_id = 'session-b'")
        }
        let listing = try await Store.open(directory: directory.path, key: FixedKey()).loadSessions(now: Samples.now)
        #expect(listing.damaged.map(\.kind) == [.damagedRow])
        #expect(listing.values.map(\.id) == ["session-b", "session-c"] && listing.values.first?.stateHashes == [])
    }

    // MARK: The store

    /// Two of everything.
    private func fill() async throws {
        let store = try Store.open(directory: directory.path, key: FixedKey())
        for mark in ["a", "b"] {
            try await store.begin(Samples.session("waiting-\(mark)"))
            for name in ["used-\(mark)", "done-\(mark)", "given-\(mark)"] {
                try await store.begin(Samples.session(name))
                #expect(try await store.markExchanging(sessionID: "session-\(name)"))
            }
            for name in ["done-\(mark)", "given-\(mark)"] {
                try await store.finish(sessionID: "session-\(name)", outcome: .completed(Samples.completed(mark, user: Samples.user(mark))))
            }
            #expect(try await store.markDelivered(sessionID: "session-given-\(mark)"))
            try await store.begin(Samples.session("over-\(mark)"))
            try await store.finish(sessionID: "session-over-\(mark)", outcome: .failed(.cancelled))

            var changes = Samples.secondFactors(mark)
            changes.signIn = Samples.signIn(app: "app-\(mark)", uid: "uid-\(mark)")
            changes.credential = .grant(Samples.credential(mark))
            changes.password = .set(Samples.passwordHash(mark))
            changes.attempts = [.password(email: mark): Attempts(count: mark == "a" ? 1 : 2, since: Samples.now)]
            changes.firebaseSession = Samples.firebaseSession(app: "app-\(mark)", project: "project-\(mark)", mark: mark)
            try await store.apply(changes)
            try await store.add(Samples.handle(mark))
            try await store.setSetting("setting-\(mark)", to: ["mark": .string(mark)])
            try await store.apply(
                AccountChanges(
                    upsertUser: Samples.anonymous("held-\(mark)"), signIn: Samples.signIn(app: "held-\(mark)", uid: "held-\(mark)")))
            try await store.apply(AccountChanges(upsertUser: Samples.anonymous("orphan-\(mark)")))
        }
        await store.close()
    }
}

/// Every change of one column of one row that the test makes.
private struct Changes {
    struct Change {
        var column: String
        var script: String
    }

    var all: [Change] = []

    init(_ connection: Connection, table: String) throws {
        let columns = try connection.query("SELECT name FROM pragma_table_info('\(table)')") {
            (row: borrowing Row) throws(StoreError) in try row.text(0)
        }
        for column in columns {
            let rows = try connection.query("SELECT rowid, quote(\(column)), typeof(\(column)) FROM \(table)") {
                (row: borrowing Row) throws(StoreError) in (id: try row.integer(0), value: try row.text(1), type: try row.text(2))
            }
            func set(_ id: Int64, _ value: String) -> String { "UPDATE \(table) SET \(column) = \(value) WHERE rowid = \(id);" }
            for row in rows {
                var values = Set(rows.map(\.value)).union(["NULL"])
                switch row.type {
                case "text": values.insert("\(column) || 'x'")
                case "blob": values.insert("zeroblob(length(\(column)))")
                case "integer": values.formUnion(["\(column) + 1", "1 - \(column)"])
                default: values.insert("x'00'")
                }
                for value in values.sorted() where value != row.value {
                    all.append(Change(column: "\(table).\(column)", script: set(row.id, value)))
                }
            }
            // Past a value that no row has, because the column may be unique.
            for (one, other) in zip(rows, rows.dropFirst()) where one.value != other.value {
                all.append(
                    Change(
                        column: "\(table).\(column)",
                        script: set(one.id, "'elsewhere'") + set(other.id, one.value) + set(one.id, other.value)))
            }
        }
    }
}

/// What a store answers: things that exist, that are true or that were done; or that a row is damaged.
private enum Answer: Equatable {
    case found(Set<String>)
    case damaged

    /// What cannot be read, or not found, can be missing: that is how a deleted row looks, too.
    func isNothingBut(_ whole: Answer?) -> Bool {
        switch (self, whole) {
        case (.damaged, _): true
        case (.found(let found), .found(let all)?): found.isSubset(of: all)
        default: false
        }
    }
}

/// Everything that a store can be asked.
private struct Questions {
    private let store: OpenedStore

    init(_ store: OpenedStore) { self.store = store }

    func answers() throws -> [String: Answer] {
        var answers: [String: Answer] = [:]
        func ask(_ request: String, _ answer: () throws(StoreError) -> [String?]) throws {
            do throws(StoreError) { answers[request] = .found(Set(try answer().compactMap(\.self))) } catch {
                guard error.kind == .damagedRow else { throw error }
                answers[request] = .damaged
            }
        }
        let sessions = try store.sessions.all(since: Samples.now).values
        answers["sessions"] = .found(Set(sessions.flatMap(parts)))
        // Nothing is done with one that could not be read.
        for id in sessions.map(\.id) {
            try ask("phase of \(id)") { () throws(StoreError) in [try store.sessions.phase(of: id)?.rawValue] }
            try ask("result of \(id)") { () throws(StoreError) in [try store.sessions.hasResultToDeliver(id) ? "there" : nil] }
            try tried("delivery of \(id)", &answers) { () throws(StoreError) in [try store.sessions.markDelivered(id) ? "done" : nil] }
            try tried("use of \(id)", &answers) { () throws(StoreError) in [try store.sessions.markExchanging(id) ? "done" : nil] }
        }
        for mark in ["a", "b"] {
            try ask("user \(mark)") { () throws(StoreError) in parts(of: try store.users.user(uid: "uid-\(mark)")) }
            try ask("anonymous \(mark)") { () throws(StoreError) in parts(of: try store.users.user(uid: "held-\(mark)")) }
            try ask("identity \(mark)") { () throws(StoreError) in
                parts(of: try store.users.user(providerID: "github.com", subject: "subject-\(mark)"))
            }
            let email = "person-\(mark)@example.com"
            try ask("users with \(email)") { () throws(StoreError) in try store.users.users(email: email).flatMap(parts) }
            try ask("users with any \(email)") { () throws(StoreError) in try store.users.users(anyEmail: email).flatMap(parts) }
            for app in [AppName("app-\(mark)"), AppName("held-\(mark)")] {
                try ask("current of \(app)") { () throws(StoreError) in
                    try store.users.current(app: app).map { [text($0.signIn)] + parts(of: $0.user) } ?? []
                }
                try tried("sign-out of \(app)", &answers) { () throws(StoreError) in [try store.users.signOut(app: app)] }
            }
            try ask("credential \(mark)") { () throws(StoreError) in
                [try store.credentials.credential(providerID: "github.com", subject: "subject-\(mark)").map { text($0.record) }]
            }
            try ask("handle \(mark)") { () throws(StoreError) in
                [try store.handles.record("handle-\(mark)", now: Samples.now).map { text($0.record) }]
            }
            try ask("password \(mark)") { () throws(StoreError) in [text(try store.passwords.hash(of: "uid-\(mark)"))] }
            try ask("key \(mark)") { () throws(StoreError) in [text(try store.secondFactors.key(of: "totp-\(mark)", uid: "uid-\(mark)"))] }
            try ask("challenge \(mark)") { () throws(StoreError) in
                [try store.challenges.challenge("challenge-\(mark)", now: Samples.now).map { $0.uid + text($0.record) }]
            }
            try ask("attempts \(mark)") { () throws(StoreError) in [text(try store.attempts.attempts(of: .password(email: mark)))] }
            for project in ["project-a", "project-b"] {
                try ask("Firebase \(mark) \(project)") { () throws(StoreError) in
                    [text(try store.firebaseSessions.session(app: AppName("app-\(mark)"), project: project))]
                }
            }
            try ask("setting \(mark)") { () throws(StoreError) in [try store.settings.value("setting-\(mark)").map { text($0) }] }
        }
        try ask("identities") { () throws(StoreError) in try store.users.identities(providerID: "github.com", limit: 10).map { text($0) } }
        try ask("credentials") { () throws(StoreError) in
            try store.credentials.page(after: CredentialPage.start, limit: 10).credentials.values.map { text($0.record) }
        }
        try ask("anonymous apps") { () throws(StoreError) in (0..<(try store.users.anonymousApps())).map(String.init) }
        try tried("people among the orphans", &answers) { () throws(StoreError) in
            let before = try people()
            try store.users.deleteOrphans(keeping: 0)
            return before.subtracting(try people()).map(String.init)
        }
        return answers
    }

    /// The rows of those who were written first for each mark, whatever stands in them.
    private func people() throws(StoreError) -> Set<Int64> {
        Set(try store.connection.query("SELECT rowid FROM users WHERE rowid IN (1, 4)") { (row: borrowing Row) throws(StoreError) in try row.integer(0) })
    }

    private func tried(_ request: String, _ answers: inout [String: Answer], _ act: () throws(StoreError) -> [String?]) throws {
        try store.connection.tried {
            do throws(StoreError) { answers[request] = .found(Set(try act().compactMap(\.self))) } catch {
                guard error.kind == .damagedRow else { throw error }
                answers[request] = .damaged
            }
        }
    }

    private func text(_ value: (some Record)?) -> String? { value.map { text($0.record) } }

    private func text(_ document: JSONObject) -> String { String(decoding: document.serialized, as: UTF8.self) }

    /// An account or a second factor that is missing was as good as deleted.
    private func parts(of user: User?) -> [String] {
        guard var user else { return [] }
        let parts = user.identities.map { user.uid + text($0.record) } + user.secondFactors.map { user.uid + text($0.record) }
        user.identities = []
        user.secondFactors = []
        return parts + [text(user.record)]
    }

    /// A state that is missing was as good as deleted.
    private func parts(of signIn: StoredSignIn) -> [String] {
        let records = [
            signIn.session.record, signIn.secrets.map { SessionFlowSecrets(flow: $0, device: signIn.device).record }, signIn.outcome?.record,
        ]
        let documents = records.compactMap(\.self).map { text($0) }.joined()
        return signIn.stateHashes.map { "\(signIn.id) \($0)" } + ["\(signIn.id) \(signIn.phase) \(signIn.isDelivered) \(documents)"]
    }
}

extension Connection {
    /// Whatever it changes is undone. Inside a transaction.
    fileprivate func tried(_ body: () throws -> Void) throws {
        try execute("SAVEPOINT tried")
        defer { #expect(throws: Never.self) { try execute("ROLLBACK TO tried; RELEASE tried") } }
        try body()
    }
}

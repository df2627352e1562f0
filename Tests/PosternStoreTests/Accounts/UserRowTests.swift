import PosternCore
import Testing

@testable import PosternStore

@Suite("Users come, are found and go") struct UserRowTests {
    let directory: TemporaryDirectory
    let store: Store
    init() throws {
        directory = try TemporaryDirectory()
        store = try Store.open(directory: directory.path, key: FixedKey())
    }

    @Test("An address finds its user also where a provider alone has it, letter case apart")
    func anyEmail() async throws {
        var user = Samples.user()
        user.email = "own@example.com"
        try await store.apply(AccountChanges(upsertUser: user))
        for email in ["own@example.com", "OWN@example.com", "person-a@example.com"] {
            #expect(try await store.users(anyEmail: email).map(\.uid) == ["uid-a"])
        }
        #expect(try await store.users(email: "person-a@example.com").isEmpty)
        #expect(try await store.users(anyEmail: "other@example.com").isEmpty)
    }

    @Test("Of anonymous users whom no app is signed in as the latest are kept, and everybody else")
    func orphans() async throws {
        try await store.apply(AccountChanges(upsertUser: Samples.user()))
        try await store.apply(AccountChanges(upsertUser: Samples.anonymous("held"), signIn: Samples.signIn(app: "one", uid: "held")))
        for number in 0..<5 { try await store.apply(AccountChanges(upsertUser: Samples.anonymous("orphan-\(number)"))) }
        var changes = AccountChanges(upsertUser: Samples.anonymous("new"), signIn: Samples.signIn(app: "two", uid: "new"))
        changes.orphanLimit = 2
        try await store.apply(changes)
        var left: [String] = []
        for uid in ["uid-a", "held", "new"] + (0..<5).map({ "orphan-\($0)" }) where try await store.user(uid: uid) != nil {
            left.append(uid)
        }
        #expect(left == ["uid-a", "held", "new", "orphan-3", "orphan-4"])
    }

    @Test("Apps with an anonymous current user are counted, others are not")
    func anonymousApps() async throws {
        func count() async throws -> Int { try await store.change { accounts throws(AccountFailure) in (try accounts.anonymousApps(), AccountChanges()) } }
        #expect(try await count() == 0)
        try await store.apply(AccountChanges(upsertUser: Samples.user(), signIn: Samples.signIn(app: "named", uid: "uid-a")))
        for app in ["one", "two"] {
            try await store.apply(AccountChanges(upsertUser: Samples.anonymous("of-\(app)"), signIn: Samples.signIn(app: app, uid: "of-\(app)")))
        }
        try await store.apply(AccountChanges(upsertUser: Samples.anonymous("orphan")))
        #expect(try await count() == 2)
        try await store.signOut(app: "one")
        #expect(try await count() == 1)
    }

    @Test("With a user go the credentials that nobody else keeps, the handles for them and what its sign-ins have to deliver, and nobody else's")
    func delete() async throws {
        for mark in ["a", "b"] {
            var credential = Samples.credential(mark)
            credential.keepers = CredentialKeepers(.app("one"))
            try await store.apply(AccountChanges(upsertUser: Samples.user(mark), credential: .grant(credential)))
            try await store.add(Samples.handle(mark))
            try await store.begin(Samples.session(mark))
            _ = try await store.markExchanging(sessionID: "session-\(mark)")
            try await store.finish(sessionID: "session-\(mark)", outcome: .completed(Samples.completed(mark, user: Samples.user(mark))))
        }
        var changes = AccountChanges()
        changes.deleteUser = "uid-a"
        changes.released = [CredentialKey(Samples.credential("a"))]
        try await store.apply(changes)
        #expect(try await store.user(uid: "uid-a") == nil)
        #expect(try await store.credential(providerID: "github.com", subject: "subject-a") == nil)
        #expect(try await store.consumeHandle("handle-a", now: Samples.now) == nil)
        #expect(try await store.consumeHandle("handle-b", now: Samples.now) != nil)
        #expect(try await store.loadSessions(now: Samples.now).values.map(\.id) == ["session-b"])
        #expect(try await store.credential(providerID: "github.com", subject: "subject-b") != nil)
    }

    @Test("Attempts are counted over a restart, forgotten at 0, and dropped when they are old")
    func attempts() async throws {
        func set(_ subject: AttemptSubject, _ count: Int64, at moment: Timestamp) async throws {
            var changes = AccountChanges()
            changes.attempts = [subject: Attempts(count: count, since: moment)]
            try await store.apply(changes)
        }
        func read(_ store: Store, _ subject: AttemptSubject) async throws -> Int64? {
            try await store.change { accounts throws(AccountFailure) in (try accounts.attempts(of: subject)?.count, AccountChanges()) }
        }
        try await set(.password(email: "a@b"), 3, at: Samples.now)
        try await set(.passwords, 4, at: Samples.now)
        await store.close()
        let again = try Store.open(directory: directory.path, key: FixedKey())
        #expect(try await read(again, .password(email: "a@b")) == 3)
        #expect(try await read(again, .passwords) == 4)
        var changes = AccountChanges()
        changes.attempts = [.passwords: Attempts(count: 0, since: Samples.now)]
        try await again.apply(changes)
        #expect(try await read(again, .passwords) == nil)
        changes.attempts = [.passwords: Attempts(count: 1, since: Samples.now.adding(seconds: 8 * 86_400))]
        try await again.apply(changes)
        #expect(try await read(again, .password(email: "a@b")) == nil)
    }
}

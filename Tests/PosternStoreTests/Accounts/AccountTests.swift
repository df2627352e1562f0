import PosternCore
import StrictJSON
import Testing

@testable import PosternStore

@Suite struct AccountTests {
    let directory: TemporaryDirectory
    let store: Store
    init() throws {
        directory = try TemporaryDirectory()
        store = try Store.open(directory: directory.path, key: FixedKey())
    }

    private func put(_ user: User) async throws { try await store.apply(AccountChanges(upsertUser: user)) }

    @Test("A password's hash that asks for minutes of work is damage", arguments: [(1 << 15, 8, 64), (1 << 22, 8, 1), (3, 8, 1), (16, 8, 0)])
    func slowPassword(cost: Int, blockSize: Int, parallelization: Int) async throws {
        var hash = Samples.passwordHash()
        hash.parameters = PasswordHash.Parameters(cost: cost, blockSize: blockSize, parallelization: parallelization)
        var changes = AccountChanges(upsertUser: Samples.user())
        changes.password = .set(hash)
        try await store.apply(changes)
        let error = await storeError {
            try await store.change { accounts throws(AccountFailure) in (try accounts.password(uid: "uid-a"), AccountChanges()) }
        }
        #expect(error?.kind == .damagedRow)
    }

    @Test("A user is found by uid, by identity and by address, letter case apart")
    func finding() async throws {
        try await put(Samples.user("a"))
        try await put(Samples.user("b"))
        #expect(try await store.user(uid: "uid-a") == Samples.user("a"))
        #expect(try await store.user(identity: "github.com", subject: "subject-b") == Samples.user("b"))
        #expect(try await store.users(email: "PERSON-A@example.COM") == [Samples.user("a")])
        #expect(try await store.user(uid: "uid-A") == nil)
        #expect(try await store.user(identity: "github.com", subject: "subject-c") == nil)
        #expect(try await store.user(identity: "gitlab.com", subject: "subject-a") == nil)
        #expect(try await store.users(email: "person-a@example.org").isEmpty)
        #expect(try await store.counts().users == 2)
    }

    @Test("The identities of one provider are listed, of all users, as many as are wanted")
    func identities() async throws {
        try await put(Samples.user("a", identities: [Samples.identity("a"), Samples.identity("a", provider: "gitlab.com")]))
        try await put(Samples.user("b"))
        let all = Set(try await store.identities(providerID: "github.com", meantBy: "nobody"))
        #expect(all == [Samples.identity("a"), Samples.identity("b")])
        #expect(try await store.identities(providerID: "gitlab.com", meantBy: "nobody") == [Samples.identity("a", provider: "gitlab.com")])
        #expect(try await store.identities(providerID: "github.com", meantBy: "nobody", glance: 1).count == 1)
        // Whom the hint names is found however many others there are.
        for hint in ["subject-b", "PERSON-B@example.com"] {
            #expect(try await store.identities(providerID: "github.com", meantBy: hint, glance: 0) == [Samples.identity("b")])
        }
        #expect(try await store.identities(providerID: "elsewhere", meantBy: "subject-b").isEmpty)
    }

    @Test("A user without anything is kept as it is")
    func bareUser() async throws {
        let user = User(uid: "bare", isAnonymous: true, createdAt: Samples.now, lastSignInAt: Samples.now)
        try await put(user)
        #expect(try await store.user(uid: "bare") == user)
        #expect(try await store.users(email: "").isEmpty)
    }

    @Test("A change replaces the user and its identities, in their order")
    func replacing() async throws {
        try await put(Samples.user("a", identities: [Samples.identity("a"), Samples.identity("a", provider: "work")]))
        var changed = Samples.user("a", identities: [Samples.identity("z", provider: "work"), Samples.identity("a")])
        changed.email = "new@example.com"
        try await put(changed)
        #expect(try await store.user(uid: "uid-a") == changed)
        #expect(try await store.users(email: "Person-a@Example.com").isEmpty)
        #expect(try await store.users(email: "new@example.com") == [changed])
        #expect(try await store.user(identity: "work", subject: "subject-a") == nil)
        #expect(try await store.counts().users == 1)
    }

    @Test("An identity has one user: a second is a conflict, and changes nothing")
    func identityTaken() async throws {
        try await put(Samples.user("a"))
        let error = await storeError {
            try await put(Samples.user("b", identities: [Samples.identity("b", provider: "work"), Samples.identity("a")]))
        }
        #expect(error?.kind == .conflict)
        #expect(error?.description.contains("subject-a") == false)
        #expect(try await store.user(uid: "uid-b") == nil)
        #expect(try await store.user(identity: "github.com", subject: "subject-a")?.uid == "uid-a")
    }

    @Test("A user has one identity at a provider")
    func twoOfOneProvider() async throws {
        let error = await storeError { try await put(Samples.user("a", identities: [Samples.identity("a"), Samples.identity("b")])) }
        #expect(error?.kind == .conflict)
    }

    @Test("Each app has its own current user")
    func currentUsers() async throws {
        try await put(Samples.user("a"))
        try await put(Samples.user("b"))
        try await store.apply(AccountChanges(signIn: Samples.signIn(app: "one", uid: "uid-a")))
        try await store.apply(AccountChanges(signIn: Samples.signIn(app: "two", uid: "uid-a")))
        try await store.apply(AccountChanges(signIn: Samples.signIn(app: "two", uid: "uid-b")))
        #expect(try await store.current(app: "one")?.user.uid == "uid-a")
        #expect(try await store.current(app: "two")?.user.uid == "uid-b")
        try await store.signOut(app: "one")
        try await store.signOut(app: "three")
        #expect(try await store.current(app: "one")?.user == nil)
        #expect(try await store.current(app: "three")?.user == nil)
        #expect(await storeError { try await store.apply(AccountChanges(signIn: Samples.signIn(app: "one", uid: "nobody"))) }?.kind == .conflict)
    }

    @Test("A decision is taken inside the transaction: of fifty first sign-ins of one identity, one makes the user")
    func decidingRace() async throws {
        let made = try await withThrowingTaskGroup(of: Bool.self) { group in
            for number in 0..<50 {
                group.addTask {
                    try await store.change { accounts throws(AccountFailure) in
                        if try accounts.user(identity: "github.com", subject: "subject-a") != nil { return (false, AccountChanges()) }
                        var user = Samples.user("a")
                        user.uid = "uid-\(number)"
                        return (true, AccountChanges(upsertUser: user, signIn: Samples.signIn(app: "default", uid: user.uid)))
                    }
                }
            }
            return try await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
        }
        #expect(made == 1)
        #expect(try await store.counts().users == 1)
    }

    @Test("A session's end decides with all that it can look up")
    func decidingEnd() async throws {
        try await store.apply(
            AccountChanges(
                upsertUser: Samples.user(), signIn: Samples.signIn(app: "default", uid: "uid-a"), credential: .grant(Samples.credential())))
        try await store.begin(Samples.session())
        _ = try await store.markExchanging(sessionID: "session-a")
        let (outcome, credential) = try await store.finish(sessionID: "session-a") { accounts throws(AccountFailure) in
            let user = try accounts.user(identity: "github.com", subject: "subject-a")
            #expect(try accounts.user(uid: "uid-a") == user)
            #expect(try accounts.users(email: "person-a@example.com").first == user)
            #expect(try accounts.current(app: "default")?.user == user)
            #expect(try accounts.credential(providerID: "github.com", subject: "subject-a")?.generation == 1)
            return (.completed(Samples.completed(user: user)), AccountChanges(credential: .grant(Samples.credential(grant: "new"))))
        }
        #expect(outcome == .completed(Samples.completed(user: Samples.user())))
        #expect(try await store.loadSessions(now: Samples.now).values.first?.outcome == outcome)
        #expect(credential?.grant == Samples.grant("new") && credential?.generation == 2)
        #expect(try await store.credential(providerID: "github.com", subject: "subject-a") == credential)
    }

    @Test("A session's end that keeps no credential gives none back")
    func endWithoutCredential() async throws {
        try await store.apply(AccountChanges(credential: .grant(Samples.credential())))
        try await store.begin(Samples.session())
        let ended = try await store.finish(sessionID: "session-a") { _ throws(AccountFailure) in (.failed(.cancelled), AccountChanges()) }
        #expect(ended.credential == nil && ended.outcome == .failed(.cancelled))
    }

    @Test("A decision that throws changes nothing, and its error comes through")
    func decidingThrows() async throws {
        try await store.begin(Samples.session())
        await #expect(throws: AccountFailure.refused(.userNotFound)) {
            try await store.finish(sessionID: "session-a") { _ throws(AccountFailure) in throw .refused(.userNotFound) }
        }
        await #expect(throws: AccountFailure.refused(.userNotFound)) {
            try await store.change { _ throws(AccountFailure) -> (Bool, AccountChanges) in throw .refused(.userNotFound) }
        }
        #expect(try await store.loadSessions(now: Samples.now).values == [Samples.session()])
        // The transaction was ended: the next one begins.
        try await put(Samples.user())
    }

    @Test("A handle is good once, until its time")
    func handles() async throws {
        try await deliver([Samples.handle("a"), Samples.handle("b", expiresIn: 10)])
        #expect(try await store.consumeHandle("handle-a", now: Samples.now) == Samples.handle("a"))
        #expect(try await store.consumeHandle("handle-a", now: Samples.now) == nil)
        #expect(try await store.consumeHandle("handle-b", now: Samples.now.adding(seconds: 10)) == nil)
        #expect(try await store.consumeHandle("", now: Samples.now) == nil)
    }

    @Test("Handles that are over are not kept for ever")
    func expiredHandles() async throws {
        try await deliver([Samples.handle("a"), Samples.handle("b", expiresIn: 1000)])
        var later = Samples.session("later")
        later.session.startedAt = Samples.now.adding(seconds: 300)
        try await store.begin(later)
        #expect(try await store.handleCount() == 1)
    }

    @Test("Signing in with a handle uses it up with the change, and not where the decision fails")
    func signInWithHandle() async throws {
        try await deliver([Samples.handle("a")])
        await #expect(throws: AccountFailure.refused(.userNotFound)) {
            try await store.change(handle: "handle-a", now: Samples.now) { _, _ throws(AccountFailure) -> (Bool, AccountChanges) in throw .refused(.userNotFound) }
        }
        let uid = try await store.change(handle: "handle-a", now: Samples.now) { record, accounts throws(AccountFailure) in
            let user = try accounts.user(uid: "uid-a")
            #expect(record == Samples.handle("a"))
            #expect(user == nil)
            return (Samples.user().uid, AccountChanges(upsertUser: Samples.user()))
        }
        #expect(uid == "uid-a")
        let again = try await store.change(handle: "handle-a", now: Samples.now) { _, _ in
            Issue.record("it is not asked for a decision")
            return ("", AccountChanges())
        }
        #expect(again == nil)
        #expect(try await store.counts().users == 1)
    }

    @Test("A setting is kept, replaced and forgotten")
    func settings() async throws {
        #expect(try await store.setting("registration") == nil)
        try await store.setSetting("registration", to: ["client_id": "x"])
        try await store.setSetting("registration", to: ["client_id": "y", "n": 1])
        #expect(try await store.setting("registration") == ["client_id": "y", "n": 1])
        try await store.setSetting("registration", to: nil)
        #expect(try await store.setting("registration") == nil)
    }

    private func deliver(_ handles: [HandleRecord]) async throws {
        try await store.begin(Samples.session())
        _ = try await store.markExchanging(sessionID: "session-a")
        try await store.finish(sessionID: "session-a", outcome: .completed(Samples.completed()))
        #expect(try await store.addHandles(handles, of: "session-a"))
    }
}

extension Store {
    func handleCount() throws -> Int64? {
        try tables.connection.first("SELECT count(*) FROM handles") { (row: borrowing Row) throws(StoreError) in try row.integer(0) }
    }
}

import PosternCore
import Testing

@testable import PosternStore

@Suite struct FirebaseSessionTests {
    let directory: TemporaryDirectory
    let store: Store
    init() throws {
        directory = try TemporaryDirectory()
        store = try Store.open(directory: directory.path, key: FixedKey())
    }

    private func session(_ id: String = "1", app: String = "app", project: String = "project", mark: String = "a") -> FirebaseSession {
        Samples.firebaseSession(id, app: app, project: project, mark: mark)
    }

    private func put(_ session: FirebaseSession) async throws {
        var changes = AccountChanges()
        changes.firebaseSession = session
        try await store.apply(changes)
    }

    @Test("A sign-in is kept for its app and its project, apart from our own users")
    func keeping() async throws {
        try await put(session())
        try await put(session("2", app: "other", mark: "b"))
        #expect(try await store.firebaseSession(app: "app", project: "project") == session())
        #expect(try await store.firebaseSession(app: "other", project: "project")?.user.uid == "uid-b")
        #expect(try await store.firebaseSession(app: "app", project: "another") == nil)
        #expect(try await store.current(app: "app") == nil)
        #expect(try await store.counts().users == 0)
    }

    @Test("Only the sign-in that something was done for is changed")
    func changing() async throws {
        try await put(session())
        let changed = try await store.updateFirebaseSession(app: "app", project: "project", id: "1", endsPending: false) { $0.isProvisional = true }
        #expect(changed?.isProvisional == true)
        #expect(try await store.firebaseSession(app: "app", project: "project") == changed)
        try await put(session("2"))
        #expect(try await store.updateFirebaseSession(app: "app", project: "project", id: "1", endsPending: false) { $0.isProvisional = true } == nil)
        #expect(try await store.firebaseSession(app: "app", project: "project") == session("2"))
    }

    @Test("Apps with an anonymous user of the project are counted, others are not")
    func anonymousApps() async throws {
        try await put(session("1", app: "named"))
        for (app, project) in [("one", "project"), ("two", "project"), ("three", "another")] {
            var anonymous = session(app, app: app, project: project)
            anonymous.user.isAnonymous = true
            try await put(anonymous)
        }
        #expect(try await store.anonymousApps(ofFirebaseProject: "project") == 2)
    }

    @Test("Signing out takes away what is meant")
    func signingOut() async throws {
        try await put(session())
        #expect(try await store.signOutOfFirebase(app: "app", project: "project", id: "2") == nil)
        #expect(try await store.firebaseSession(app: "app", project: "project") != nil)
        #expect(try await store.signOutOfFirebase(app: "app", project: "project") == "uid-a")
        #expect(try await store.firebaseSession(app: "app", project: "project") == nil)
        #expect(try await store.signOutOfFirebase(app: "app", project: "project") == nil)
    }

    @Test("A sign-in that was moved to another app does not open, and can be signed out of")
    func moved() async throws {
        try await put(session())
        await store.close()
        try withDatabase(in: directory) { try $0.execute("UPDATE firebase_sessions SET app = 'stolen'") }
        let reopened = try Store.open(directory: directory.path, key: FixedKey())
        #expect(await storeError { try await reopened.firebaseSession(app: "stolen", project: "project") }?.kind == .damagedRow)
        _ = try await reopened.signOutOfFirebase(app: "stolen", project: "project")
        #expect(try await reopened.firebaseSession(app: "stolen", project: "project") == nil)
    }

    @Test("Nothing of it stands in plain in any file")
    func sealed() async throws {
        try await put(session())
        for (_, bytes) in try Bytes.readAll(in: directory.path) {
            let text = String(decoding: bytes, as: UTF8.self)
            for secret in ["id-token-a", "refresh-token-a", "uid-a", "Person-a", "google.com", "project-"] {
                #expect(!text.contains(secret))
            }
        }
    }

    @Test("A handle can be looked at and stays good")
    func peeking() async throws {
        try await store.add(Samples.handle())
        let handle = Samples.handle().handle.reveal()
        #expect(try await store.handle(handle, now: Samples.now)?.providerID == "github.com")
        #expect(try await store.handle(handle, now: Samples.now.adding(seconds: 301)) == nil)
        #expect(try await store.consumeHandle(handle, now: Samples.now) != nil)
        #expect(try await store.handle(handle, now: Samples.now) == nil)
    }
}

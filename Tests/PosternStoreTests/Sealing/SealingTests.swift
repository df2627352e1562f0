import Foundation
import PosternCore
import StrictJSON
import Testing

@testable import PosternStore

@Suite struct SealingTests {
    let directory: TemporaryDirectory
    init() throws { directory = try TemporaryDirectory() }

    /// Something in every table, for two people.
    private func fill(_ store: Store) async throws {
        for mark in ["a", "b"] {
            try await store.begin(Samples.session(mark))
            _ = try await store.markExchanging(sessionID: "session-\(mark)")
            try await store.finish(
                sessionID: "session-\(mark)", outcome: .completed(Samples.completed(mark, user: Samples.user(mark))),
                changes: AccountChanges(
                    upsertUser: Samples.user(mark), signIn: Samples.signIn(app: "app-\(mark)", uid: "uid-\(mark)"),
                    credential: .grant(Samples.credential(mark))))
            try await store.begin(Samples.session("waiting-\(mark)"))
            try await store.begin(Samples.session("over-\(mark)"))
            try await store.finish(
                sessionID: "session-over-\(mark)", outcome: .failed(.provider(.denied(error: "error", description: "Person-\(mark)"))))
            #expect(try await store.markDelivered(sessionID: "session-over-\(mark)"))
            #expect(try await store.addHandles([Samples.handle(mark)], of: "session-\(mark)"))
            try await store.apply(Samples.secondFactors(mark))
            try await store.add(Samples.challenge(mark, id: "challenge-\(mark)-2"), now: Samples.now)
            try await store.setSetting("setting-\(mark)", to: ["secret": .string("access-token-\(mark)")])
        }
    }

    @Test("No secret, address, name or subject stands in any byte of any file, open or closed")
    func nothingInPlain() async throws {
        let store = try Store.open(directory: directory.path, key: KeyChoice(.file))
        try await fill(store)
        let open = try Bytes.readAll(in: directory.path)
        await store.close()
        let closed = try Bytes.readAll(in: directory.path)
        // The search finds what is there: an id stands in plain.
        #expect(contains("session-waiting-a", in: open["postern.db-wal"] ?? []))
        #expect(contains("session-waiting-a", in: closed["postern.db"] ?? []))
        for mark in ["a", "b"] {
            for text in Samples.privateTexts(mark) {
                for (name, bytes) in Array(open) + Array(closed) {
                    #expect(!contains(text, in: bytes), "\(text) in \(name)")
                }
            }
        }
    }

    @Test("The key is in its file and nowhere else")
    func keyNotInStore() async throws {
        let store = try Store.open(directory: directory.path, key: KeyChoice(.file))
        try await fill(store)
        await store.close()
        let key = try KeyFile.read(at: directory.file("key")).bytes
        let database = try Bytes.read(directory.file("postern.db"))
        #expect(!contains(key.revealBytes(), in: database))
        #expect(!contains(Array(Base64URL.encode(key.revealBytes()).utf8), in: database))
    }

    @Test("What was deleted or used up is gone from the file")
    func secureDelete() async throws {
        let store = try Store.open(directory: directory.path, key: FixedKey())
        try await store.begin(Samples.session("marker"))
        await store.close()
        #expect(contains("session-marker", in: try Bytes.read(directory.file("postern.db"))))
        let again = try Store.open(directory: directory.path, key: FixedKey())
        try await again.deleteSessions(ids: ["session-marker"])
        await again.close()
        #expect(!contains("session-marker", in: try Bytes.read(directory.file("postern.db"))))
        #expect(directory.names == ["lock", "postern.db"])
    }

    @Test("The same value sealed twice looks different, and two stores of one key share no sealed byte string")
    func freshNonces() async throws {
        let store = try Store.open(directory: directory.path, key: FixedKey())
        try await store.setSetting("x", to: ["a": 1])
        let first = try await store.sealedSetting("x")
        try await store.setSetting("x", to: ["a": 1])
        #expect(try await store.sealedSetting("x") != first)
    }

    /// SQL that moves a sealed value to where it does not belong, and what of the store still answers.
    @Test(
        "A sealed value does not open in another row or column",
        arguments: [
            (script: "UPDATE users SET sealed = (SELECT sealed FROM users WHERE uid = 'uid-b') WHERE uid = 'uid-a'", asked: "user a"),
            (
                script: "UPDATE identities SET sealed = (SELECT sealed FROM identities WHERE uid = 'uid-b') WHERE uid = 'uid-a'",
                asked: "user a"
            ),
            (
                script: "UPDATE identities SET uid = 'uid-c' WHERE uid = 'uid-a'; UPDATE identities SET uid = 'uid-a' WHERE uid = 'uid-b';"
                    + "UPDATE identities SET uid = 'uid-b' WHERE uid = 'uid-c'", asked: "identity a"
            ),
            (
                script: "UPDATE credentials SET sealed = (SELECT sealed FROM credentials ORDER BY rowid DESC) WHERE rowid = 1",
                asked: "credential a"
            ),
            (
                script: "UPDATE settings SET sealed = (SELECT sealed FROM settings WHERE name = 'setting-b') WHERE name = 'setting-a'",
                asked: "setting a"
            ),
            (
                script:
                    "UPDATE settings SET name = 'setting-c' WHERE name = 'setting-a'; UPDATE settings SET name = 'setting-a' WHERE name = 'setting-b';"
                    + "UPDATE settings SET name = 'setting-b' WHERE name = 'setting-c'", asked: "setting a"
            ),
            (script: "UPDATE handles SET sealed = (SELECT sealed FROM handles ORDER BY rowid DESC) WHERE rowid = 1", asked: "handle a"),
        ])
    func swapped(script: String, asked: String) async throws {
        let store = try Store.open(directory: directory.path, key: FixedKey())
        try await fill(store)
        await store.close()
        try withDatabase(in: directory) { try $0.execute(script) }
        let again = try Store.open(directory: directory.path, key: FixedKey())
        #expect(await storeError { try await again.ask(asked) }?.kind == .damagedRow)
        if !script.contains("uid-c"), !script.contains("setting-c") {
            #expect(await storeError { try await again.ask(String(asked.dropLast()) + "b") } == nil)
        }
    }

    @Test(
        "A session with a value of another session or column is damaged; the others load",
        arguments: [
            "UPDATE sessions SET request = (SELECT request FROM sessions WHERE id = 'session-b') WHERE id = 'session-a'",
            "UPDATE sessions SET outcome = (SELECT outcome FROM sessions WHERE id = 'session-b') WHERE id = 'session-a'",
            "UPDATE sessions SET outcome = request WHERE id = 'session-a'",
            "UPDATE sessions SET outcome = NULL WHERE id = 'session-a'",
            "UPDATE sessions SET phase = 'failed' WHERE id = 'session-a'",
            "UPDATE sessions SET phase = 'authorizationPending' WHERE id = 'session-a'",
            "UPDATE sessions SET phase = 'no such phase' WHERE id = 'session-a'",
            "UPDATE sessions SET request = zeroblob(40) WHERE id = 'session-a'",
            "UPDATE sessions SET request = x'' WHERE id = 'session-a'",
            "UPDATE sessions SET request = 'text' WHERE id = 'session-a'",
            "UPDATE sessions SET expires_at = 'soon' WHERE id = 'session-a'",
            "UPDATE sessions SET flow_secrets = NULL WHERE id = 'session-waiting-a'",
            "UPDATE sessions SET flow_secrets = (SELECT flow_secrets FROM sessions WHERE id = 'session-waiting-b') WHERE id = 'session-waiting-a'",
        ])
    func damagedSession(script: String) async throws {
        let store = try Store.open(directory: directory.path, key: FixedKey())
        try await fill(store)
        await store.close()
        try withDatabase(in: directory) { try $0.execute(script) }
        let again = try Store.open(directory: directory.path, key: FixedKey())
        let listing = try await again.loadSessions(now: Samples.now)
        #expect(listing.damaged.map(\.kind) == [.damagedRow])
        #expect(listing.values.count == 5)
        #expect(try await again.credentials().values.count == 2)
    }

    @Test(
        "A proof of an unknown way, or of none, is damaged",
        arguments: [["way": "wish", "seenAt": 1], ["seenAt": 1], [:]] as [JSONObject])
    func badProof(proof: JSONObject) { #expect(throws: JSONMemberError.self) { try Proof(record: proof) } }
}

extension Store {
    func sealedSetting(_ name: String) throws -> [UInt8]? {
        try tables.connection.first("SELECT sealed FROM settings WHERE name = ?", [.text(name)]) {
            (row: borrowing Row) throws(StoreError) in try row.blob(0)
        }
    }

    /// - Parameter question: a kind of value and a mark, as in "user a".
    func ask(_ request: String) throws {
        let mark = String(request.suffix(1))
        switch request.dropLast(2) {
        case "user": _ = try user(uid: "uid-\(mark)")
        case "identity": _ = try user(identity: "github.com", subject: "subject-\(mark)")
        case "credential": _ = try credential(providerID: "github.com", subject: "subject-\(mark)")
        case "setting": _ = try setting("setting-\(mark)")
        default: _ = try consumeHandle("handle-\(mark)", now: Samples.now)
        }
    }
}

private func contains(_ text: String, in bytes: [UInt8]) -> Bool { contains(Array(text.utf8), in: bytes) }

private func contains(_ needle: [UInt8], in bytes: [UInt8]) -> Bool {
    Data(bytes).range(of: Data(needle)) != nil
}

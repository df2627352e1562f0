import PosternCore
import PosternCrypto
import StrictJSON
import Testing

@testable import PosternStore

@Suite("The keys of the users' ID tokens, on disk")
struct UserTokenKeysTests {
    private static let month = UserTokenKeys.signingSeconds

    @Test("Two who need the first key at once get the same one")
    func once() async throws {
        let directory = try TemporaryDirectory()
        let store = try Store.open(directory: directory.path, key: FixedKey())
        let ids = try await withThrowingTaskGroup(of: String.self) { group in
            for _ in 0..<16 { group.addTask { try await store.userTokenKeys(now: Samples.now).keys.signing.key.id } }
            return try await group.reduce(into: Set<String>()) { $0.insert($1) }
        }
        #expect(ids.count == 1)
    }

    @Test("They rotate over restarts, and every key that is kept signs what its public part verifies")
    func restarts() async throws {
        let directory = try TemporaryDirectory()
        let cryptography = OpenSSLCryptography()
        var seen: [[String]] = []
        for moment in [0, Self.month - 86_400, Self.month, Self.month + 86_400] {
            // Each life ends without a close, as kill -9 has it.
            let store = try Store.open(directory: directory.path, key: FixedKey())
            let (keys, problem) = try await store.userTokenKeys(now: Samples.now.adding(seconds: moment))
            #expect(problem == nil)
            let all = [keys.signing] + [keys.next].compactMap(\.self) + keys.retired
            seen.append(all.map(\.key.id))
            for entry in all {
                let signature = try #require(cryptography.es256Signature(over: [1, 2, 3], privateKeyPEM: entry.key.privateKeyPEM))
                #expect(
                    cryptography.isValid(
                        signature: signature, over: [1, 2, 3], algorithm: .es256, key: .p256(x: entry.key.x, y: entry.key.y)))
            }
            #expect(try await store.userTokenKeys(now: Samples.now.adding(seconds: moment)).keys == keys)
            await store.close()
        }
        let (first, second) = (try #require(seen[0].first), try #require(seen[1].last))
        #expect(seen == [[first], [first, second], [second, first], [second]])
    }

    @Test("Nothing of a key can be read in the files")
    func sealed() async throws {
        let directory = try TemporaryDirectory()
        let store = try Store.open(directory: directory.path, key: FixedKey())
        let key = try await store.userTokenKeys(now: Samples.now).keys.signing.key
        await store.close()
        let database = try Bytes.read(directory.file("postern.db"))
        let pem = key.privateKeyPEM.reveal()
        for text in [pem, Base64URL.encode(pem.utf8), "PRIVATE KEY", key.id] { #expect(!database.contains(Array(text.utf8))) }
        #expect(database.contains(Array("user-token-keys".utf8)))
    }

    @Test("Nothing is signed, and no key made, for an app that has no user")
    func nobody() async throws {
        let directory = try TemporaryDirectory()
        let store = try Store.open(directory: directory.path, key: FixedKey())
        let nothing = try await store.signUserToken(app: "notes", now: Samples.now) { signIn, _, key in [signIn.app.text, key.id] }
        #expect(nothing == nil)
        #expect(try await store.setting("user-token-keys") == nil)

        try await store.apply(AccountChanges(upsertUser: Samples.user(), signIn: Samples.signIn(app: "notes", uid: "uid-a")))
        let signed = try await store.signUserToken(app: "notes", now: Samples.now) { signIn, user, key in [signIn.app.text, user.uid, key.id] }
        let id = try await store.userTokenKeys(now: Samples.now).keys.signing.key.id
        #expect(signed?.value == ["notes", "uid-a", id])
    }

    @Test("What is damaged is an error that says so, and is not replaced")
    func damaged() async throws {
        let directory = try TemporaryDirectory()
        let store = try Store.open(directory: directory.path, key: FixedKey())
        try await store.setSetting("user-token-keys", to: ["signing": ["x": "AA"]])
        for _ in 0..<2 {
            await #expect {
                _ = try await store.userTokenKeys(now: Samples.now)
            } throws: {
                ($0 as? StoreError)?.kind == .damagedRow
            }
        }
    }

    @Test("Where the next key cannot be written, those that are there still sign")
    func cannotWrite() async throws {
        let directory = try TemporaryDirectory()
        let store = try Store.open(directory: directory.path, key: FixedKey())
        let first = try await store.userTokenKeys(now: Samples.now).keys
        try await store.forbidWriting(true)
        let later = Samples.now.adding(seconds: Self.month)
        let (kept, problem) = try await store.userTokenKeys(now: later)
        #expect(kept == first)
        #expect(problem?.kind == .readOnly)
        try await store.forbidWriting(false)
        let (rotated, none) = try await store.userTokenKeys(now: later)
        #expect(none == nil && rotated.next != nil && rotated.signing == first.signing)
    }
}

extension Store {
    /// As a disk that was mounted again for reading alone.
    fileprivate func forbidWriting(_ isForbidden: Bool) throws(StoreError) {
        try tables.connection.execute("PRAGMA query_only = \(isForbidden ? "ON" : "OFF")")
    }
}

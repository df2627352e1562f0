import PosternCore
import Testing

@testable import PosternStore

@Suite("ID tokens that programs showed")
struct SpentTokenTests {
    private func signIn(_ token: [UInt8], as name: String, in store: Store, at seconds: Int64 = 0) async throws -> Bool {
        let now = Samples.now.adding(seconds: seconds)
        return try await store.change { accounts throws(AccountFailure) in
            guard try !accounts.isSpent(token, now: now) else { return (false, AccountChanges()) }
            var changes = AccountChanges(upsertUser: Samples.user(name))
            changes.spends = .init(SpentToken(hash: token, until: now.adding(seconds: 60)), now: now)
            return (true, changes)
        }
    }

    @Test("One signs in once, in this life and the next, until it is forgotten")
    func once() async throws {
        let directory = try TemporaryDirectory()
        let key = FixedKey()
        let store = try Store.open(directory: directory.path, key: key)
        #expect(try await signIn([1], as: "a", in: store))
        #expect(try await !signIn([1], as: "b", in: store))
        #expect(try await signIn([2], as: "a", in: store, at: 30))
        await store.close()
        let again = try Store.open(directory: directory.path, key: key)
        #expect(try await !signIn([1], as: "b", in: again, at: 59))
        #expect(try await again.counts().users == 1)
        #expect(try await signIn([1], as: "a", in: again, at: 60))
        #expect(try await !signIn([2], as: "a", in: again, at: 60))
    }

    @Test("One that signed nobody in stays good")
    func refused() async throws {
        let directory = try TemporaryDirectory()
        let store = try Store.open(directory: directory.path, key: FixedKey())
        await #expect(throws: AccountFailure.self) {
            try await store.change { accounts throws(AccountFailure) -> (Bool, AccountChanges) in
                _ = try accounts.isSpent([1], now: Samples.now)
                throw .refused(.noCurrentUser)
            }
        }
        #expect(try await signIn([1], as: "a", in: store))
    }
}

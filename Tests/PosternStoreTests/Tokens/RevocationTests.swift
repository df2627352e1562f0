import PosternCore
import Testing

@testable import PosternStore

@Suite("What is to be revoked, on disk") struct RevocationTests {
    private let directory: TemporaryDirectory
    init() throws { directory = try TemporaryDirectory() }

    private func filled() async throws -> Store {
        let store = try Store.open(directory: directory.path, key: FixedKey())
        try await store.apply(AccountChanges(upsertUser: Samples.user(), credential: .grant(Samples.credential())))
        return store
    }

    private func deletion() throws -> AccountChanges {
        var changes = AccountChanges()
        changes.deleteUser = Samples.user().uid
        changes.released = [CredentialKey(Samples.credential())]
        return changes
    }

    @Test("comes with the change, sealed, and stays until it is removed")
    func written() async throws {
        let store = try await filled()
        var credential = Samples.credential()
        credential.keepers = CredentialKeepers(.app("app"))
        try await store.apply(AccountChanges(credential: .grant(credential)))
        try await store.apply(deletion())
        await store.close()
        let again = try Store.open(directory: directory.path, key: FixedKey())
        let (ledger, entry) = (try await again.changeRevocations { _ in }, RevocationLedger.Entry(credential))
        #expect(ledger.entries == [entry])
        try await again.changeRevocations { $0.remove(entry) }
        #expect(try await again.sealedSetting("revocations") == nil)
    }

    @Test("is nothing where the person keeps the credential, or nobody wants it revoked")
    func kept() async throws {
        let store = try await filled()
        try await store.apply(deletion())
        try await store.deleteCredential(providerID: Samples.credential().providerID, subject: Samples.credential().subject)
        #expect(try await store.changeRevocations { _ in } == RevocationLedger())
    }

    @Test("keeps nothing else from being written, if it cannot be read")
    func damaged() async throws {
        let store = try await filled()
        try await store.changeRevocations { $0.add(RevocationLedger.Entry(Samples.credential())) }
        await store.close()
        try withDatabase(in: directory) { try $0.execute("UPDATE settings SET sealed = x'00' WHERE name = 'revocations'") }
        let again = try Store.open(directory: directory.path, key: FixedKey())
        try await again.deleteCredential(
            providerID: Samples.credential().providerID, subject: Samples.credential().subject, isRevoked: true)
        #expect(try await again.changeRevocations { _ in }.entries.count == 1)
    }
}

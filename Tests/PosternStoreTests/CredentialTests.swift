import PosternCore
import Testing

@testable import PosternStore

@Suite struct CredentialTests {
    let directory: TemporaryDirectory
    let store: Store
    init() throws {
        directory = try TemporaryDirectory()
        store = try Store.open(directory: directory.path, key: FixedKey())
    }

    private func put(_ credential: StoredCredential) async throws { try await store.apply(AccountChanges(upsertCredential: credential)) }
    private func get(_ mark: String = "a") async throws -> StoredCredential? {
        try await store.credential(providerID: "github.com", subject: "subject-\(mark)")
    }

    @Test("Credentials come back as they were, with a generation that rises by one")
    func upserting() async throws {
        try await put(Samples.credential())
        var expected = Samples.credential()
        expected.generation = 1
        #expect(try await get() == expected)
        try await put(Samples.credential(grant: "new"))
        expected.grant = Samples.grant("new")
        expected.generation = 2
        #expect(try await get() == expected)
        #expect(try await store.credentials().values == [expected])
    }

    @Test("Several accounts and providers stand beside each other")
    func listing() async throws {
        for (mark, provider) in [("a", "work"), ("b", "github.com"), ("a", "github.com")] {
            try await put(Samples.credential(mark, provider: provider))
        }
        let listing = try await store.credentials()
        #expect(
            listing.values.map { "\($0.providerID) \($0.subject)" } == ["work subject-a", "github.com subject-b", "github.com subject-a"])
        #expect(listing.damaged.isEmpty)
        #expect(try await store.counts().credentials == 3)
    }

    @Test("A credential with nothing optional is kept as it is")
    func bare() async throws {
        let grant = Grant(accessToken: Secret([0, 200, 255]), tokenType: "", scopes: [], obtainedAt: Samples.now)
        try await put(StoredCredential(providerID: "github.com", subject: "subject-a", displayName: nil, binding: Samples.binding, grant: grant, generation: 99))
        #expect(
            try await get()
                == StoredCredential(providerID: "github.com", subject: "subject-a", displayName: nil, binding: Samples.binding, grant: grant, generation: 1))
    }

    @Test("A refreshed credential replaces the one that was refreshed, and no other")
    func comparing() async throws {
        try await put(Samples.credential())
        #expect(try await store.replaceCredential(Samples.credential(grant: "first"), ifGeneration: 1))
        #expect(try await !store.replaceCredential(Samples.credential(grant: "late"), ifGeneration: 1))
        #expect(try await !store.replaceCredential(Samples.credential(grant: "early"), ifGeneration: 3))
        #expect(try await !store.replaceCredential(Samples.credential("unknown"), ifGeneration: 1))
        #expect(try await get()?.grant == Samples.grant("first"))
        #expect(try await get()?.generation == 2)
    }

    @Test("Of fifty refreshes of one generation, one is stored")
    func race() async throws {
        try await put(Samples.credential())
        let winners = try await withThrowingTaskGroup(of: Bool.self) { group in
            for number in 0..<50 {
                group.addTask { try await store.replaceCredential(Samples.credential(grant: "\(number)"), ifGeneration: 1) }
            }
            return try await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
        }
        #expect(winners == 1)
        #expect(try await get()?.generation == 2)
    }

    @Test("A credential that was deleted and came back takes no answer that was meant for the earlier one")
    func deletedAndBack() async throws {
        try await put(Samples.credential())
        try await put(Samples.credential("b"))
        #expect(try await store.replaceCredential(Samples.credential(), ifGeneration: 1))
        #expect(try await store.deleteCredential(providerID: "github.com", subject: "subject-a")?.subject == "subject-a")
        #expect(try await store.deleteCredential(providerID: "github.com", subject: "subject-a") == nil)
        #expect(try await get() == nil)
        #expect(try await store.deleteCredential(providerID: "github.com", subject: "subject-b") != nil)
        try await put(Samples.credential(grant: "new"))
        for generation in Int64(0)...2 {
            #expect(try await !store.replaceCredential(Samples.credential(grant: "late"), ifGeneration: generation))
        }
        #expect(try await get()?.grant == Samples.grant("new"))
        #expect(try await get()?.generation == 3)
    }
}

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

    private func put(_ credential: StoredCredential) async throws { try await store.apply(AccountChanges(credential: .grant(credential))) }
    private func get(_ mark: String = "a") async throws -> StoredCredential? {
        try await store.credential(providerID: "github.com", subject: "subject-\(mark)")
    }

    private func facts(_ mark: String = "a") async throws -> AccountFacts {
        try await store.change { accounts throws(AccountFailure) in
            (try accounts.facts(for: Samples.identity(mark), app: "default"), AccountChanges())
        }
    }

    @Test(
        "A damaged one counts as none for a decision, which replaces it",
        arguments: ["sealed = x'00'", "generation = 'many'", "provider_id = 'github.com', sealed = 7"])
    func damagedHeld(change: String) async throws {
        for mark in ["a", "b"] { try await put(Samples.credential(mark)) }
        try await store.damageCredential(change)
        #expect(await storeError { try await get() }?.kind == .damagedRow)
        #expect(try await facts().held == nil)
        #expect(try await facts("b").held?.subject == "subject-b")
        try await put(Samples.credential(grant: "new"))
        #expect(try await get()?.grant == Samples.grant("new"))
    }

    @Test("What cannot be read for another reason is no reason to replace it")
    func otherErrors() async throws {
        try await put(Samples.credential())
        try await store.dropCredentials()
        #expect(await storeError { try await facts() }?.kind == .damaged)
    }

    @Test("Damaged ones are deleted by provider, and by account, and no others")
    func deletingDamaged() async throws {
        for mark in ["a", "b", "c"] { try await put(Samples.credential(mark)) }
        try await put(Samples.credential("a", provider: "gitlab.com"))
        try await store.damageCredential("sealed = x'00', generation = 40")
        try await store.damageCredential("sealed = x'00'", rowid: 2)
        func delete(_ providerID: String = "github.com", _ subject: String? = nil) async throws -> Int {
            try await store.deleteDamagedCredentials(providerID: providerID, subject: subject)
        }
        #expect(try await delete("gitlab.com") == 0)
        #expect(try await delete("gitlab.com", "subject-a") == 0)
        #expect(try await delete("github.com", "subject-c") == 0)
        #expect(try await delete("github.com", "subject-a") == 1)
        #expect(try await store.credentials().damaged.count == 1)
        #expect(try await delete() == 1)
        #expect(try await delete() == 0)
        let left = try await store.credentials()
        #expect(left.damaged.isEmpty && left.values.map(\.providerID) == ["github.com", "gitlab.com"] && left.values.first?.subject == "subject-c")
        // The result of a request for the earlier one is not mistaken for one for this.
        try await put(Samples.credential())
        #expect(try await get()?.generation == 41)
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

    @Test("What is marked keeps its generation, and a credential that was replaced or deleted is not marked")
    func marking() async throws {
        try await put(Samples.credential())
        var marked = try #require(try await get())
        marked.grant.refreshTokenSentAt = Samples.now
        try await store.mark(marked)
        #expect(try await get() == marked)
        #expect(try await store.replaceCredential(Samples.credential(grant: "new"), ifGeneration: 1))
        try await store.mark(marked)
        #expect(try await get()?.grant == Samples.grant("new"))
        #expect(try await get()?.generation == 2)
        _ = try await store.deleteCredential(providerID: "github.com", subject: "subject-a")
        try await store.mark(marked)
        #expect(try await get() == nil)
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

extension Store {
    fileprivate func damageCredential(_ change: String, rowid: Int = 1) throws {
        try tables.connection.execute("UPDATE credentials SET \(change) WHERE rowid = \(rowid)")
    }

    fileprivate func dropCredentials() throws { try tables.connection.execute("DROP TABLE credentials") }
}

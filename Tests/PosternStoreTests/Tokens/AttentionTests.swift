@testable import PosternCore
import Testing

@testable import PosternStore

@Suite("What was told of credentials")
struct AttentionTests {
    @Test("It is there again after the store was opened again, and nothing where nothing is kept")
    func kept() async throws {
        var refused = AttentionLedger.Entry()
        refused.state = .signInNeeded
        refused.trouble = CredentialTrouble(refusal: .init(generation: 7, reason: "invalid_grant"), lostScopes: ["a"])
        refused.noticedAt = Timestamp(seconds: 1_800_000_000)
        refused.isNoticed = true
        var ending = AttentionLedger.Entry()
        ending.state = .endsSoon
        var takenBack = refused
        takenBack.trouble.refusal?.isOfAccessToken = true
        let ledger = AttentionLedger(entries: [
            .init(providerID: "work", subject: "1"): refused, .init(providerID: "work", subject: "2"): ending,
            .init(providerID: "work", subject: "3"): takenBack,
        ])
        let directory = try TemporaryDirectory()
        let key = FixedKey()
        let store = try Store.open(directory: directory.path, key: key)
        #expect(try await store.attention() == AttentionLedger())
        try await store.keep(attention: ledger)
        await store.close()
        let again = try Store.open(directory: directory.path, key: key)
        #expect(try await again.attention() == ledger)
        try await again.keep(attention: AttentionLedger())
        #expect(try await again.attention() == AttentionLedger())
    }
}

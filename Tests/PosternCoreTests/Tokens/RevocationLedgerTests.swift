import PosternCore
import Testing

@Suite("What is to be revoked") struct RevocationLedgerTests {
    private static let now = Timestamp(seconds: 1_800_000_000)

    private func entry(_ token: String, refreshToken: String? = nil, idToken: String? = nil) -> RevocationLedger.Entry {
        RevocationLedger.Entry(
            providerID: "work", subject: "ada", binding: ProviderBinding(clientID: "client", authority: "https://work.example"),
            grant: Grant(
                accessToken: Secret(token), tokenType: "bearer", refreshToken: refreshToken.map { Secret($0) },
                idToken: idToken.map { Secret($0) }, scopes: [], obtainedAt: Self.now))
    }

    @Test("is limited: the oldest is given up, and counted until somebody was told")
    func limit() {
        var ledger = RevocationLedger()
        for number in 0..<RevocationLedger.most + 3 { ledger.add(entry("at-\(number)")) }
        #expect(ledger.entries.count == RevocationLedger.most && ledger.dropped == 3)
        #expect(ledger.entries.first == entry("at-3"))
        ledger.toldOfDropped()
        #expect(ledger.dropped == 0)
    }

    @Test("is there once, by its tokens")
    func once() {
        var ledger = RevocationLedger()
        for _ in 0..<2 { ledger.add(entry("at", refreshToken: "rt")) }
        ledger.add(entry("at", refreshToken: "another"))
        // Grants that are nothing but an ID token.
        for token in ["one", "two"] { ledger.add(entry("", idToken: token)) }
        #expect(ledger.entries.count == 4)
        ledger.remove(entry("at", refreshToken: "rt"))
        #expect(ledger.entries.map(\.grant.refreshToken) == [Secret("another"), nil, nil])
    }

    @Test("is asked for at once, then each hour for a week, whatever becomes of the clock")
    func times() {
        var ledger = RevocationLedger()
        ledger.add(entry("at"))
        #expect(ledger.entries[0].isDue(now: Self.now) && !ledger.entries[0].isOver(now: Self.now))
        ledger.asked(entry("at"), at: Self.now)
        let hour = Self.now.adding(seconds: RevocationLedger.pause)
        #expect(!ledger.entries[0].isDue(now: Self.now.adding(seconds: 60)) && ledger.entries[0].isDue(now: hour))
        ledger.asked(entry("at"), at: hour)
        let end = Self.now.adding(seconds: RevocationLedger.patience)
        #expect(!ledger.entries[0].isOver(now: end.adding(seconds: -1)) && ledger.entries[0].isOver(now: end))
        // Set back: it is due, and its week begins anew.
        let before = Self.now.adding(seconds: -86_400)
        #expect(ledger.entries[0].isDue(now: before))
        ledger.asked(entry("at"), at: before)
        #expect(ledger.entries[0].isOver(now: end.adding(seconds: -86_400)))
    }
}

import PosternCore
import Testing

@Suite("What was taken over from other programs")
struct ImportLedgerTests {
    private static let now = Timestamp(milliseconds: 1_800_000_000_000)

    private static let binding = ProviderBinding(clientID: "c", authority: "https://work.example")

    private func entry(_ number: Int, of provider: String = "work", at moment: Timestamp = now, subject: String? = nil) -> ImportLedger.Entry {
        ImportLedger.Entry(
            hash: [UInt8(truncatingIfNeeded: number), UInt8(truncatingIfNeeded: number >> 8)], providerID: provider, binding: Self.binding,
            at: moment, subject: subject)
    }

    private func known(_ ledger: ImportLedger, _ hash: [UInt8], of provider: String = "work") -> ImportLedger.Entry? {
        ledger.entry(of: hash, providerID: provider, binding: Self.binding)
    }

    @Test("One refresh token has one entry, and the oldest of too many goes")
    func bounded() {
        var ledger = ImportLedger()
        for number in 0..<(ImportLedger.most + 2) { ledger.note(entry(number)) }
        #expect(ledger.entries.count == ImportLedger.most && known(ledger, [0, 0]) == nil && known(ledger, [2, 0]) != nil)
        ledger.note(entry(2, subject: "42"))
        #expect(ledger.entries.count == ImportLedger.most && known(ledger, [2, 0])?.subject == "42" && ledger.entries.last?.subject == "42")
        ledger.forget(entry(2))
        #expect(known(ledger, [2, 0]) == nil)
    }

    @Test("What is known of the same one at another provider stays")
    func providers() {
        var ledger = ImportLedger(entries: [entry(1, subject: "42")])
        ledger.note(entry(1, of: "other"))
        #expect(known(ledger, [1, 0])?.subject == "42" && known(ledger, [1, 0], of: "other") != nil)
        ledger.forget(entry(1, of: "other"))
        #expect(known(ledger, [1, 0])?.subject == "42" && known(ledger, [1, 0], of: "other") == nil)
    }

    @Test("What became nobody's waits for a day, by a clock that may be set back; what became a credential is remembered")
    func patience() {
        var ledger = ImportLedger()
        for (number, seconds) in [-86_400, -86_399, 0, 1].enumerated() { ledger.note(entry(number, at: Self.now.adding(seconds: Int64(seconds)))) }
        ledger.note(entry(9, at: Self.now.adding(seconds: -1_000_000), subject: "42"))
        ledger.forgetOld(now: Self.now)
        #expect(ledger.entries.map { $0.hash[0] } == [1, 2, 9])
    }
}

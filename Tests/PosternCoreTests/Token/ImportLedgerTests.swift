import PosternCore
import Testing

@Suite("What was taken over from other programs")
struct ImportLedgerTests {
    private static let now = Timestamp(milliseconds: 1_800_000_000_000)

    private func entry(_ number: Int, at moment: Timestamp = now, subject: String? = nil) -> ImportLedger.Entry {
        ImportLedger.Entry(
            hash: [UInt8(truncatingIfNeeded: number), UInt8(truncatingIfNeeded: number >> 8)], providerID: "work",
            binding: ProviderBinding(clientID: "c", authority: "https://work.example"), at: moment, subject: subject)
    }

    @Test("One refresh token has one entry, and the eldest of too many goes")
    func bounded() {
        var ledger = ImportLedger()
        for number in 0..<(ImportLedger.most + 2) { ledger.note(entry(number)) }
        #expect(ledger.entries.count == ImportLedger.most && ledger[[0, 0]] == nil && ledger[[2, 0]] != nil)
        ledger.note(entry(2, subject: "42"))
        #expect(ledger.entries.count == ImportLedger.most && ledger[[2, 0]]?.subject == "42" && ledger.entries.last?.subject == "42")
        ledger.forget([2, 0])
        #expect(ledger[[2, 0]] == nil)
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

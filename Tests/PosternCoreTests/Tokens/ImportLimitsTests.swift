import PosternCore
import Testing

@Suite("How often a provider is asked about other programs' refresh tokens")
struct ImportLimitsTests {
    private let now = Timestamp(milliseconds: 1_800_000_000_000)
    private let binding = ProviderBinding(clientID: "c", authority: "https://work.example")

    @Test("Five at once and one in ten seconds, of each provider; those that come to something do not count")
    func rate() {
        var limits = ImportLimits()
        for _ in 0..<5 { #expect(limits.wait(providerID: "a", now: now) == nil) }
        #expect(limits.wait(providerID: "a", now: now) == 10)
        #expect(limits.wait(providerID: "a", now: now.adding(seconds: 7)) == 3)
        #expect(limits.wait(providerID: "b", now: now) == nil)
        limits.succeeded(providerID: "a")
        #expect(limits.wait(providerID: "a", now: now.adding(seconds: 7)) == nil)
        #expect(limits.wait(providerID: "a", now: now.adding(seconds: 7)) == 3)
        #expect(limits.wait(providerID: "a", now: now.adding(seconds: 10)) == nil)
    }

    @Test("A refused one is known for ten minutes, to the same client of the same provider, by a clock that may be set back")
    func memory() {
        var limits = ImportLimits()
        limits.wasRefused([1], binding: binding, reason: "spent", now: now)
        #expect(limits.refusal(of: [1], binding: binding, now: now.adding(seconds: 599)) == "spent")
        #expect(limits.refusal(of: [2], binding: binding, now: now) == nil)
        #expect(limits.refusal(of: [1], binding: ProviderBinding(clientID: "d", authority: binding.authority), now: now) == nil)
        #expect(limits.refusal(of: [1], binding: binding, now: now.adding(seconds: 600)) == nil)
        limits.wasRefused([1], binding: binding, reason: "spent", now: now)
        #expect(limits.refusal(of: [1], binding: binding, now: now.adding(seconds: -1)) == nil)
    }

    @Test("The oldest of too many is forgotten")
    func bounded() {
        var limits = ImportLimits()
        for number in 0...ImportLimits.most { limits.wasRefused([UInt8(number)], binding: binding, reason: "spent", now: now) }
        #expect(limits.refusal(of: [0], binding: binding, now: now) == nil)
        #expect(limits.refusal(of: [1], binding: binding, now: now) == "spent")
    }
}

import PosternCrypto
import Testing

@testable import PosternCore

@Suite struct SpentTokensTests {
    private func hash(_ text: String) -> [UInt8] { SpentTokens.hash(of: Secret(text), cryptography: OpenSSLCryptography()) }

    @Test("A token is good once, and again where it signed nobody in")
    func once() {
        var tokens = SpentTokens()
        #expect(tokens.spend(hash("h.p.s"), now: now) == .fresh)
        #expect(tokens.spend(hash("h.p.s"), now: now.adding(seconds: 600)) == .spent)
        tokens.restore(hash("h.p.s"))
        #expect(tokens.spend(hash("h.p.s"), now: now) == .fresh)
    }

    @Test("Another signature under the same words makes no other token")
    func malleability() {
        var tokens = SpentTokens()
        #expect(tokens.spend(hash("h.p.s"), now: now) == .fresh)
        #expect(tokens.spend(hash("h.p.t"), now: now) == .spent)
        #expect(tokens.spend(hash("h.q.s"), now: now) == .fresh)
    }

    @Test("Memory is bounded: none is forgotten before its time to make room")
    func bounded() {
        var tokens = SpentTokens()
        for number in 0..<SpentTokens.limit { #expect(tokens.spend(hash("\(number)."), now: now) == .fresh) }
        guard case .full = tokens.spend(hash("one more."), now: now.adding(seconds: 700)) else {
            Issue.record("there is no room for one more")
            return
        }
        #expect(tokens.spend(hash("0."), now: now) == .spent)
        #expect(tokens.spend(hash("one more."), now: now.adding(seconds: SpentTokens.memory + 1)) == .fresh)
    }
}

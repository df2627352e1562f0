import PosternCore
import PosternCrypto
import Testing

@Suite struct PhoneNumberTests {
    @Test(
        "E.164 and nothing else",
        arguments: [
            ("+819012345678", true), ("+12025550123", true), ("+1234567", true), ("+123456789012345", true),
            ("+123456", false), ("+1234567890123456", false), ("819012345678", false), ("+019012345678", false), ("", false), ("+", false),
            ("+81 90 1234 5678", false), ("+81-90-1234-5678", false), ("+81９012345678", false), ("++8190123456", false),
            ("+819012345678\n", false), ("+8190123456a8", false), ("tel:+819012345678", false), ("+８１9012345678", false),
        ])
    func form(text: String, isNumber: Bool) { #expect(PhoneNumber(text)?.text == (isNumber ? text : nil)) }

    @Test(
        "A masked number tells the country and the last digits, and not how long it is",
        arguments: [
            ("+819011111234", "+81 ***-***-1234"), ("+12025550123", "+1 ***-***-0123"), ("+79161234567", "+7 ***-***-4567"),
            ("+390612345678", "+39 ***-***-5678"), ("+35312345678", "+353 ***-***-5678"), ("+4915123456789", "+49 ***-***-6789"),
            ("+2901234", "+290 ***-***-34"), ("+3544567", "+354 ***-***-67"),
        ])
    func masked(text: String, masked: String) throws { #expect(try #require(PhoneNumber(text)).masked == masked) }

    @Test(
        "A number that an authority masked is shown as it is, and nothing that shows more",
        arguments: [
            ("+819011111234", "+81 ***-***-1234"), ("+********7890", "+********7890"), ("+81******7890", "+81******7890"),
            ("+8190111*1234", nil), ("********7890", nil), ("+***\u{1B}[31m", nil), ("+" + String(repeating: "*", count: 40), nil), ("", nil),
        ] as [(String, String?)])
    func shown(text: String, shown: String?) { #expect(PhoneNumber.shown(text) == shown) }

    @Test("A code is six digits, whatever the bytes", arguments: [[], [0], Array(repeating: 0, count: 8), Array(repeating: 255, count: 8)] as [[UInt8]])
    func code(bytes: [UInt8]) {
        let code = SentCode.code(randomBytes: bytes).reveal()
        #expect(code.utf8.count == 6 && code.allSatisfy(\.isNumber))
    }

    @Test("What is kept of a code knows it again, and does not hold it")
    func kept() {
        let cryptography = OpenSSLCryptography()
        let now = Timestamp(seconds: 1_800_000_000)
        let sent = SentCode(Secret("012345"), factor: "factor", salt: [1, 2, 3], now: now, cryptography: cryptography)
        #expect(sent.matches(Secret("012345"), cryptography: cryptography))
        for other in ["12345", "0123456", "012346", ""] { #expect(!sent.matches(Secret(other), cryptography: cryptography)) }
        #expect(sent.expiresAt == now.adding(seconds: 300))
        let again = SentCode(Secret("012345"), factor: "factor", salt: [1, 2, 4], now: now, cryptography: cryptography)
        #expect(again.hash != sent.hash)
    }
}

@testable import PosternCore
import PosternCrypto
import Testing

@Suite struct OneTimePasswordTests {
    private static let cryptography = OpenSSLCryptography()

    @Test(
        "RFC 4648 section 10: Base32",
        arguments: [
            ("", ""), ("f", "MY======"), ("fo", "MZXQ===="), ("foo", "MZXW6==="), ("foob", "MZXW6YQ="), ("fooba", "MZXW6YTB"),
            ("foobar", "MZXW6YTBOI======"),
        ])
    func base32(text: String, encoded: String) {
        #expect(Base32.encode(text.utf8) == encoded.filter { $0 != "=" })
    }

    @Test("Base32 of every byte is read back by the bits", arguments: 0...40)
    func base32Bits(count: Int) {
        let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 97 &+ 13) }
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567")
        let bits = Base32.encode(bytes).flatMap { letter -> [Int] in
            let value = alphabet.firstIndex(of: letter) ?? 99
            return (0..<5).map { value >> (4 - $0) & 1 }
        }
        let read = (0..<count).map { index in bits[index * 8..<index * 8 + 8].reduce(0) { $0 << 1 | $1 } }
        #expect(read == bytes.map(Int.init))
        #expect(bits.dropFirst(count * 8).allSatisfy { $0 == 0 })
    }

    @Test(
        "RFC 4226 appendix D: codes of a counter",
        arguments: zip(
            UInt64(0)...9, ["755224", "287082", "359152", "969429", "338314", "254676", "287922", "162583", "399871", "520489"]))
    func counter(counter: UInt64, code: String) {
        let secret = Secret("12345678901234567890")
        #expect(OneTimePassword.standard.code(counter: counter, secret: secret, cryptography: Self.cryptography) == code)
    }

    /// RFC 6238 appendix B, with the keys of erratum 2866: as long as each function's result.
    private static let vectors: [(Int64, [OneTimePassword.Algorithm: String])] = [
        (59, [.sha1: "94287082", .sha256: "46119246", .sha512: "90693936"]),
        (1_111_111_109, [.sha1: "07081804", .sha256: "68084774", .sha512: "25091201"]),
        (1_111_111_111, [.sha1: "14050471", .sha256: "67062674", .sha512: "99943326"]),
        (1_234_567_890, [.sha1: "89005924", .sha256: "91819424", .sha512: "93441116"]),
        (2_000_000_000, [.sha1: "69279037", .sha256: "90698825", .sha512: "38618901"]),
        (20_000_000_000, [.sha1: "65353130", .sha256: "77737706", .sha512: "47863826"]),
    ]

    @Test("RFC 6238 appendix B: codes of the time", arguments: vectors, OneTimePassword.Algorithm.allCases)
    func time(vector: (seconds: Int64, codes: [OneTimePassword.Algorithm: String]), algorithm: OneTimePassword.Algorithm) throws {
        let length = [OneTimePassword.Algorithm.sha1: 20, .sha256: 32, .sha512: 64][algorithm] ?? 0
        let secret = Secret(String(repeating: "1234567890", count: 7).utf8.prefix(length))
        let kind = OneTimePassword(algorithm: algorithm, digits: 8, period: 30)
        let now = Timestamp(seconds: vector.seconds)
        let code = try #require(vector.codes[algorithm])
        let counter = UInt64(kind.step(at: now))
        #expect(kind.code(counter: counter, secret: secret, cryptography: Self.cryptography) == code)
        #expect(kind.step(of: Secret(code), secret: secret, now: now, lastUsed: nil, cryptography: Self.cryptography) == Int64(counter))
    }

    // MARK: The window

    private static let secret = Secret("12345678901234567890")
    private static let now = Timestamp(seconds: 1_800_000_010)
    private static let present = OneTimePassword.standard.step(at: now)

    private static func code(_ step: Int64) -> Secret {
        Secret(OneTimePassword.standard.code(counter: UInt64(step), secret: secret, cryptography: cryptography))
    }

    private func step(of code: Secret, lastUsed: Int64? = nil, now: Timestamp = now) -> Int64? {
        OneTimePassword.standard.step(of: code, secret: Self.secret, now: now, lastUsed: lastUsed, cryptography: Self.cryptography)
    }

    @Test("A code is taken one step before and after its time, and no further", arguments: Int64(-3)...3)
    func window(distance: Int64) {
        let step = step(of: Self.code(Self.present + distance))
        #expect(step == (abs(distance) <= 1 ? Self.present + distance : nil))
    }

    @Test(
        "A code is taken once, and none before one that was taken",
        arguments: [(-2, [-1, 0, 1]), (-1, [0, 1]), (0, [1]), (1, []), (100, [])] as [(Int64, [Int64])])
    func once(lastUsed: Int64, taken: [Int64]) {
        let found = (Int64(-1)...1).filter { step(of: Self.code(Self.present + $0), lastUsed: Self.present + lastUsed) != nil }
        #expect(found == taken)
    }

    @Test("An invalid code is refused", arguments: ["", "0", "12345", "1234567", "٤٣٢١٠٩", "------", String(repeating: "1", count: 1000)])
    func noCode(text: String) { #expect(step(of: Secret(text)) == nil) }

    @Test("The first minute of 1970 has a window that does not begin before it, and a clock before 1970 does no harm")
    func beginning() {
        #expect(step(of: Self.code(0), now: Timestamp(seconds: 0)) == 0)
        #expect(step(of: Self.code(1), now: Timestamp(seconds: 0)) == 1)
        #expect(step(of: Self.code(0), now: Timestamp(seconds: -1000)) == 0)
    }

    @Test("The URI that programs read is properly encoded")
    func uri() {
        let secret = Secret(Array(0..<20))
        #expect(
            OneTimePassword.standard.provisioningURI(secret: secret, issuer: "Postern", account: "ada@example.com")
                == "otpauth://totp/Postern:ada%40example.com?secret=AAAQEAYEAUDAOCAJBIFQYDIOB4IBCEQT&issuer=Postern&algorithm=SHA1"
                + "&digits=6&period=30")
        #expect(
            OneTimePassword.standard.provisioningURI(secret: secret, issuer: "My Desk & Söhne", account: "a:d?a=1&b#ü/ x")
                .hasPrefix("otpauth://totp/My%20Desk%20%26%20S%C3%B6hne:ad%3Fa%3D1%26b%23%C3%BC%2F%20x?secret="))
    }
}

import PosternValues
import Testing

@Suite struct Base64URLTests {
    @Test(
        "The vectors of RFC 4648 section 10, without padding",
        arguments: [
            ("", ""), ("f", "Zg"), ("fo", "Zm8"), ("foo", "Zm9v"), ("foob", "Zm9vYg"), ("fooba", "Zm9vYmE"), ("foobar", "Zm9vYmFy"),
        ])
    func vectors(plain: String, encoded: String) {
        #expect(Base64URL.encode(Array(plain.utf8)) == encoded)
        #expect(Base64URL.decode(encoded) == Array(plain.utf8))
    }

    @Test("The last two characters of the alphabet are those of the URL-safe one")
    func alphabet() {
        #expect(Base64URL.encode([0xFB, 0xFF, 0xBF]) == "-_-_")
        #expect(Base64URL.decode("-_-_") == [0xFB, 0xFF, 0xBF])
    }

    @Test(
        "What is not exactly one value's text is refused",
        arguments: ["A", "AAAAA", "Zg==", "Zm8=", "+_", "a/b=", "Zm 9v", "Zm9v\n", "Zh", "Zm9", "é", "Zg\u{0}"])
    func refused(text: String) {
        #expect(Base64URL.decode(text) == nil)
    }

    @Test("Every byte survives the way there and back")
    func roundTrip() {
        for count in 0...64 {
            let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 * 37 + count) }
            #expect(Base64URL.decode(Base64URL.encode(bytes)) == bytes)
        }
    }
}

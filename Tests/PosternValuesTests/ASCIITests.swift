import PosternValues
import Testing

struct ASCIITests {
    @Test(arguments: [
        ("", "", true), ("DPoP", "dpop", true), ("WWW-Authenticate", "www-authenticate", true), ("a", "b", false), ("a", "ab", false),
        // As far apart as two forms of a letter.
        ("@", "`", false), ("[", "{", false), ("-", "\r", false),
        // Not ASCII: the Kelvin sign is a form of k elsewhere.
        ("\u{212A}", "k", false), ("\u{C9}", "\u{E9}", false), ("\u{E9}", "\u{E9}", true), ("\u{E9}", "e\u{301}", false),
    ])
    func `names are equal with ASCII letters in either case`(left: String, right: String, isEqual: Bool) {
        #expect(left.isEqualIgnoringCase(right) == isEqual)
        #expect(right.isEqualIgnoringCase(left) == isEqual)
    }

    @Test func `each byte of a text counts`() {
        for place in 0..<40 {
            var bytes = [UInt8](repeating: UInt8(ascii: "a"), count: 40)
            bytes[place] = UInt8(ascii: ":")
            #expect(!String(decoding: bytes, as: UTF8.self).bytesSatisfy(\.isTokenCharacter))
        }
        #expect("abc".bytesSatisfy(\.isTokenCharacter))
        #expect("".bytesSatisfy(\.isTokenCharacter))
    }
}

import Testing

@testable import PosternCore

@Suite("Percent-encoding")
struct EscapeTests {
    @Test(
        "keeps the unreserved characters, and what a use keeps beside them",
        arguments: [
            ("", "", ""), ("azAZ09-._~", "azAZ09-._~", "azAZ09-._~"), ("a b", "a%20b", "a%20b"), ("a+b/c:@", "a%2Bb%2Fc%3A%40", "a+b%2Fc:@"),
            ("é\u{1F600}", "%C3%A9%F0%9F%98%80", "%C3%A9%F0%9F%98%80"), ("\u{0}\n\u{7F}%", "%00%0A%7F%25", "%00%0A%7F%25"),
        ])
    func encoding(text: String, plain: String, path: String) {
        #expect(PercentEncoding.encode(text) == plain)
        #expect(PercentEncoding.encode(text.utf8) { $0.isUnreserved || "+:@".utf8.contains($0) } == path)
        #expect(PercentEncoding.decode(plain.utf8) == Array(text.utf8) && PercentEncoding.decode(path.utf8) == Array(text.utf8))
    }

    @Test("writes a space as a plus sign only where it is asked to")
    func space() {
        #expect(PercentEncoding.encode("a b+".utf8, space: "+") == "a+b%2B")
        #expect(PercentEncoding.decode("a+b%2b".utf8) == Array("a+b+".utf8))
        #expect(PercentEncoding.decode("a+b%2b".utf8, plusIsSpace: true) == Array("a b+".utf8))
    }

    @Test("gives every byte back, as a text or not")
    func everyByte() {
        let all = Array(UInt8.min...UInt8.max)
        #expect(PercentEncoding.decode(PercentEncoding.encode(all).utf8, plusIsSpace: true) == all)
        #expect(all.filter(\.isUnreserved) == Array("-.0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz~".utf8))
        let token = "!#$%&'*+-.0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ^_`abcdefghijklmnopqrstuvwxyz|~"
        #expect(all.filter(\.isTokenCharacter) == Array(token.utf8))
        #expect(all.compactMap(\.hexadecimalValue) == Array(0...9) + Array(10...15) + Array(10...15))
    }

    @Test(
        "refuses a percent sign that two digits do not follow, or leaves it",
        arguments: [
            ("%", "%"), ("a%", "a%"), ("%4", "%4"), ("%4g", "%4g"), ("%g4", "%g4"), ("%%41", "%A"), ("%+1", "% 1"), ("%-1", "%-1"), ("%4%31", "%41"),
            ("%é1", "%é1"),
        ])
    func stray(text: String, kept: String) {
        #expect(PercentEncoding.decode(text.utf8) == nil && PercentEncoding.decode(text.utf8, plusIsSpace: true) == nil)
        #expect(PercentEncoding.decode(text.utf8, plusIsSpace: true, keepsStrayPercent: true) == Array(kept.utf8))
    }
}

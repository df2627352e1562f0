import PosternCore
import Testing

@Suite("Texts in texts")
struct TextSearchTests {
    @Test(
        "are found where their bytes first stand together",
        arguments: [
            ("https://host", "://", 5), ("aaab", "aab", 1), ("ababac", "abac", 2), ("nonce", "nonce", 0), ("the nonce", "nonce", 4), ("nonc", "nonce", nil),
            ("", "a", nil), ("", "", 0), ("a", "", 0), ("größe", "ß", 4), ("gro\u{308}ße", "o", 2), ("🇩🇪🇩🇰", "🇩🇰", 8), ("e\u{301}", "é", nil),
        ] as [(String, String, Int?)])
    func found(text: String, part: String, offset: Int?) {
        let range = text.range(ofText: part)
        #expect(range.map { text.utf8.distance(from: text.startIndex, to: $0.lowerBound) } == offset)
        #expect(range.map { Array(text.utf8[$0]) } ?? Array(part.utf8) == Array(part.utf8))
        #expect(text.holds(part) == (offset != nil))
        // And in a part of a longer text.
        let rest = ("#" + text + "#").dropFirst().dropLast()
        #expect(rest.holds(part) == (offset != nil))
    }
}

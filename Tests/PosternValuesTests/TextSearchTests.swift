import PosternValues
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

    /// A combining mark, a joiner, a variation selector, and a line feed after a carriage return belong to the character before.
    static let marks = ["", "\u{301}", "\u{200D}", "\u{FE0F}", "\u{20E3}"]

    @Test("What follows a sign does not hide it", arguments: marks)
    func hidden(mark: String) {
        let text = "@\(mark)b:\(mark)c:\(mark)"
        #expect(text.begins(with: "@"))
        #expect(text.rest(after: "@").map { Array($0.utf8) } == Array("\(mark)b:\(mark)c:\(mark)".utf8))
        #expect(text.rest(after: "b") == nil)
        #expect(text.before { $0 == ":" }.utf8.elementsEqual("@\(mark)b".utf8))
        #expect(text.skipping { $0 == "@" }.utf8.elementsEqual("\(mark)b:\(mark)c:\(mark)".utf8))
        let parts = text.parts(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        #expect(parts.map { Array($0.utf8) } == ["@\(mark)b", "\(mark)c:\(mark)"].map { Array($0.utf8) })
        #expect(text.parts { $0 == "@" || $0 == ":" }.map { Array($0.utf8) } == ["\(mark)b", "\(mark)c", mark].filter { !$0.isEmpty }.map { Array($0.utf8) })
        #expect(text.keeping { $0 != ":" }.utf8.elementsEqual("@\(mark)b\(mark)c\(mark)".utf8))
        #expect(text.mapping { $0 == ":" ? "%3A" : String($0) }.utf8.elementsEqual("@\(mark)b%3A\(mark)c%3A\(mark)".utf8))
        #expect(("a" + text).unicodeScalars.firstIndex(of: "@").map { ("a" + text).after($0).utf8.count } == text.utf8.count - 1)
    }

    @Test("the end is compared by bytes, too", arguments: [("a.b", ".b", true), ("b", "a.b", false), ("", "", true), ("e\u{301}", "\u{301}", true), ("é", "e\u{301}", false), ("\r\n", "\n", true)])
    func ends(text: String, end: String, does: Bool) {
        #expect(text.ends(with: end) == does)
        #expect((text + "#").dropLast().ends(with: end) == does)
        #expect(!does || (text + end).begins(with: text))
    }
}

import Testing

@testable import PosternConfiguration

@Suite("Spelling and durations")
struct SpellingTests {
    @Test(
        "The nearest key is named, and none where none is near",
        arguments: [
            ("adresses", "addresses"), ("prot", "port"), ("sameUser", "same-user"), ("SAME_USER", "same-user"),
            ("certificat", "certificate"),
            ("colour", nil), ("x", nil), ("", nil), (String(repeating: "x", count: 10_000), nil),
        ] as [(String, String?)])
    func nearest(word: String, expected: String?) {
        #expect(Spelling.nearest(to: word, in: ["addresses", "port", "same-user", "certificate", "key"]) == expected)
    }

    @Test(
        "Distances count letters put in, left out, replaced and swapped",
        arguments: [
            ("", "", 0), ("", "abc", 3), ("abc", "", 3), ("abc", "abc", 0), ("abc", "acb", 1), ("abc", "ab", 1), ("kitten", "sitting", 3),
        ])
    func distance(left: String, right: String, expected: Int) {
        #expect(Spelling.distance(Array(left.utf8), Array(right.utf8)) == expected)
    }
}

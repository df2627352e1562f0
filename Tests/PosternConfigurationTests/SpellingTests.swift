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

    @Test(
        "Durations",
        arguments: [
            ("90s", 90), ("10m", 600), ("1h", 3600), ("007s", 7), ("", nil), ("s", nil), ("1", nil), ("1d", 86_400), ("1w", nil), ("1.5h", nil),
            ("+1s", nil), ("1 s", nil),
            ("１s", nil), ("9999999999s", nil),
        ] as [(String, Int64?)])
    func durations(text: String, seconds: Int64?) {
        #expect(DurationText.seconds(text) == seconds)
    }
}

import Testing

@testable import ProgramOptions

@Suite("Names that were meant")
struct SuggestionTests {
    static let names = ["sign-in", "sign-out", "status", "token", "github.com", "gitlab.com", "work"]

    @Test(
        "a slip or a beginning leads to the name",
        arguments: [
            ("sigin", "sign-in"), ("sing-in", "sign-in"), ("github", "github.com"), ("GITHUB.COM", "github.com"), ("wrok", "work"),
            ("tokne", "token"), ("gitlba.com", "gitlab.com"), ("sta", "status"),
        ])
    func near(word: String, meant: String) {
        #expect(Suggestion.closest(to: word, among: Self.names) == meant)
    }

    @Test("nothing is guessed from afar", arguments: ["", "x", "nope", "gi", "example.com", String(repeating: "sign-in", count: 20)])
    func far(word: String) {
        #expect(Suggestion.closest(to: word, among: Self.names) == nil)
    }

    @Test(
        "the distance counts letters that are left out, put in, mistaken and exchanged",
        arguments: [("", "", 0), ("a", "", 1), ("", "ab", 2), ("abc", "abc", 0), ("abc", "acb", 1), ("abc", "abd", 1), ("abcd", "acbe", 2)])
    func distance(one: String, other: String, distance: Int) {
        #expect(Suggestion.distance(one, other) == distance)
        #expect(Suggestion.distance(other, one) == distance)
    }
}

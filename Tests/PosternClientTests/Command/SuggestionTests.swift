import Testing

@testable import postern

@Suite("Names that were meant, and names that are offered")
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

    @Test("the words of a command line lead to a command, or to one that was meant")
    func commands() {
        #expect(UnknownCommand.found(in: ["provider", "shw"]) == UnknownCommand(word: "shw", parent: "postern provider", meant: "show"))
        #expect(UnknownCommand.found(in: ["help", "nope"]) == UnknownCommand(word: "nope", parent: "postern", meant: nil))
        for line in ["", "sign-in x", "login x", "--version", "help", "provider help show", "lock nope", "token tokn", "provider --help x"] {
            #expect(UnknownCommand.found(in: line.split(separator: " ").map(String.init)) == nil, "\(line)")
        }
    }

    @Test("of the file of names only names are taken")
    func file() {
        let list = NameList("provider work\nunready github.com\naccount acme_1\nprovider \u{1B}[2J\nprovider A b\nfuture x\nprovider\n\naccount\n")
        #expect(list.providers == ["work"] && list.unreadyProviders == ["github.com"] && list.accounts == ["acme_1"])
    }
}

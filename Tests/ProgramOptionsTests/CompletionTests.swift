import Testing

@testable import ProgramOptions

/// Whether the shells take the scripts, and what they offer, is shown end to end.
@Suite("Completion")
struct CompletionTests {
    /// What is offered for the last of the words.
    private func offered(_ line: String, table: OptionTable = Tree.table) -> [String] {
        let words = line.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
        let answer = table.completion(["---completion", "fish", "\(words.count - 1)"] + words)
        return (answer ?? "").split(separator: "\n").map { String($0.prefix { $0 != "\t" }) }
    }

    @Test(
        "What may stand in a place is offered there",
        arguments: [
            ("tree ", ["words", "send", "mail", "run", "box", "help"]), ("tree m", ["words", "mail"]), ("tree help b", ["words", "box"]),
            ("tree box ", ["words", "open", "help"]), ("tree -", ["words", "--version", "--help"]), ("tree nope ", ["words"]),
            ("tree send ", ["words", "ada", "bob"]), ("tree mail a", ["words", "ada"]), ("tree send ada ", ["files"]), ("tree send -- b", ["words", "bob"]),
            ("tree send -- ada ", ["files"]), ("tree send --by ", ["words", "air", "sea"]), ("tree send ada --by s", ["words", "sea"]),
            ("tree send --by=", ["words", "--by=air", "--by=sea"]), ("tree send --by=s", ["words", "--by=sea"]), ("tree send --now=", ["words"]),
            ("tree send --port ", ["words"]), ("tree send --port 7 a", ["words", "ada"]), ("tree send --no", ["words", "--now", "--no-sign"]),
            ("tree send ada x --q", ["words", "--quiet"]), ("tree run -- ", ["files"]), ("tree run --browser x ", ["files"]),
            ("tree run ", ["words", "--browser", "--version", "--help"]), ("tree box open k --h", ["files"]),
        ])
    func places(line: String, offers: [String]) {
        #expect(offered(line) == offers)
    }

    @Test("A program without commands offers its options, and their values")
    func program() {
        #expect(offered("exam-ple --che", table: Example.table) == ["words", "--check"])
        #expect(offered("exam-ple --level ", table: Example.table) == ["words", "low", "high"])
        #expect(offered("exam-ple --place ", table: Example.table) == ["directories"] && offered("exam-ple --config ", table: Example.table) == ["files"])
        // A hidden one is not offered.
        #expect(offered("exam-ple --se", table: Example.table) == ["words", "--seconds"])
    }

    @Test("An argument of several words is offered again, also behind two dashes", arguments: ["", "a ", "a b ", "--now a ", "-- a b "])
    func severalWords(before: String) {
        let table = OptionTable(
            program: "p", abstract: "", discussion: "", version: nil,
            options: [ProgramOption("rest", .oneOf(["a", "b"]), form: .argument, isRepeating: true, ifEmpty: nil), ProgramOption("now")])
        #expect(offered("p \(before)", table: table) == ["words", "a", "b"])
    }

    @Test(
        "What bash splits at its signs is one word, of which it keeps the beginning",
        arguments: [
            (["tree", "send", "--by", "=", "s"], 4, "tree send --by=s", ["words", "sea"]),
            (["tree", "send", "--by", "="], 3, "tree send --by=", ["words", "air", "sea"]),
            (["tree", "send", "--by", "s"], 3, "tree send --by s", ["words", "sea"]),
            (["tree", "send", "--copy", "=", "x", "a"], 5, "tree send --copy=x  a", ["words", "ada"]),
            (["tree", "send", "a:b", "--by", ""], 4, "tree send a:b --by ", ["words", "air", "sea"]),
            (["tree", "sxx", "ada"], 1, "tree s", ["words", "send"]),
            // A shell that gives no line.
            (["tree", "send", "--by", "s"], 3, "", ["words", "sea"]),
        ])
    func bash(words: [String], index: Int, line: String, offers: [String]) {
        let answer = Tree.table.completion(["---completion", "bash", "\(index)", line] + words)
        #expect(answer?.split(separator: "\n").map(String.init) == offers)
    }

    @Test(
        "Words that no script sends are not answered",
        arguments: [[], ["fish"], ["fish", "x"], ["fish", "0", "tree"], ["fish", "3", "tree"], ["fish", "-1", "tree"], ["csh", "1", "tree"], ["bash", "1"]])
    func others(words: [String]) {
        #expect(Tree.table.completion(["---completion"] + words) == nil)
    }

    @Test("A shell's function has a name that every shell takes, and asks the program that PATH has", arguments: CompletionShell.allCases)
    func script(shell: CompletionShell) throws {
        let script = try #require(Example.text("--generate-completion-script", shell.rawValue))
        #expect(script.contains("_exam_ple") && script.contains("command exam-ple ---completion \(shell.rawValue) "))
        #expect(Example.text("--generate-completion-script=\(shell.rawValue)") == script)
    }
}

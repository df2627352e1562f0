import StrictJSON
import Testing

@testable import postern

@Suite("What is printed")
struct OutputTests {
    @Test(
        "text from outside cannot steer the terminal",
        arguments: [
            ("Ada", "Ada"), ("\u{1B}[2JAda", "\u{FFFD}[2JAda"), ("a\nb", "a\u{FFFD}b"), ("\u{202E}abc", "\u{FFFD}abc"), ("日本", "日本"),
            ("\u{9B}31m", "\u{FFFD}31m"),
        ])
    func plain(text: String, result: String) {
        #expect(text.plain == result)
    }

    @Test("columns are as wide as their widest cell, and nothing trails")
    func table() {
        var table = Table()
        table.add("A", "BB", "C")
        table.add("aaa", "b", "")
        #expect(table.lines == ["A    BB  C", "aaa  b"])
    }

    @Test("a document for a person's eyes says the same as one for a program")
    func indented() throws {
        let json: JSON = ["a": [1, ["b": nil]], "c": [], "d": [:], "e": "x\ny"]
        #expect(try JSON(parsing: json.indentedText) == json)
        #expect(json.indentedText.hasPrefix("{\n  \"a\": [\n    1,\n    {\n      \"b\": null\n    }\n  ],\n  \"c\": [],"))
    }

    @Test(
        "colour and movement are for terminals only, and NO_COLOR holds",
        arguments: [
            (true, ["TERM": "xterm"], true, true),
            (true, ["TERM": "xterm", "NO_COLOR": "1"], true, false),
            (true, ["TERM": "xterm", "NO_COLOR": ""], true, true),
            (true, ["TERM": "dumb"], false, false),
            (false, ["TERM": "xterm"], false, false),
        ])
    func terminal(isTerminal: Bool, environment: [String: String], moves: Bool, colours: Bool) {
        let terminal = Terminal(standardErrorIsTerminal: isTerminal, standardOutputIsTerminal: true, environment: environment)
        #expect(terminal.isInteractive == moves)
        #expect(terminal.hasColour == colours)
        #expect((terminal.paint("x", .red) != "x") == colours)
    }
}

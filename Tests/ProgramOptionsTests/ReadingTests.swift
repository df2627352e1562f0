import Testing

@testable import ProgramOptions

@Suite("Reading a command line")
struct ReadingTests {
    @Test("No options are a command line, too")
    func empty() throws {
        for values in [Example.values(), Example.values("--")] {
            let values = try #require(values)
            #expect(values.text(Example.config) == nil && values.texts(Example.listen) == [] && !values.has(Example.check))
            #expect(values.integer(Example.seconds) == 30)
        }
    }

    @Test("A value is in its own word, or behind the equals sign")
    func values() throws {
        let values = try #require(
            Example.values("--config", "a=b", "--seconds=60", "--listen", "a:1", "--listen=-b:2", "--check", "--level=low", "--secretly=x"))
        #expect(values.text(Example.config) == "a=b" && values.integer(Example.seconds) == 60 && values.has(Example.check))
        #expect(values.texts(Example.listen) == ["a:1", "-b:2"] && values.text(Example.level) == "low")
        #expect(values.text(Example.secretly) == "x")
    }

    @Test("Of an option that is given twice the last value counts")
    func twice() throws {
        let values = try #require(Example.values("--level", "low", "--check", "--level", "high", "--check"))
        #expect(values.text(Example.level) == "high" && values.has(Example.check))
    }

    @Test("The last argument may take several words, wherever the options stand")
    func severalWords() {
        let table = OptionTable(
            program: "p", abstract: "", discussion: "", version: nil,
            options: [
                ProgramOption("first", .text, form: .argument, isRequired: true, ifEmpty: nil),
                ProgramOption("rest", .oneOf(["a", "b"]), form: .argument, isRepeating: true, ifEmpty: nil), ProgramOption("now"),
            ])
        func rest(_ words: String...) -> [String]? {
            if case .values(let values) = table.read(words) { values[table.options[1]] ?? [] } else { nil }
        }
        #expect(rest("x") == [] && rest("x", "a", "--now", "b") == ["a", "b"] && rest("--now", "x", "--", "b", "a") == ["b", "a"])
        #expect(rest("x", "a", "c") == nil && rest() == nil)
    }

    @Test(
        "A wrong command line is refused with what is wrong",
        arguments: [
            (["x"], "unexpected argument 'x'"), (["--", "x"], "unexpected argument 'x'"), (["-"], "unexpected argument '-'"),
            ([""], "unexpected argument ''"), (["-c"], "there is no option '-c'"), (["--unknown=1"], "there is no option '--unknown'"),
            (["--conf", "x"], "there is no option '--conf'; did you mean '--config'?"),
            (["--lisetn"], "there is no option '--lisetn'; did you mean '--listen'?"), (["a", "--", "b"], "unexpected arguments 'a', 'b'"),
            (["--checks"], "there is no option '--checks'; did you mean '--check'?"),
            // A hidden one is no suggestion.
            (["--secret", "x"], "there is no option '--secret'"),
            (["--config"], "--config needs a value"), (["--config", "--check"], "--config needs a value"),
            (["--config", ""], "--config must not be empty"), (["--config="], "--config must not be empty"),
            (["--check=yes"], "--check takes no value, and 'yes' was given"),
            (["--level", "middle"], "--level 'middle': give one of low, high"),
            (["--seconds", "0"], "--seconds '0': give a number from 1 to 60"),
            (["--seconds", "1.5"], "--seconds '1.5': give a number from 1 to 60"),
            (["--seconds", "99999999999999999999"], "--seconds '99999999999999999999': give a number from 1 to 60"),
            (["--listen", "a"], "--listen 'a': give ADDRESS:PORT"),
            (["--generate-completion-script"], "--generate-completion-script takes bash, zsh, fish"),
            (["--generate-completion-script", "tcsh"], "--generate-completion-script takes bash, zsh, fish"),
        ])
    func refused(arguments: [String], sentence: String) {
        #expect(Example.refusal(arguments) == sentence)
    }

    @Test("A refusal shows how the option is given, the usage, and where more is")
    func wholeRefusal() {
        let text = """
            exam-ple: --level 'x': give one of low, high
              --level <level>  low or high.
            Usage: exam-ple [--config <file>] [--place <directory>] [--listen <address> ...]
                [--level <level>] [--seconds <seconds>] [--check]
              See 'exam-ple --help' for more information.

            """
        #expect(Example.table.read(["--level", "x"]) == .refusal(text))
        let narrow = Example.table.refusal(UsageError("no"), width: 40).split(separator: "\n").dropLast()
        #expect(narrow.count > 4 && narrow.allSatisfy { $0.count <= 40 })
    }

    @Test("Help and the version come before whatever else stands there, but not from behind two dashes")
    func questions() {
        let help = Example.table.help()
        #expect(Example.text("--help") == help && Example.text("--level", "x", "-h") == help && Example.text("--nothing", "--help") == help)
        for word in ["--version", "version", "-v", "-V"] { #expect(Example.text(word) == "1.2.3\n") }
        #expect(Example.refusal(["--", "--help"]) == "unexpected argument '--help'")
        let unversioned = OptionTable(program: "p", abstract: "", discussion: "", version: nil, options: [])
        #expect(unversioned.read(["--version"]) == .refusal(unversioned.refusal(UsageError("there is no option '--version'"))))
    }

    @Test("Random words never trap, and a value that is taken is in its option's range")
    func random() throws {
        let pieces = ["--", "-", "=", "config", "level", "seconds", "listen", "check", "low", "12", "é", "", "\u{0301}", " ", "--help"]
        for _ in 0..<2000 {
            let arguments = (0..<Int.random(in: 0...4)).map { _ in (0..<Int.random(in: 0...4)).map { _ in pieces.randomElement() ?? "" }.joined() }
            guard case .values(let values) = Example.table.read(arguments) else { continue }
            #expect(try 1...60 ~= #require(values.integer(Example.seconds)))
            #expect(values.text(Example.level).map(["low", "high"].contains) ?? true)
        }
    }
}

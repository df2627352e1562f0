import Testing

@Suite("Without a journal, an entry")
struct JournalTests {
    @Test(
        "is one line of the standard error that no terminal obeys",
        arguments: [
            ("plain", "plain"), ("two\nlines", "two\\u{a}lines"), ("\u{1B}[31mred", "\\u{1b}[31mred"), ("bell\u{7}", "bell\\u{7}"),
            ("\u{9B}31m", "\\u{9b}31m"), ("日本語 è", "日本語 è"), ("carriage\rreturn", "carriage\\u{d}return"),
        ])
    func line(message: String, expected: String) throws {
        let outcome = try Child.run(["log", message], in: TemporaryFolder())
        #expect(outcome.errors == "posternd: warning: \(expected)\n")
        #expect(outcome.output.isEmpty)
    }

    @Test("goes to the standard error too where that is not the stream that the manager connected", arguments: ["1:1", "x", ""])
    func anotherStream(stream: String) throws {
        #expect(try Child.run(["log", "here"], in: TemporaryFolder(), environment: ["JOURNAL_STREAM": stream]).errors == "posternd: warning: here\n")
    }
}

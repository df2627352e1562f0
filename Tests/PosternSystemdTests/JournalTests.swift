import Testing

@Suite("An entry")
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

    @Test(
        "names its provider and its session where it has them",
        arguments: [
            (["POSTERN_PROVIDER=github.com", "POSTERN_SESSION=S1"], "posternd: warning: x [github.com S1]\n"),
            (["POSTERN_UID=u", "POSTERN_SESSION=S1"], "posternd: warning: x [S1]\n"), (["POSTERN_UID=u"], "posternd: warning: x\n"),
            (["POSTERN_SESSION=S1", "POSTERN_PROVIDER=a\nb"], "posternd: warning: x [a\\u{a}b S1]\n"),
        ])
    func suffix(fields: [String], expected: String) throws {
        #expect(try Child.run(["log", "x"] + fields, in: TemporaryFolder()).errors == expected)
    }

    @Test("has a bound, and keeps its end", arguments: ["x", "日", "\n"])
    func long(character: String) throws {
        let message = String(repeating: character, count: 5000)
        let line = try Child.run(["log", message, "POSTERN_SESSION=S1"], in: TemporaryFolder()).errors
        #expect(line.utf8.count <= 4096 && line.utf8.count > 4080)
        #expect(line.hasSuffix("… [S1]\n"))
        let beginning = character == "\n" ? "\\u{a}\\u{a}" : character + character
        #expect(line.hasPrefix("posternd: warning: \(beginning)"))
    }

    @Test("is lost rather than waited with where nobody reads, and counted", arguments: ["pipe", "socket"])
    func stalled(kind: String) throws {
        #expect(
            try Child.run(["stalled", kind], in: TemporaryFolder()).output == """
                lost some whole
                all are counted
                posternd: warning: N lines were dropped here: the reader had stopped
                posternd: the end
                the mode is as it was

                """)
    }

    @Test("is lost rather than waited with where the journal does not read, and counted")
    func fullJournal() throws {
        let folder = try TemporaryFolder()
        #expect(
            try Child.run(["full-journal", folder.path("journal")], in: folder).output == """
                the entry
                lost some
                MESSAGE=N lines were dropped here: the reader had stopped
                PRIORITY=4
                SYSLOG_IDENTIFIER=posternd
                MESSAGE=the end
                PRIORITY=5
                SYSLOG_IDENTIFIER=posternd

                """)
    }

    @Test("goes to the standard error too where that is not the stream that the manager connected", arguments: ["1:1", "x", ""])
    func anotherStream(stream: String) throws {
        #expect(try Child.run(["log", "here"], in: TemporaryFolder(), environment: ["JOURNAL_STREAM": stream]).errors == "posternd: warning: here\n")
    }
}

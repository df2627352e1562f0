import Glibc
import Testing

@testable import TestDaemon
@testable import postern

@Suite("The command line of a helper")
struct HelperTableTests {
    @Test("no name stands for two protocols")
    func unique() {
        let programs = HelperTable.entries.flatMap(\.programs)
        #expect(Set(programs).count == programs.count)
        #expect(Set(HelperTable.entries.map(\.name)).count == HelperTable.entries.count)
        #expect(!programs.contains("postern"))
    }

    @Test("the installer makes a link for each name")
    func links() throws {
        // Tests/PosternCommandTests/Tokens/Helpers/HelperTableTests.swift
        let root = #filePath.split(separator: "/").dropLast(5).reduce("") { "\($0)/\($1)" }
        let script = open("\(root)/packaging/install.sh", O_RDONLY | O_CLOEXEC)
        try #require(script >= 0)
        defer { close(script) }
        let text = String(decoding: try #require(HelperInput.read(until: .endOfInput, from: script)), as: UTF8.self)
        let list = try #require(text.firstRange(of: "\nlinks='\n")).upperBound
        let names = text[list...].prefix { $0 != "'" }.split(separator: "\n").map(String.init)
        #expect(names == HelperTable.entries.flatMap(\.programs))
    }

    @Test(
        "the protocol is known by the program's name, or by the words after it",
        arguments: [
            (["postern", "helper", "git", "get"], "git", ["get"]), (["/usr/bin/postern", "helper", "kubectl", "a", "--help"], "kubectl", ["a", "--help"]),
            (["git-credential-postern", "get"], "git", ["get"]), (["/usr/bin/docker-credential-postern"], "docker", []),
            (["./kubectl-postern", "helper", "git"], "kubectl", ["helper", "git"]),
        ] as [([String], String, [String])])
    func read(line: [String], name: String, arguments: [String]) throws {
        let invocation = try #require(HelperInvocation(line))
        #expect(invocation.entry.name == name)
        #expect(invocation.arguments == arguments)
    }

    @Test(
        "everything else is a command line of postern",
        arguments: [
            [], ["postern"], ["postern", "helper"], ["postern", "helper", "bogus"], ["postern", "helper", "--help"], ["postern", "token", "git"],
            ["git-credential-posternx", "get"], ["postern", "git", "get"],
        ] as [[String]])
    func left(line: [String]) { #expect(HelperInvocation(line) == nil) }

    @Test("the help names every protocol")
    func help() throws {
        let help = try #require(CommandLineTests.text("helper --help"))
        for line in Helper.protocols(within: Terminal.columns.map { $0 - 1 }) { #expect(help.contains("\n\(line)\n")) }
        let lines = Helper.protocols(within: nil)
        #expect(lines.count == HelperTable.entries.count)
        for (line, entry) in zip(lines, HelperTable.entries) { #expect(line.hasPrefix("  \(entry.name) ") && line.hasSuffix("  \(entry.summary)")) }
    }

    @Test("every protocol is a line of a usual terminal, and on a narrow one nothing goes on at the margin")
    func widths() {
        #expect(Helper.protocols(within: nil).allSatisfy { $0.columns < 80 })
        let narrow = Helper.protocols(within: 60)
        #expect(narrow.allSatisfy { $0.columns <= 60 && $0.hasPrefix("  ") } && narrow.count > HelperTable.entries.count)
    }

    @Test(
        "a request ends with its input, or where the protocol says",
        arguments: [
            (HelperInput.End.endOfInput, "a=b\n\nmore", "a=b\n\nmore"), (.line, "{}\n", "{}\n"), (.emptyLine, "a=b\n\n", "a=b\n\n"),
            (.emptyLine, "\n", "\n"), (.emptyLine, "a=b\n", "a=b\n"), (.line, "", ""),
        ])
    func input(end: HelperInput.End, sent: String, read: String) throws {
        var ends: [Int32] = [-1, -1]
        try #require(pipe(&ends) == 0)
        defer { close(ends[0]) }
        #expect(write(ends[1], sent, sent.utf8.count) == sent.utf8.count)
        // Who waits for the answer keeps its end open, where the request says that it is over.
        let isOver = end == .line && sent.hasSuffix("\n") || end == .emptyLine && (sent == "\n" || sent.hasSuffix("\n\n"))
        if !isOver { close(ends[1]) }
        #expect(HelperInput.read(until: end, from: ends[0]).map { String(decoding: $0, as: UTF8.self) } == read)
        if isOver { close(ends[1]) }
    }

    @Test("a request without end is given up")
    func endless() throws {
        let zeros = open("/dev/zero", O_RDONLY | O_CLOEXEC)
        try #require(zeros >= 0)
        defer { close(zeros) }
        #expect(HelperInput.read(until: .endOfInput, from: zeros) == nil)
    }

    @Test(
        "a moment is read and written as RFC 3339 has it",
        arguments: [
            ("1970-01-01T00:00:00Z", 0), ("2026-01-01T00:00:00Z", 1_767_225_600), ("2024-02-29T23:59:59Z", 1_709_251_199),
            ("2000-03-01T00:00:00Z", 951_868_800), ("2100-02-28T12:00:00Z", 4_107_499_200), ("9999-12-31T23:59:59Z", 253_402_300_799),
        ])
    func time(text: String, seconds: Int64) {
        #expect(EpochTime(text) == EpochTime(seconds: seconds))
        #expect(EpochTime(seconds: seconds).text == text)
        #expect(EpochTime(text.dropLast() + ".123456Z")?.seconds == seconds)
    }

    @Test(
        "other texts are no moments",
        arguments: [
            "", "Z", "2026-01-01", "2026-01-01T00:00:00", "2026-01-01T00:00:00+00:00", "2026-13-01T00:00:00Z", "2026-01-32T00:00:00Z",
            "2026-01-01T24:00:00Z", "2026-01-01T00:60:00Z", "2026-01-01 00:00:00Z", "2026-01-01T00:00:00.Z", "-026-01-01T00:00:00Z",
            "2026-01-01T00:00:00,5Z", "2026-01-01T00:00:00.1234567890123456789012345678Z",
        ])
    func noTime(text: String) { #expect(EpochTime(text) == nil) }

    @Test("a moment too far away is not written", arguments: [-1, 253_402_300_800, .max])
    func far(seconds: Int64) { #expect(EpochTime(seconds: seconds).text == nil) }
}

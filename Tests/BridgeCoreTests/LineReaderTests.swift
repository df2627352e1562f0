import BridgeCore
import Testing

@Suite("The lines of standard input")
struct LineReaderTests {
    static let inputs: [(text: String, lines: [LineReader.Line])] = [
        ("", []),
        ("a\nb\n", [.line("a"), .line("b")]),
        ("a\r\nb\r\n", [.line("a"), .line("b")]),
        ("a\r\n\r\n\n\nb", [.line("a"), .line("b")]),
        ("\n\r\n", []),
        ("no end", [.line("no end")]),
        ("no end\r", [.line("no end")]),
        ("a\rb\n", [.line("a\rb")]),
        ("a\r\r\n", [.line("a\r")]),
        ("12345678\n", [.line("12345678")]),
        ("12345678\r\n", [.line("12345678")]),
        ("123456789\n", [.tooLong]),
        ("123456789\r\nb\n", [.tooLong, .line("b")]),
        ("12345678\r", [.line("12345678")]),
        ("123456789", [.tooLong]),
        ("123456789012345678901234567890\n\nab\n", [.tooLong, .line("ab")]),
        ("世界\n", [.line("世界")]),
    ]

    @Test("are read whatever the pieces are", arguments: inputs)
    func pieces(_ input: (text: String, lines: [LineReader.Line])) {
        for size in 1...20 {
            var reader = LineReader(limit: 8)
            var lines: [LineReader.Line] = []
            for piece in Array(input.text.utf8).pieces(of: size) { lines += reader.receive(piece) }
            if let last = reader.end() { lines.append(last) }
            #expect(lines == input.lines, "in pieces of \(size)")
        }
    }

    @Test("of 16 MiB pass, one byte more does not, and the next one does")
    func longest() {
        var reader = LineReader()
        let longest = [UInt8](repeating: UInt8(ascii: "a"), count: 16 << 20)
        #expect(reader.receive(longest).isEmpty)
        #expect(reader.receive([0x0D]).isEmpty)
        #expect(reader.receive([0x0A]) == [.line(longest)])
        #expect(reader.receive(longest + [0x61, 0x0A, 0x62, 0x0A]) == [.tooLong, .line("b")])
    }
}

extension LineReader.Line {
    static func line(_ text: String) -> Self { .line(Array(text.utf8)) }
}

extension [UInt8] {
    func pieces(of size: Int) -> [[UInt8]] { stride(from: 0, to: count, by: size).map { Array(self[$0..<Swift.min($0 + size, count)]) } }
}

import Testing

@testable import TestDaemon
@testable import postern

@Suite("Pasted lines")
struct PastedLinesTests {
    @Test("a line comes whole, however it arrives, and blank ones do not count")
    func pieces() {
        var lines = PastedLines()
        #expect(lines.received("  http://127".utf8).isEmpty)
        #expect(lines.received(".0.0.1/a \r\n\n  \nnext".utf8) == ["http://127.0.0.1/a"])
        #expect(lines.ended() == ["next"])
        #expect(lines.ended().isEmpty)
    }

    @Test("an absurdly long line is discarded up to its end, and the next one counts")
    func overflow() {
        var lines = PastedLines()
        #expect(lines.received(repeatElement(UInt8(ascii: "a"), count: PastedLines.limit + 1)).isEmpty)
        #expect(lines.received("tail\nfresh\n".utf8) == ["fresh"])
    }
}

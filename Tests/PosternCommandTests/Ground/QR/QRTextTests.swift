import Testing

@testable import TestDaemon
@testable import postern

@Suite("QR codes on a terminal")
struct QRTextTests {
    /// Dark modules of what a terminal shows, two rows a line; the quiet zone and all.
    static func dark(in lines: [String]) -> [[Bool]] {
        lines.flatMap { line in
            let cells = line.filter { "█▀▄ ".contains($0) }
            return [cells.map { $0 == "▄" || $0 == " " }, cells.map { $0 == "▀" || $0 == " " }]
        }
    }

    @Test("what is shown is the code with a light border of four modules", arguments: [QRText.Style.coloured, .plain])
    func rendering(style: QRText.Style) throws {
        let code = try #require(QRCode("https://provider.example/device?user_code=WDJB-MJHT"))
        let lines = QRText.lines(for: code, style: style)
        let shown = Self.dark(in: lines)
        let side = code.size + 2 * QRText.quietZone
        for y in 0..<side {
            #expect(shown[y].count == side)
            for x in 0..<side {
                let (innerX, innerY) = (x - QRText.quietZone, y - QRText.quietZone)
                let isDark = 0..<code.size ~= innerX && 0..<code.size ~= innerY && code[innerX, innerY]
                #expect(shown[y][x] == isDark)
            }
        }
    }

    @Test("black and white are named, so that it is right on any ground, and every line ends with its colours")
    func colours() throws {
        let code = try #require(QRCode("x"))
        for line in QRText.lines(for: code, style: .coloured) {
            #expect(line.hasPrefix("\u{1B}[38;5;231;48;5;16m") && line.hasSuffix("\u{1B}[0m"))
        }
        #expect(!QRText.lines(for: code, style: .plain).joined().contains("\u{1B}"))
    }

    @Test("the largest fits a terminal of eighty columns")
    func width() throws {
        let code = try #require(QRCode(String(repeating: "x", count: 271)))
        #expect(QRText.lines(for: code, style: .plain).allSatisfy { $0.count <= 80 })
    }
}

/// A QR code as lines for a terminal: a character cell is about twice as high as wide, so each shows two modules.
enum QRText {
    /// Light modules around the code, without which readers do not find it (ISO/IEC 18004, section 9.1).
    static let quietZone = 4

    enum Style: Equatable {
        /// Black on white, whatever the terminal's own colours. These two of the 256 colours are fixed, while the user can change the first
        /// sixteen.
        case coloured
        /// Light modules in the colour of the text: correct on a dark terminal. On a light one dark and light are swapped, which most
        /// phones can read as well.
        case plain
    }

    /// The code, or nil if the terminal is too small for it: a phone cannot read truncated or wrapped lines, nor what has scrolled off the
    /// screen.
    ///
    /// - Parameter words: how many other rows must stay visible with it.
    static func lines(for code: QRCode, beside words: Int, on terminal: Terminal) -> [String]? {
        guard columns(of: code) <= terminal.width ?? .max, rows(of: code) + words <= terminal.height ?? .max else { return nil }
        return lines(for: code, style: terminal.hasColour ? .coloured : .plain)
    }

    /// The text shown instead.
    static func tooSmall(for code: QRCode, beside words: Int) -> String {
        "A QR code needs a terminal of \(columns(of: code)) columns and \(rows(of: code) + words) rows."
    }

    private static func columns(of code: QRCode) -> Int { code.size + 2 * quietZone }
    private static func rows(of code: QRCode) -> Int { (code.size + 2 * quietZone + 1) / 2 }

    static func lines(for code: QRCode, style: Style) -> [String] {
        let side = code.size + 2 * quietZone
        func isDark(_ x: Int, _ y: Int) -> Bool {
            let (x, y) = (x - quietZone, y - quietZone)
            return 0..<code.size ~= x && 0..<code.size ~= y && code[x, y]
        }
        return stride(from: 0, to: side, by: 2).map { y in
            // Below the last row there is nothing to paint; on a white background it may be painted.
            let cells = (0..<side).map { x in
                cell(upperIsLight: !isDark(x, y), lowerIsLight: y + 1 < side ? !isDark(x, y + 1) : style == .coloured)
            }
            switch style {
            case .coloured: return "\u{1B}[38;5;231;48;5;16m" + cells.joined() + "\u{1B}[0m"
            case .plain: return cells.joined()
            }
        }
    }

    private static func cell(upperIsLight: Bool, lowerIsLight: Bool) -> String {
        switch (upperIsLight, lowerIsLight) {
        case (true, true): "█"
        case (true, false): "▀"
        case (false, true): "▄"
        case (false, false): " "
        }
    }
}

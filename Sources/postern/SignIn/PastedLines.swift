/// Puts what is typed together into lines. A line that grows past all sense is thrown away up to its end.
struct PastedLines {
    /// Well above any redirect; a terminal itself gives at most 4,095 characters a line.
    static let limit = 16 * 1024

    private var pending: [UInt8] = []
    private var isOverflowing = false

    /// - Returns: the lines that are now complete, without surrounding blanks; empty ones left out.
    mutating func received(_ bytes: some Collection<UInt8>) -> [String] {
        var lines: [String] = []
        for byte in bytes {
            if byte == 0x0A || byte == 0x0D {
                if !isOverflowing { append(pending, to: &lines) }
                pending = []
                isOverflowing = false
            } else if pending.count < Self.limit {
                pending.append(byte)
            } else {
                isOverflowing = true
            }
        }
        return lines
    }

    /// The input ended; what stands there without a line's end counts.
    mutating func ended() -> [String] {
        var lines: [String] = []
        if !isOverflowing { append(pending, to: &lines) }
        pending = []
        return lines
    }

    private func append(_ bytes: [UInt8], to lines: inout [String]) {
        let line = Self.trimmed(String(decoding: bytes, as: UTF8.self))
        if !line.isEmpty { lines.append(line) }
    }

    /// Without surrounding blanks.
    static func trimmed(_ text: String) -> String {
        var line = text.drop { $0.isWhitespace }
        while line.last?.isWhitespace == true { line.removeLast() }
        return String(line)
    }
}

/// A cursor over checked text that knows line and column.
struct Scanner {
    let bytes: [UInt8]
    var offset = 0

    /// How far lines and columns have been counted; advancing it with the cursor keeps the time linear for a file with one long line.
    private var countedOffset = 0
    private var counted = TOMLPosition(line: 1, column: 1)

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    var isAtEnd: Bool { offset >= bytes.count }

    func peek(_ distance: Int = 0) -> UInt8? {
        let index = offset + distance
        return index < bytes.count ? bytes[index] : nil
    }

    /// Whether these characters come next.
    func sees(_ text: StaticString) -> Bool {
        guard offset + text.utf8CodeUnitCount <= bytes.count else { return false }
        for index in 0..<text.utf8CodeUnitCount where bytes[offset + index] != text.utf8Start[index] { return false }
        return true
    }

    /// Skips these characters if they come next.
    mutating func take(_ text: StaticString) -> Bool {
        guard sees(text) else { return false }
        offset += text.utf8CodeUnitCount
        return true
    }

    mutating func takeNewline() -> Bool { take("\n") || take("\r\n") }

    mutating func skipBlanks() {
        while let byte = peek(), byte == 0x20 || byte == 0x09 { offset += 1 }
    }

    mutating func skipComment() {
        guard peek() == UInt8(ascii: "#") else { return }
        while let byte = peek(), byte != 0x0A, byte != 0x0D { offset += 1 }
    }

    /// Line and column of the cursor.
    mutating func position() -> TOMLPosition { position(at: offset) }

    mutating func position(at place: Int) -> TOMLPosition {
        if place < countedOffset {
            // Going back happens only for an error.
            countedOffset = 0
            counted = TOMLPosition(line: 1, column: 1)
        }
        while countedOffset < place, countedOffset < bytes.count {
            let byte = bytes[countedOffset]
            if byte == 0x0A {
                counted = TOMLPosition(line: counted.line + 1, column: 1)
            } else if byte & 0xC0 != 0x80 {
                counted.column += 1
            }
            countedOffset += 1
        }
        return counted
    }

    mutating func failure(_ reason: TOMLParseError.Reason) -> TOMLParseError { failure(reason, at: offset) }

    mutating func failure(_ reason: TOMLParseError.Reason, at place: Int) -> TOMLParseError {
        TOMLParseError(reason: reason, position: position(at: place))
    }
}

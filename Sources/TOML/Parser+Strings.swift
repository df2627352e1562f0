extension Parser {
    mutating func string() throws(TOMLParseError) -> String {
        let bytes: [UInt8]
        if scanner.sees("\"\"\"") {
            bytes = try multiLineString(quote: UInt8(ascii: "\""))
        } else if scanner.sees("'''") {
            bytes = try multiLineString(quote: UInt8(ascii: "'"))
        } else if scanner.sees("'") {
            bytes = try literalString()
        } else {
            bytes = try basicString()
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// `"…"`, on one line, with escape sequences.
    mutating func basicString() throws(TOMLParseError) -> [UInt8] {
        let start = scanner.offset
        scanner.offset += 1
        var text: [UInt8] = []
        while let byte = scanner.peek() {
            switch byte {
            case UInt8(ascii: "\""):
                scanner.offset += 1
                return text
            case UInt8(ascii: "\\"): try escape(into: &text)
            case 0x0A, 0x0D: throw scanner.failure(.unterminatedString, at: start)
            default:
                text.append(byte)
                scanner.offset += 1
            }
        }
        throw scanner.failure(.unterminatedString, at: start)
    }

    /// `'…'`, on one line, taken literally.
    mutating func literalString() throws(TOMLParseError) -> [UInt8] {
        let start = scanner.offset
        scanner.offset += 1
        while let byte = scanner.peek(), byte != 0x0A, byte != 0x0D {
            scanner.offset += 1
            if byte == UInt8(ascii: "'") { return Array(scanner.bytes[(start + 1)..<(scanner.offset - 1)]) }
        }
        throw scanner.failure(.unterminatedString, at: start)
    }

    /// `"""…"""` or `'''…'''`. A first newline is dropped; all newlines become line feeds.
    private mutating func multiLineString(quote: UInt8) throws(TOMLParseError) -> [UInt8] {
        let start = scanner.offset
        scanner.offset += 3
        _ = scanner.takeNewline()
        var text: [UInt8] = []
        while let byte = scanner.peek() {
            switch byte {
            case quote:
                // One or two are text, even right before the three that end the string.
                var run = 1
                while run < 5, scanner.peek(run) == quote { run += 1 }
                scanner.offset += run
                text.append(contentsOf: repeatElement(quote, count: run < 3 ? run : run - 3))
                if run >= 3 { return text }
            case UInt8(ascii: "\\") where quote == UInt8(ascii: "\""):
                if !skipFoldedNewline() { try escape(into: &text) }
            case 0x0D: scanner.offset += 1
            default:
                text.append(byte)
                scanner.offset += 1
            }
        }
        throw scanner.failure(.unterminatedString, at: start)
    }

    /// A backslash at the end of a line removes the newline and all white space up to the next character.
    private mutating func skipFoldedNewline() -> Bool {
        var ahead = scanner
        ahead.offset += 1
        ahead.skipBlanks()
        guard ahead.takeNewline() else { return false }
        while let byte = ahead.peek(), [0x20, 0x09, 0x0A, 0x0D].contains(byte) { ahead.offset += 1 }
        scanner.offset = ahead.offset
        return true
    }

    private mutating func escape(into text: inout [UInt8]) throws(TOMLParseError) {
        let start = scanner.offset
        let letter = scanner.peek(1)
        scanner.offset += 2
        switch letter {
        case UInt8(ascii: "b"): text.append(0x08)
        case UInt8(ascii: "t"): text.append(0x09)
        case UInt8(ascii: "n"): text.append(0x0A)
        case UInt8(ascii: "f"): text.append(0x0C)
        case UInt8(ascii: "r"): text.append(0x0D)
        case UInt8(ascii: "\""), UInt8(ascii: "\\"): text.append(scanner.bytes[start + 1])
        case UInt8(ascii: "u"): try append(scalarOf: 4, from: start, to: &text)
        case UInt8(ascii: "U"): try append(scalarOf: 8, from: start, to: &text)
        default: throw scanner.failure(.invalidEscape, at: start)
        }
    }

    private mutating func append(scalarOf digits: Int, from start: Int, to text: inout [UInt8]) throws(TOMLParseError) {
        var value: UInt32 = 0
        for _ in 0..<digits {
            guard let byte = scanner.peek(), let digit = Character(Unicode.Scalar(byte)).hexDigitValue else {
                throw scanner.failure(.invalidEscape, at: start)
            }
            value = value << 4 | UInt32(digit)
            scanner.offset += 1
        }
        guard let scalar = Unicode.Scalar(value), let units = UTF8.encode(scalar) else {
            throw scanner.failure(.invalidEscape, at: start)
        }
        text.append(contentsOf: units)
    }
}

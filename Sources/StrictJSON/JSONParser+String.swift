extension JSONParser {
    mutating func string() throws(JSONParseError) -> String {
        next += 1
        let start = next
        let (end, isASCII) = StringScan.plainText(bytes, from: start)
        next = end
        guard end < count else { throw failure(.unexpectedEnd) }
        switch bytes[end] {
        case UInt8(ascii: "\""):
            next += 1
            let text = UnsafeRawBufferPointer(rebasing: bytes[start..<end])
            if isASCII { return String(decoding: text, as: UTF8.self) }
            guard let text = String(validating: text, as: UTF8.self) else { throw failure(.invalidUTF8, at: start) }
            return text
        case UInt8(ascii: "\\"): return try escapedString(from: start)
        default: throw failure(.controlCharacter)
        }
    }

    /// The slow path: a string that has at least one escape.
    private mutating func escapedString(from start: Int) throws(JSONParseError) -> String {
        var text = Array(bytes[start..<next])
        while next < count {
            switch bytes[next] {
            case UInt8(ascii: "\""):
                next += 1
                guard let result = String(validating: text, as: UTF8.self) else { throw failure(.invalidUTF8, at: start) }
                return result
            case UInt8(ascii: "\\"):
                next += 1
                try escape(into: &text)
            case 0..<0x20:
                throw failure(.controlCharacter)
            default:
                let (end, _) = StringScan.plainText(bytes, from: next)
                text.append(contentsOf: bytes[next..<end])
                next = end
            }
        }
        throw failure(.unexpectedEnd)
    }

    private mutating func escape(into text: inout [UInt8]) throws(JSONParseError) {
        let byte = try peek()
        next += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): text.append(byte)
        case UInt8(ascii: "b"): text.append(0x08)
        case UInt8(ascii: "f"): text.append(0x0C)
        case UInt8(ascii: "n"): text.append(0x0A)
        case UInt8(ascii: "r"): text.append(0x0D)
        case UInt8(ascii: "t"): text.append(0x09)
        case UInt8(ascii: "u"): text.append(contentsOf: String(try escapedScalar()).utf8)
        default: throw failure(.invalidEscape, at: next - 1)
        }
    }

    /// The digits after `\u`: one UTF-16 code unit, or both of a surrogate pair. Half a pair is refused: it has no UTF-8.
    private mutating func escapedScalar() throws(JSONParseError) -> Unicode.Scalar {
        let place = next
        var code = UInt32(try hexadecimalUnit())
        if code & 0xFC00 == 0xD800 {
            guard next + 1 < count, bytes[next] == UInt8(ascii: "\\"), bytes[next + 1] == UInt8(ascii: "u")
            else { throw failure(.invalidEscape, at: place) }
            next += 2
            let low = UInt32(try hexadecimalUnit())
            guard low & 0xFC00 == 0xDC00 else { throw failure(.invalidEscape, at: place) }
            code = 0x10000 + (code & 0x3FF) << 10 + (low & 0x3FF)
        }
        guard let scalar = Unicode.Scalar(code) else { throw failure(.invalidEscape, at: place) }
        return scalar
    }

    private mutating func hexadecimalUnit() throws(JSONParseError) -> UInt16 {
        guard next + 4 <= count else { throw failure(.unexpectedEnd) }
        var unit: UInt16 = 0
        for _ in 0..<4 {
            let byte = bytes[next]
            let digit: UInt8
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): digit = byte - UInt8(ascii: "0")
            case UInt8(ascii: "a")...UInt8(ascii: "f"): digit = byte - UInt8(ascii: "a") + 10
            case UInt8(ascii: "A")...UInt8(ascii: "F"): digit = byte - UInt8(ascii: "A") + 10
            default: throw failure(.invalidEscape)
            }
            unit = unit << 4 | UInt16(digit)
            next += 1
        }
        return unit
    }
}

import PosternValues
/// What strings that were read over mean.
extension JSONScanner {
    /// Whether the string is this text, written in whichever way.
    func text(_ text: Text, is wanted: StaticString) -> Bool {
        let length = wanted.utf8CodeUnitCount
        guard text.hasEscapes else {
            guard text.range.count == length else { return false }
            for index in 0..<length where bytes[text.range.lowerBound + index] != wanted.utf8Start[index] { return false }
            return true
        }
        guard let decoded = decoded(text, upTo: length), decoded.count == length else { return false }
        return UnsafeBufferPointer(start: wanted.utf8Start, count: length).elementsEqual(decoded)
    }

    func text(_ text: Text, is wanted: String) -> Bool {
        let length = wanted.utf8.count
        if !text.hasEscapes { return text.range.count == length && wanted.utf8.elementsEqual(bytes[text.range]) }
        guard let decoded = decoded(text, upTo: length) else { return false }
        return wanted.utf8.elementsEqual(decoded)
    }

    /// The string as Swift has it. Nil if it is longer, in bytes of UTF-8, or has half a surrogate pair, which has no UTF-8.
    func string(_ text: Text, upTo limit: Int) -> String? {
        guard text.hasEscapes else { return text.range.count <= limit ? String(decoding: bytes[text.range], as: UTF8.self) : nil }
        return decoded(text, upTo: limit).map { String(decoding: $0, as: UTF8.self) }
    }

    /// Stops at the limit, so that a long string costs no more than a short one.
    private func decoded(_ text: Text, upTo limit: Int) -> [UInt8]? {
        var result: [UInt8] = []
        var index = text.range.lowerBound
        while index < text.range.upperBound {
            guard result.count < limit else { return nil }
            let byte = bytes[index]
            index += 1
            guard byte == UInt8(ascii: "\\") else {
                result.append(byte)
                continue
            }
            let escape = bytes[index]
            index += 1
            switch escape {
            case UInt8(ascii: "b"): result.append(0x08)
            case UInt8(ascii: "f"): result.append(0x0C)
            case UInt8(ascii: "n"): result.append(0x0A)
            case UInt8(ascii: "r"): result.append(0x0D)
            case UInt8(ascii: "t"): result.append(0x09)
            case UInt8(ascii: "u"):
                guard let scalar = scalar(at: &index, end: text.range.upperBound) else { return nil }
                result.append(contentsOf: String(scalar).utf8)
            default: result.append(escape)
            }
        }
        return result.count <= limit ? result : nil
    }

    /// The scalar whose four digits are at `index`, with the second half of a pair.
    private func scalar(at index: inout Int, end: Int) -> Unicode.Scalar? {
        guard var code = codeUnit(at: &index, end: end) else { return nil }
        if code & 0xFC00 == 0xD800 {
            guard index + 1 < end, bytes[index] == UInt8(ascii: "\\"), bytes[index + 1] == UInt8(ascii: "u") else { return nil }
            index += 2
            guard let second = codeUnit(at: &index, end: end), second & 0xFC00 == 0xDC00 else { return nil }
            code = 0x10000 + (code & 0x3FF) << 10 + (second & 0x3FF)
        }
        return Unicode.Scalar(code)
    }

    private func codeUnit(at index: inout Int, end: Int) -> UInt32? {
        guard index + 4 <= end else { return nil }
        var unit: UInt32 = 0
        for _ in 0..<4 {
            guard let digit = bytes[index].hexadecimalValue else { return nil }
            unit = unit << 4 | UInt32(digit)
            index += 1
        }
        return unit
    }
}

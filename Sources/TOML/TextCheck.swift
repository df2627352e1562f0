/// The first check of a file: it must be UTF-8, and free of characters that TOML allows nowhere.
///
/// After it the parser can ignore malformed sequences, bare carriage returns and control characters.
enum TextCheck {
    /// The first offence and its offset in bytes; nil if there is none.
    static func offence(in bytes: [UInt8]) -> (reason: TOMLParseError.Reason, offset: Int)? {
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { return (.byteOrderMark, 0) }
        var offset = 0
        while offset < bytes.count {
            let byte = bytes[offset]
            switch byte {
            case 0x09, 0x0A, 0x20...0x7E: offset += 1
            case 0x0D:
                guard offset + 1 < bytes.count, bytes[offset + 1] == 0x0A else { return (.bareCarriageReturn, offset) }
                offset += 2
            case 0x00...0x1F, 0x7F: return (.controlCharacter, offset)
            default:
                guard let length = sequenceLength(in: bytes, at: offset) else { return (.invalidUTF8, offset) }
                offset += length
            }
        }
        return nil
    }

    /// The length of the well-formed sequence of two to four bytes that begins there (Unicode, table 3-7); nil if there is none.
    private static func sequenceLength(in bytes: [UInt8], at offset: Int) -> Int? {
        let length: Int
        var second: ClosedRange<UInt8> = 0x80...0xBF
        switch bytes[offset] {
        case 0xC2...0xDF: length = 2
        case 0xE0: (length, second) = (3, 0xA0...0xBF)
        case 0xE1...0xEC, 0xEE...0xEF: length = 3
        // Surrogates.
        case 0xED: (length, second) = (3, 0x80...0x9F)
        case 0xF0: (length, second) = (4, 0x90...0xBF)
        case 0xF1...0xF3: length = 4
        case 0xF4: (length, second) = (4, 0x80...0x8F)
        default: return nil
        }
        guard offset + length <= bytes.count, second ~= bytes[offset + 1] else { return nil }
        for index in (offset + 2)..<max(offset + 2, offset + length) where bytes[index] & 0xC0 != 0x80 { return nil }
        return length
    }
}

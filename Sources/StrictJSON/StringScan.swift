/// Looks for the bytes with a meaning inside a JSON string, eight at a time: most of a message is plain text, and reading
/// and writing spend their time in this loop.
enum StringScan {
    /// The first quotation mark, backslash or control character at or after `start`, or the end; and whether everything
    /// before it is ASCII.
    @inline(__always)
    static func plainText(_ bytes: UnsafeRawBufferPointer, from start: Int) -> (end: Int, isASCII: Bool) {
        var index = start
        var high: UInt64 = 0
        while index &+ 8 <= bytes.count {
            let word = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self))
            let marks = marks(in: word)
            if marks != 0 {
                // The lowest mark is exact; only those above it may be false.
                let place = marks.trailingZeroBitCount & ~7
                high |= word & ((1 << UInt64(place)) &- 1)
                return (index &+ place >> 3, high & highBits == 0)
            }
            high |= word
            index &+= 8
        }
        while index < bytes.count {
            let byte = bytes[index]
            if byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") { break }
            high |= UInt64(byte)
            index &+= 1
        }
        return (index, high & highBits == 0)
    }

    private static let lowBits: UInt64 = 0x0101_0101_0101_0101
    private static let highBits: UInt64 = 0x8080_8080_8080_8080

    /// The high bit of each byte that is below 0x20, a quotation mark or a backslash (Bit Twiddling Hacks, "Determine
    /// if a word has a byte less than n", "... equal to n").
    @inline(__always)
    private static func marks(in word: UInt64) -> UInt64 {
        let quote = word ^ (lowBits &* UInt64(UInt8(ascii: "\"")))
        let backslash = word ^ (lowBits &* UInt64(UInt8(ascii: "\\")))
        let control = (word &- lowBits &* 0x20) & ~word
        return (control | (quote &- lowBits) & ~quote | (backslash &- lowBits) & ~backslash) & highBits
    }
}

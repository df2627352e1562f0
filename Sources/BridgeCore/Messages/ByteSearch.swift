/// Finds bytes with a meaning, eight at a time: most of a message is plain text.
enum ByteSearch {
    private static let low: UInt64 = 0x0101_0101_0101_0101
    private static let high: UInt64 = 0x8080_8080_8080_8080

    /// The first LF at or after `start`.
    static func lineFeed(in bytes: UnsafeRawBufferPointer, from start: Int) -> Int? {
        var index = start
        while index &+ 8 <= bytes.count {
            let found = zeros(in: word(bytes, index) ^ (low &* 0x0A))
            if found != 0 { return index &+ found.trailingZeroBitCount >> 3 }
            index &+= 8
        }
        while index < bytes.count {
            if bytes[index] == 0x0A { return index }
            index &+= 1
        }
        return nil
    }

    /// The first CR or LF at or after `start`, or the end.
    static func lineEnd(in bytes: UnsafeRawBufferPointer, from start: Int) -> Int {
        var index = start
        while index &+ 8 <= bytes.count {
            let word = word(bytes, index)
            let found = zeros(in: word ^ (low &* 0x0A)) | zeros(in: word ^ (low &* 0x0D))
            if found != 0 { return index &+ found.trailingZeroBitCount >> 3 }
            index &+= 8
        }
        while index < bytes.count, bytes[index] != 0x0A, bytes[index] != 0x0D { index &+= 1 }
        return index
    }

    /// The first byte at or after `start` that is not plain ASCII in a JSON string (a quotation mark, a backslash, a control character or a
    /// part of a longer character), or the end.
    @inline(__always)
    static func stringMark(in bytes: UnsafeRawBufferPointer, from start: Int) -> Int {
        var index = start
        while index &+ 8 <= bytes.count {
            let word = word(bytes, index)
            let control = (word &- low &* 0x20) & ~word & high
            let found = control | word & high | zeros(in: word ^ (low &* 0x22)) | zeros(in: word ^ (low &* 0x5C))
            if found != 0 { return index &+ found.trailingZeroBitCount >> 3 }
            index &+= 8
        }
        while index < bytes.count {
            let byte = bytes[index]
            if byte < 0x20 || byte >= 0x80 || byte == 0x22 || byte == 0x5C { return index }
            index &+= 1
        }
        return index
    }

    @inline(__always)
    private static func word(_ bytes: UnsafeRawBufferPointer, _ index: Int) -> UInt64 {
        UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self))
    }

    /// The high bit of each byte that is zero. The lowest one is exact; above it there may be false ones.
    @inline(__always)
    private static func zeros(in word: UInt64) -> UInt64 { (word &- low) & ~word & high }
}

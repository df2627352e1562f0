/// An alphabet of 2, 4, 8, 16, 32 or 64 characters, each of which stands for as many bits (RFC 4648).
package struct RadixAlphabet: Sendable {
    private let characters: [UInt8]
    private let width: Int

    package init(_ characters: String) {
        self.characters = Array(characters.utf8)
        width = self.characters.count.trailingZeroBitCount
    }

    /// Without padding.
    package func encode(_ bytes: some Collection<UInt8>) -> [UInt8] {
        bytes.withContiguousStorageIfAvailable(encode(contiguous:)) ?? Array(bytes).withUnsafeBufferPointer(encode(contiguous:))
    }

    private func encode(contiguous bytes: UnsafeBufferPointer<UInt8>) -> [UInt8] {
        var text: [UInt8] = []
        text.reserveCapacity((bytes.count * 8 + width - 1) / width)
        let mask = UInt32(characters.count - 1)
        var buffer: UInt32 = 0
        var bits = 0
        for byte in bytes {
            buffer = buffer << 8 | UInt32(byte)
            bits += 8
            while bits >= width {
                bits -= width
                text.append(characters[Int(buffer >> UInt32(bits) & mask)])
            }
        }
        if bits > 0 { text.append(characters[Int(buffer << UInt32(width - bits) & mask)]) }
        return text
    }
}

/// Base64 with the URL-safe alphabet and without padding (RFC 4648 section 5, RFC 7515 section 2).
public enum Base64URL {
    private static let alphabet = RadixAlphabet("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")

    public static func encode(_ bytes: some Collection<UInt8>) -> String { String(decoding: alphabet.encode(bytes), as: UTF8.self) }

    /// Nil for padding, any other character, an impossible length, or remaining bits that are not zero: each value has one text.
    public static func decode(_ text: some StringProtocol) -> [UInt8]? {
        text.utf8.withContiguousStorageIfAvailable(decode(utf8:)) ?? Array(text.utf8).withUnsafeBufferPointer(decode(utf8:))
    }

    private static func decode(utf8 text: UnsafeBufferPointer<UInt8>) -> [UInt8]? {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count * 3 / 4)
        var buffer: UInt32 = 0
        var bits = 0
        for character in text {
            let value: UInt32
            switch character {
            case UInt8(ascii: "A")...UInt8(ascii: "Z"): value = UInt32(character - UInt8(ascii: "A"))
            case UInt8(ascii: "a")...UInt8(ascii: "z"): value = UInt32(character - UInt8(ascii: "a")) + 26
            case UInt8(ascii: "0")...UInt8(ascii: "9"): value = UInt32(character - UInt8(ascii: "0")) + 52
            case UInt8(ascii: "-"): value = 62
            case UInt8(ascii: "_"): value = 63
            default: return nil
            }
            buffer = buffer << 6 | value
            bits += 6
            if bits >= 8 {
                bits -= 8
                bytes.append(UInt8(truncatingIfNeeded: buffer >> UInt32(bits)))
            }
        }
        guard bits < 6, buffer & (1 << UInt32(bits) - 1) == 0 else { return nil }
        return bytes
    }
}

/// Base64 with padding (RFC 4648 section 4), for HTTP Basic authentication.
package enum Base64 {
    private static let alphabet = RadixAlphabet("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")

    package static func encode(_ bytes: [UInt8]) -> String {
        let text = alphabet.encode(bytes)
        return String(decoding: text + Array(repeating: UInt8(ascii: "="), count: -text.count & 3), as: UTF8.self)
    }
}

/// Bytes as two lower-case digits each.
package enum Hexadecimal {
    private static let digits = RadixAlphabet("0123456789abcdef")

    package static func encode(_ bytes: [UInt8]) -> String { String(decoding: digits.encode(bytes), as: UTF8.self) }
}

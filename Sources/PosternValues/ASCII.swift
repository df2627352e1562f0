extension String {
    /// Whether all bytes of its UTF-8 are so. Reading them from memory takes a fifth of the instructions of a loop over the view.
    @inlinable package func bytesSatisfy(_ isValid: (UInt8) -> Bool) -> Bool {
        utf8.withContiguousStorageIfAvailable { $0.allSatisfy(isValid) } ?? utf8.allSatisfy(isValid)
    }

    /// Names of header fields and authentication schemes are the same with ASCII letters in either case (RFC 9110 section 5.1).
    package func isEqualIgnoringCase(_ other: String) -> Bool {
        utf8.count == other.utf8.count && zip(utf8, other.utf8).allSatisfy { $0 == $1 || ($0 ^ $1 == 0x20 && $0.isASCIILetter) }
    }
}

/// Classes of characters, as bytes.
extension UInt8 {
    @inlinable package var isDecimalDigit: Bool { UInt8(ascii: "0")...UInt8(ascii: "9") ~= self }

    @inlinable package var isHexadecimalDigit: Bool {
        isDecimalDigit || UInt8(ascii: "a")...UInt8(ascii: "f") ~= self || UInt8(ascii: "A")...UInt8(ascii: "F") ~= self
    }

    /// Nil if it is no hexadecimal digit.
    @inlinable package var hexadecimalValue: UInt8? {
        guard isHexadecimalDigit else { return nil }
        return isDecimalDigit ? self - UInt8(ascii: "0") : (self | 0x20) - UInt8(ascii: "a") + 10
    }

    @inlinable package var isASCIILetter: Bool {
        UInt8(ascii: "a")...UInt8(ascii: "z") ~= self || UInt8(ascii: "A")...UInt8(ascii: "Z") ~= self
    }

    /// Part of a token of HTTP (RFC 9110 section 5.6.2): the name of a method or a header field.
    @inlinable package var isTokenCharacter: Bool {
        switch self {
        case UInt8(ascii: "!"), UInt8(ascii: "#")...UInt8(ascii: "'"), UInt8(ascii: "*"), UInt8(ascii: "+"), UInt8(ascii: "-"),
            UInt8(ascii: "."), UInt8(ascii: "^")...UInt8(ascii: "`"), UInt8(ascii: "|"), UInt8(ascii: "~"):
            true
        default: isASCIILetter || isDecimalDigit
        }
    }

    /// RFC 3986 section 2.3.
    @inlinable package var isUnreserved: Bool {
        switch self {
        case UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "~"): true
        default: isASCIILetter || isDecimalDigit
        }
    }
}

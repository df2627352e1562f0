/// Letters and digits as bytes.
extension UInt8 {
    @inlinable package var isDecimalDigit: Bool { UInt8(ascii: "0")...UInt8(ascii: "9") ~= self }

    @inlinable package var isHexadecimalDigit: Bool {
        isDecimalDigit || UInt8(ascii: "a")...UInt8(ascii: "f") ~= self || UInt8(ascii: "A")...UInt8(ascii: "F") ~= self
    }

    @inlinable package var isASCIILetter: Bool {
        UInt8(ascii: "a")...UInt8(ascii: "z") ~= self || UInt8(ascii: "A")...UInt8(ascii: "Z") ~= self
    }
}

extension JSONParser {
    /// No longer literal has a value that we could use, and comparing it costs time.
    private static let longestNumber = 128

    mutating func number() throws(JSONParseError) -> JSON {
        let start = next
        var isInteger = true
        if bytes[next] == UInt8(ascii: "-") { next += 1 }
        let firstDigit = next
        try digits()
        if bytes[firstDigit] == UInt8(ascii: "0"), next - firstDigit > 1 { throw failure(.invalidNumber, at: start) }
        if next < count, bytes[next] == UInt8(ascii: ".") {
            isInteger = false
            next += 1
            try digits()
        }
        if next < count, bytes[next] | 0x20 == UInt8(ascii: "e") {
            isInteger = false
            next += 1
            if next < count, bytes[next] == UInt8(ascii: "+") || bytes[next] == UInt8(ascii: "-") { next += 1 }
            try digits()
        }
        guard next - start <= Self.longestNumber else { throw failure(.numberTooLong, at: start) }
        if isInteger, let value = integer(from: start) { return .integer(value) }
        return .decimal(String(decoding: bytes[start..<next], as: UTF8.self))
    }

    private mutating func digits() throws(JSONParseError) {
        let start = next
        while next < count, bytes[next] &- UInt8(ascii: "0") < 10 { next += 1 }
        guard next > start else { throw failure(next < count ? .invalidNumber : .unexpectedEnd) }
    }

    /// The literal from `start` on; nil if it does not fit, and for `-0`, which is not an integer.
    private func integer(from start: Int) -> Int64? {
        let isNegative = bytes[start] == UInt8(ascii: "-")
        var value: Int64 = 0
        for index in (isNegative ? start + 1 : start)..<next {
            // Downwards, because the least integer has no positive counterpart.
            let (shifted, overflow) = value.multipliedReportingOverflow(by: 10)
            let (sum, underflow) = shifted.subtractingReportingOverflow(Int64(bytes[index] &- UInt8(ascii: "0")))
            if overflow || underflow { return nil }
            value = sum
        }
        if isNegative { return value == 0 ? nil : value }
        return value == .min ? nil : -value
    }
}

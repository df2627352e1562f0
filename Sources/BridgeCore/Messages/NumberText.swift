/// A number in JSON by its value, without rounding: 1, 1.0 and 10e-1 are the same.
struct NumberText: Hashable, Sendable {
    private var isNegative = false
    /// Without zeros at either end; empty for zero.
    private var digits: [UInt8] = []
    /// Of ten, for the last digit.
    private var exponent = 0

    /// - Parameter literal: a number as JSON has it.
    init(_ literal: some Sequence<UInt8>) {
        var isFraction = false
        var iterator = literal.makeIterator()
        scan: while let byte = iterator.next() {
            switch byte {
            case UInt8(ascii: "-"): isNegative = true
            case UInt8(ascii: "."): isFraction = true
            case UInt8(ascii: "e"), UInt8(ascii: "E"): break scan
            default:
                if isFraction { exponent -= 1 }
                if byte != UInt8(ascii: "0") || !digits.isEmpty { digits.append(byte) }
            }
        }
        var power = 0
        var powerIsNegative = false
        while let byte = iterator.next() {
            switch byte {
            case UInt8(ascii: "-"): powerIsNegative = true
            case UInt8(ascii: "+"): break
            // More digits than any text has: what follows cannot make it equal to another.
            default: power = min(power * 10 + Int(byte &- UInt8(ascii: "0")), 1 << 40)
            }
        }
        exponent += powerIsNegative ? -power : power
        while digits.last == UInt8(ascii: "0") {
            digits.removeLast()
            exponent += 1
        }
        if digits.isEmpty { (isNegative, exponent) = (false, 0) }
    }

    /// The value, if it is an integer that a Double can tell from its neighbours (±(2^53−1)).
    var safeInteger: Int64? {
        guard exponent >= 0, digits.count + exponent <= 16 else { return nil }
        var value: Int64 = 0
        for digit in digits { value = value * 10 + Int64(digit &- UInt8(ascii: "0")) }
        for _ in 0..<exponent { value *= 10 }
        guard value < 1 << 53 else { return nil }
        return isNegative ? -value : value
    }
}

/// A duration as the configuration and the command line write it: `90s`, `10m`, `1h`, `1d`.
public struct DurationText: Hashable, Sendable {
    public var seconds: Int

    public init(seconds: Int) { self.seconds = seconds }

    /// Nil unless it is a whole number and one of `s`, `m`, `h`, `d`.
    public init?(_ text: String) {
        let factor: Int
        switch text.unicodeScalars.last {
        case "s": factor = 1
        case "m": factor = 60
        case "h": factor = 3600
        case "d": factor = 86_400
        default: return nil
        }
        let digits = text.utf8.dropLast()
        // Nine digits of days easily fit 64 bits.
        guard 1...9 ~= digits.count, digits.allSatisfy(\.isDecimalDigit), let count = Int(Substring(digits)) else { return nil }
        seconds = count * factor
    }
}

extension DurationText: CustomStringConvertible {
    /// In the largest unit of which it is a multiple.
    public var description: String {
        for (unit, factor) in [("d", 86_400), ("h", 3600), ("m", 60)] where seconds > 0 && seconds % factor == 0 {
            return "\(seconds / factor)\(unit)"
        }
        return "\(seconds)s"
    }
}

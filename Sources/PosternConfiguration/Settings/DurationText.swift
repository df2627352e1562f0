/// Durations as the files write them.
enum DurationText {
    /// Nil for what is not a whole number and one of `s`, `m`, `h`.
    static func seconds(_ text: String) -> Int64? {
        let factor: Int64
        switch text.last {
        case "s": factor = 1
        case "m": factor = 60
        case "h": factor = 3600
        default: return nil
        }
        let digits = text.dropLast()
        // Nine digits of hours fit 64 bits by far.
        guard 1...9 ~= digits.utf8.count, digits.utf8.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }) else { return nil }
        return Int64(digits).map { $0 * factor }
    }

    static func text(_ seconds: Int64) -> String {
        if seconds % 3600 == 0, seconds > 0 { return "\"\(seconds / 3600)h\"" }
        if seconds % 60 == 0, seconds > 0 { return "\"\(seconds / 60)m\"" }
        return "\"\(seconds)s\""
    }
}

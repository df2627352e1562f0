/// The grammar of dates and times (RFC 3339 section 5.6; TOML 1.0 requires the seconds).
enum DateTimeText {
    /// Whether it begins like a date or a time: four digits and a hyphen, or two digits and a colon.
    static func resembles(_ word: ArraySlice<UInt8>) -> Bool {
        var reader = Reader(rest: word)
        if reader.digits(4) != nil, reader.take("-") { return true }
        reader = Reader(rest: word)
        return reader.digits(2) != nil && reader.take(":")
    }

    /// Its kind; nil if it is malformed or no such date exists.
    static func kind(of word: ArraySlice<UInt8>) -> TOMLDateTime.Kind? {
        var reader = Reader(rest: word)
        guard reader.date() else {
            reader = Reader(rest: word)
            return reader.time() && reader.rest.isEmpty ? .localTime : nil
        }
        if reader.rest.isEmpty { return .localDate }
        guard reader.take("T") || reader.take("t") || reader.take(" "), reader.time() else { return nil }
        if reader.rest.isEmpty { return .localDateTime }
        return reader.offset() && reader.rest.isEmpty ? .offsetDateTime : nil
    }

    private struct Reader {
        var rest: ArraySlice<UInt8>

        mutating func take(_ character: Unicode.Scalar) -> Bool {
            guard rest.first == UInt8(ascii: character) else { return false }
            rest.removeFirst()
            return true
        }

        mutating func digits(_ count: Int) -> Int? {
            guard rest.count >= count else { return nil }
            var value = 0
            for byte in rest.prefix(count) {
                guard UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte else { return nil }
                value = value * 10 + Int(byte - UInt8(ascii: "0"))
            }
            rest.removeFirst(count)
            return value
        }

        mutating func date() -> Bool {
            guard let year = digits(4), take("-"), let month = digits(2), take("-"), let day = digits(2) else { return false }
            let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
            switch month {
            case 1, 3, 5, 7, 8, 10, 12: return 1...31 ~= day
            case 4, 6, 9, 11: return 1...30 ~= day
            case 2: return 1...(isLeap ? 29 : 28) ~= day
            default: return false
            }
        }

        mutating func time() -> Bool {
            guard let hour = digits(2), take(":"), let minute = digits(2), take(":"), let second = digits(2) else { return false }
            // 60: a leap second.
            guard hour < 24, minute < 60, second <= 60 else { return false }
            guard take(".") else { return true }
            let fraction = rest.prefix { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
            rest.removeFirst(fraction.count)
            return !fraction.isEmpty
        }

        mutating func offset() -> Bool {
            if take("Z") || take("z") { return true }
            guard take("+") || take("-"), let hour = digits(2), take(":"), let minute = digits(2) else { return false }
            return hour < 24 && minute < 60
        }
    }
}

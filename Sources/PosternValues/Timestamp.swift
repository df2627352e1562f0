/// A moment of the wall clock, in milliseconds since 1970-01-01T00:00:00Z.
public struct Timestamp: Hashable, Comparable, Sendable {
    public var milliseconds: Int64

    public init(milliseconds: Int64) { self.milliseconds = milliseconds }

    /// - Parameter seconds: seconds since 1970; values past the year 9999 are clamped, so that no arithmetic overflows.
    public init(seconds: Int64) {
        self.milliseconds = min(max(seconds, -62_135_596_800), 253_402_300_799) * 1000
    }

    /// Whole seconds since 1970, rounded down.
    public var seconds: Int64 { Self.wholeSeconds(milliseconds) }

    public static func < (left: Timestamp, right: Timestamp) -> Bool { left.milliseconds < right.milliseconds }

    /// Clamped like ``init(seconds:)``: a provider may name any number as a lifetime.
    public func adding(seconds: Int64) -> Timestamp {
        let (sum, overflow) = self.seconds.addingReportingOverflow(seconds)
        guard !overflow else { return Timestamp(seconds: seconds < 0 ? .min : .max) }
        let clamped = Timestamp(seconds: sum)
        let fraction = (milliseconds % 1000 + 1000) % 1000
        return clamped.seconds == sum ? Timestamp(milliseconds: clamped.milliseconds + fraction) : clamped
    }

    /// Also clamped.
    package func adding(milliseconds: Int64) -> Timestamp {
        let (sum, overflow) = self.milliseconds.addingReportingOverflow(milliseconds)
        guard !overflow else { return Timestamp(seconds: milliseconds < 0 ? .min : .max) }
        return Timestamp(milliseconds: min(max(sum, Timestamp(seconds: .min).milliseconds), Timestamp(seconds: .max).milliseconds))
    }

    /// Seconds from the other moment to this one, rounded down.
    public func seconds(since other: Timestamp) -> Int64 {
        let (difference, overflow) = milliseconds.subtractingReportingOverflow(other.milliseconds)
        guard !overflow else { return self < other ? .min / 1000 : .max / 1000 }
        return Self.wholeSeconds(difference)
    }

    /// Division that rounds down for negative numbers, too, for every 64-bit value.
    private static func wholeSeconds(_ milliseconds: Int64) -> Int64 {
        milliseconds / 1000 - (milliseconds % 1000 < 0 ? 1 : 0)
    }
}

extension Timestamp: CustomStringConvertible {
    /// RFC 3339 in UTC with whole seconds: `2026-11-21T06:24:00Z`.
    public var description: String {
        let days = seconds >= 0 ? seconds / 86_400 : (seconds - 86_399) / 86_400
        let second = seconds - days * 86_400
        let (year, month, day) = Self.civil(days: days)
        // In nearly every answer: digit by digit, because joining strings takes ten times as long.
        var text: [UInt8] = []
        text.reserveCapacity(20)
        func append(_ value: Int64, digits: Int, _ end: Unicode.Scalar) {
            var unit: Int64 = digits == 4 ? 1000 : 10
            for _ in 0..<digits {
                text.append(UInt8(ascii: "0") + UInt8(value / unit % 10))
                unit /= 10
            }
            text.append(UInt8(ascii: end))
        }
        if (0...9999).contains(year) { append(year, digits: 4, "-") } else { text += Array("\(year)-".utf8) }
        append(month, digits: 2, "-")
        append(day, digits: 2, "T")
        append(second / 3600, digits: 2, ":")
        append(second / 60 % 60, digits: 2, ":")
        append(second % 60, digits: 2, "Z")
        return String(decoding: text, as: UTF8.self)
    }

    /// The proleptic Gregorian date of a day number, day 0 being 1970-01-01; eras of 400 years start in March.
    private static func civil(days: Int64) -> (year: Int64, month: Int64, day: Int64) {
        let shifted = days + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        let day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
        let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day)
    }
}

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
        let date = CalendarDate(daysSince1970: days)
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
        if (0...9999).contains(date.year) { append(date.year, digits: 4, "-") } else { text += Array("\(date.year)-".utf8) }
        append(date.month, digits: 2, "-")
        append(date.day, digits: 2, "T")
        append(second / 3600, digits: 2, ":")
        append(second / 60 % 60, digits: 2, ":")
        append(second % 60, digits: 2, "Z")
        return String(decoding: text, as: UTF8.self)
    }
}

extension Timestamp {
    /// Parses what the description writes: RFC 3339 in UTC. A fraction of a second is dropped.
    ///
    /// A leap second is accepted, and so is a day that the month does not have.
    package init?(internetDate text: String) {
        let bytes = Array(text.utf8)
        let marks: [(place: Int, mark: Unicode.Scalar)] = [(4, "-"), (7, "-"), (10, "T"), (13, ":"), (16, ":")]
        guard (20...40).contains(bytes.count), bytes.last == UInt8(ascii: "Z"),
            marks.allSatisfy({ bytes[$0.place] == UInt8(ascii: $0.mark) })
        else { return nil }
        func number(_ start: Int, _ count: Int) -> Int64? {
            let digits = bytes[start..<start + count]
            guard digits.allSatisfy(\.isDecimalDigit) else { return nil }
            return digits.reduce(0) { $0 * 10 + Int64($1 - UInt8(ascii: "0")) }
        }
        let fraction = bytes[19..<bytes.count - 1]
        let isFraction = fraction.count > 1 && fraction.first == UInt8(ascii: ".") && fraction.dropFirst().allSatisfy(\.isDecimalDigit)
        guard fraction.isEmpty || isFraction,
            let year = number(0, 4), let month = number(5, 2), let day = number(8, 2), let hour = number(11, 2), let minute = number(14, 2),
            let second = number(17, 2), (1...12).contains(month), (1...31).contains(day), hour < 24, minute < 60, second <= 60
        else { return nil }
        let days = CalendarDate(year: year, month: month, day: day).daysSince1970
        self.init(seconds: days * 86_400 + hour * 3600 + minute * 60 + second)
    }
}

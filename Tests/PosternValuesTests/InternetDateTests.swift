import Testing

@testable import PosternValues

@Suite("A moment of RFC 3339")
struct InternetDateTests {
    @Test(
        "is read, with or without a fraction of a second",
        arguments: [
            ("1970-01-01T00:00:00Z", 0), ("1969-12-31T23:59:59Z", -1), ("2027-01-15T08:00:00Z", 1_800_000_000), ("2024-02-29T23:59:60Z", 1_709_251_200),
            ("2024-02-29T23:59:59Z", 1_709_251_199), ("2000-03-01T00:00:00Z", 951_868_800), ("2100-02-28T12:00:00Z", 4_107_499_200), ("0001-01-01T00:00:00Z", -62_135_596_800),
            ("9999-12-31T23:59:59Z", 253_402_300_799), ("2023-02-31T00:00:00Z", 1_677_801_600),
        ])
    func read(text: String, seconds: Int64) {
        #expect(Timestamp(internetDate: text) == Timestamp(seconds: seconds))
        for fraction in [".0Z", ".123456789Z"] { #expect(Timestamp(internetDate: text.dropLast() + fraction) == Timestamp(seconds: seconds)) }
    }

    @Test(
        "is nothing else",
        arguments: [
            "", "Z", "2027-01-15", "2027-01-15T08:00:00", "2027-01-15T08:00:00+01:00", "2027-01-15T08:00:00.x1Z", "2027-01-15T08:00:00.Z", "2027-01-15T08:00:00,5Z",
            "2027-13-15T08:00:00Z", "2027-00-15T08:00:00Z", "2027-01-32T08:00:00Z", "2027-01-00T08:00:00Z", "2027-01-15T24:00:00Z", "2027-01-15T08:60:00Z",
            "2027-01-15T08:00:61Z", "2027-01-15t08:00:00Z", "2027-01-15 08:00:00Z", "-027-01-15T08:00:00Z", "2027-01-15T08:00:00.1234567890123456789012345678Z",
        ])
    func notRead(text: String) { #expect(Timestamp(internetDate: text) == nil) }

    @Test("is what the description writes, and its date the one of the calendar")
    func description() {
        for day in stride(from: Int64(-719_162), through: 2_932_896, by: 997) {
            let moment = Timestamp(seconds: day * 86_400 + 12_345)
            #expect(Timestamp(internetDate: "\(moment)") == moment)
            let date = CalendarDate(daysSince1970: day)
            #expect(date.daysSince1970 == day && (1...12).contains(date.month) && (1...31).contains(date.day))
            let next = CalendarDate(daysSince1970: day + 1)
            #expect(next.day == date.day + 1 || next.day == 1 && (next.month == date.month + 1 || next.month == 1 && next.year == date.year + 1))
        }
    }
}

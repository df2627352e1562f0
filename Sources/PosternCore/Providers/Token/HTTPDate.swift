/// A date in an HTTP header (RFC 9110 section 5.6.7).
enum HTTPDate {
    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

    /// Parses the format that servers must send: `Sun, 06 Nov 1994 08:49:37 GMT`. The two obsolete formats are not read: a date only serves
    /// to wait for a more suitable time than the usual one.
    static func parse(_ text: some StringProtocol) -> Timestamp? {
        let words = text.parts(separator: " ")
        guard words.count == 6, words[5] == "GMT", words[0].ends(with: ","),
            let day = number(words[1], digits: 2), (1...31).contains(day),
            let month = months.firstIndex(of: String(words[2])), let year = number(words[3], digits: 4)
        else { return nil }
        let clock = words[4].parts(separator: ":", omittingEmptySubsequences: false)
        guard clock.count == 3, let hour = number(clock[0], digits: 2), hour < 24,
            let minute = number(clock[1], digits: 2), minute < 60, let second = number(clock[2], digits: 2), second <= 60
        else { return nil }
        let days = CalendarDate(year: year, month: Int64(month) + 1, day: day).daysSince1970
        return Timestamp(seconds: days * 86_400 + hour * 3600 + minute * 60 + second)
    }

    private static func number(_ text: some StringProtocol, digits: Int) -> Int64? {
        guard text.utf8.count == digits, text.utf8.allSatisfy(\.isDecimalDigit) else { return nil }
        return Int64(text)
    }
}

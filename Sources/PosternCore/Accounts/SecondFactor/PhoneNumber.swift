/// A phone number in the international format (ITU-T E.164): a plus sign, the country code, the national number.
public struct PhoneNumber: Sendable, Hashable {
    /// `+819012345678`
    public let text: String

    /// Accepts only `+` and 7 to 15 digits, the first of them not 0: each number has one text.
    public init?(_ text: String) {
        let digits = text.utf8.dropFirst()
        guard text.utf8.first == UInt8(ascii: "+"), 7...15 ~= digits.count, digits.first != UInt8(ascii: "0"),
            digits.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 })
        else { return nil }
        self.text = text
    }

    /// Enough to recognise one's own number: the country and the last digits. Always of the same length, so as not to reveal the number's.
    public var masked: String {
        let digits = text.dropFirst()
        let country = digits.prefix(Self.countryCodeLength(digits))
        let national = digits.dropFirst(country.count)
        // The last four digits could be a very short number's only ones.
        return "+\(country) ***-***-\(national.suffix(min(4, national.count / 2)))"
    }

    /// What may be shown of a number from an authority: a whole one is masked, one that the authority has masked is left as it is.
    ///
    /// - Returns: nil for anything else, and for a text that shows more than a masked number does.
    public static func shown(_ text: String) -> String? {
        if let number = PhoneNumber(text) { return number.masked }
        let isMasked = text.utf8.count <= 32 && text.begins(with: "+") && text.unicodeScalars.contains("*")
        let digits = text.utf8.dropFirst().filter { $0 != UInt8(ascii: "*") }
        guard isMasked, digits.count <= 7, digits.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }) else { return nil }
        return text
    }

    /// ITU-T E.164 (2016 list): only `1` and `7` have one digit; these have two, the others three.
    private static func countryCodeLength(_ digits: Substring) -> Int {
        if digits.begins(with: "1") || digits.begins(with: "7") { return 1 }
        return twoDigitCodes.contains(String(digits.prefix(2))) ? 2 : 3
    }

    private static let twoDigitCodes: Set<String> = [
        "20", "27", "30", "31", "32", "33", "34", "36", "39", "40", "41", "43", "44", "45", "46", "47", "48", "49", "51", "52", "53",
        "54", "55", "56", "57", "58", "60", "61", "62", "63", "64", "65", "66", "81", "82", "84", "86", "90", "91", "92", "93", "94",
        "95", "98",
    ]
}

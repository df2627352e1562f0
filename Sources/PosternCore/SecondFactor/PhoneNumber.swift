/// A phone number in its international form (ITU-T E.164): a plus sign, the country's code, the number there.
public struct PhoneNumber: Sendable, Hashable {
    /// `+819012345678`
    public let text: String

    /// Takes `+` and 7 to 15 digits, the first of them none of 0, and nothing else: one number has one text.
    public init?(_ text: String) {
        let digits = text.utf8.dropFirst()
        guard text.utf8.first == UInt8(ascii: "+"), 7...15 ~= digits.count, digits.first != UInt8(ascii: "0"),
            digits.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 })
        else { return nil }
        self.text = text
    }

    /// Enough to know one's own number again: the country and the last digits. Always as long, so that the length is not told.
    public var masked: String {
        let digits = text.dropFirst()
        let country = digits.prefix(Self.countryCodeLength(digits))
        let national = digits.dropFirst(country.count)
        // Of a very short number the last four digits would be all of it.
        return "+\(country) ***-***-\(national.suffix(min(4, national.count / 2)))"
    }

    /// What may be told of a number as an authority keeps it: a whole one masked, one that the authority has masked itself as it is.
    ///
    /// - Returns: nil for anything else, and for what shows more than a masked number does.
    public static func shown(_ text: String) -> String? {
        if let number = PhoneNumber(text) { return number.masked }
        let isMasked = text.utf8.count <= 32 && text.hasPrefix("+") && text.contains("*")
        let digits = text.utf8.dropFirst().filter { $0 != UInt8(ascii: "*") }
        guard isMasked, digits.count <= 7, digits.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }) else { return nil }
        return text
    }

    /// ITU-T E.164 (2016 list): `1` and `7` alone have one digit; these have two, the others three.
    private static func countryCodeLength(_ digits: Substring) -> Int {
        if digits.hasPrefix("1") || digits.hasPrefix("7") { return 1 }
        return twoDigitCodes.contains(String(digits.prefix(2))) ? 2 : 3
    }

    private static let twoDigitCodes: Set<String> = [
        "20", "27", "30", "31", "32", "33", "34", "36", "39", "40", "41", "43", "44", "45", "46", "47", "48", "49", "51", "52", "53",
        "54", "55", "56", "57", "58", "60", "61", "62", "63", "64", "65", "66", "81", "82", "84", "86", "90", "91", "92", "93", "94",
        "95", "98",
    ]
}

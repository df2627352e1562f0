/// A language of the pages, by its BCP 47 tag.
public enum PageLanguage: String, Sendable, CaseIterable {
    case english = "en"
    case japanese = "ja"
    case italian = "it"

    var strings: any PageStrings {
        switch self {
        case .english: EnglishStrings()
        case .japanese: JapaneseStrings()
        case .italian: ItalianStrings()
        }
    }
}

extension PageLanguage {
    /// A browser sends a dozen; further ones are ignored.
    private static let maximumRanges = 32

    /// The language that fits best (RFC 9110 section 12.5.4).
    ///
    /// - Parameters:
    ///   - header: `Accept-Language`: `it-IT, it;q=0.9, en;q=0.8`.
    ///   - offered: the languages to choose from. If nothing fits, English if it is among them, else the first.
    static func preferred(by header: String?, among offered: [PageLanguage]) -> PageLanguage {
        let fallback = offered.contains(.english) ? .english : offered.first ?? .english
        var best: (language: PageLanguage, weight: Int)?
        for range in (header ?? "").parts(separator: ",").prefix(maximumRanges) {
            let parts = range.parts(separator: ";").map { String($0).keeping { $0 != " " && $0 != "\t" }.lowercased() }
            guard let tag = parts.first, let weight = Self.weight(parts.dropFirst()), weight > 0 else { continue }
            let primary = tag.parts(separator: "-").first.map(String.init) ?? tag
            let language = primary == "*" ? fallback : PageLanguage(rawValue: primary)
            guard let language, offered.contains(language), weight > best?.weight ?? 0 else { continue }
            best = (language, weight)
        }
        return best?.language ?? fallback
    }

    /// `q=0.8` in thousandths; 1000 without one, nil if it is not a weight (RFC 9110 section 12.4.2).
    private static func weight(_ parameters: ArraySlice<String>) -> Int? {
        guard let parameter = parameters.first(where: { $0.begins(with: "q=") }) else { return 1000 }
        let digits = Substring(parameter.utf8.dropFirst(2)).parts(separator: ".", omittingEmptySubsequences: false)
        guard (1...2).contains(digits.count), let whole = Int(digits[0]), (0...1).contains(whole), digits[0].count == 1 else { return nil }
        guard digits.count == 2 else { return whole * 1000 }
        let fraction = digits[1]
        guard fraction.count <= 3, fraction.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        let thousandths = Int(fraction + String(repeating: "0", count: 3 - fraction.count)) ?? 0
        return min(whole * 1000 + thousandths, 1000)
    }
}

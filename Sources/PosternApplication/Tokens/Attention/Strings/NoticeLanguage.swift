/// A language of the notices, by its BCP 47 tag; the pages have the same languages.
enum NoticeLanguage: String, Sendable, CaseIterable {
    case english = "en"
    case japanese = "ja"
    case italian = "it"

    var strings: any NoticeStrings {
        switch self {
        case .english: EnglishNoticeStrings()
        case .japanese: JapaneseNoticeStrings()
        case .italian: ItalianNoticeStrings()
        }
    }

    /// The language that fits best.
    ///
    /// - Parameter offered: the tags that may be chosen (`[sign-in] languages`). If nothing fits, English if it is among them, else the
    ///   first, as for the pages.
    static func preferred(by person: PersonLanguages, among offered: [String]) -> NoticeLanguage {
        let offered = offered.compactMap(NoticeLanguage.init(rawValue:))
        let wanted = person.tags.compactMap(NoticeLanguage.init(rawValue:)).first { offered.contains($0) }
        return wanted ?? (offered.contains(.english) ? .english : offered.first ?? .english)
    }
}

/// The languages that the user reads, best first, by the daemon's environment. A browser sends them with each request; a desktop does not.
public struct PersonLanguages: Sendable, Equatable {
    /// Nobody names more; further names are ignored.
    private static let mostNames = 32

    /// Without countries, in lower case.
    public let tags: [String]

    /// As gettext reads it: `LANGUAGE` names several, and counts only if there is a locale with a language at all.
    public init(environment: [String: String]) {
        let locale = ["LC_ALL", "LC_MESSAGES", "LANG"].lazy.compactMap { environment[$0] }.first { !$0.isEmpty } ?? "C"
        let tag = Self.tag(locale)
        guard !["c", "posix"].contains(tag) else {
            tags = []
            return
        }
        let names = (environment["LANGUAGE"] ?? "").parts(separator: ":").prefix(Self.mostNames).map { Self.tag(String($0)) }
        tags = names + [tag]
    }

    /// `ja` of `ja_JP.UTF-8`.
    private static func tag(_ locale: String) -> String { locale.before { "_-.@".unicodeScalars.contains($0) }.lowercased() }
}

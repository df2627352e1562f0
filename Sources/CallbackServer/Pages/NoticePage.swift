extension Page {
    /// A page that says what is wrong and what to try. It repeats nothing from the request.
    ///
    /// - Parameter detail: a sentence for the person who has to fix it.
    static func notice(_ notice: Notice, status: Int, strings: any PageStrings, detail: String? = nil) -> Page {
        let text = strings.notice(notice)
        var rest = HTML.empty
        if let detail = OutsideText(detail, limit: 600) { rest += "<blockquote><p>\(detail)</p></blockquote>\n" }
        rest += "<p>\(text.advice)</p>\n"
        return Page(
            status: status, strings: strings,
            section: PageSection(
                mark: notice.isMishap ? .bad : .plain, heading: text.heading, message: text.explanation,
                announcement: notice.isMishap ? .alert : .status, rest: rest))
    }
}

extension Notice {
    /// The others are not failures: someone opened an address.
    fileprivate var isMishap: Bool {
        switch self {
        case .noResultAsked, .notFound, .resultUnknown, .signedOut, .linkUsed: false
        case .notRecognised, .malformed, .wrongMethod, .wrongHost, .notEncrypted, .notNavigated, .timedOut, .tooLarge,
            .storeLocked, .storeUnusable, .configurationInvalid, .failed:
            true
        }
    }
}

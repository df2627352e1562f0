extension Page {
    /// A page that says what is the matter and what to try. Nothing of the request is repeated in it.
    static func notice(_ notice: Notice, status: Int, strings: any PageStrings) -> Page {
        let text = strings.notice(notice)
        return Page(
            status: status, strings: strings,
            section: PageSection(
                mark: notice.isMishap ? .bad : .plain, heading: text.heading, message: text.explanation,
                announcement: notice.isMishap ? .alert : .status, rest: "<p>\(text.advice)</p>\n"))
    }
}

extension Notice {
    /// The others are nobody's misfortune: someone looked at an address.
    fileprivate var isMishap: Bool {
        switch self {
        case .noResultAsked, .notFound, .resultUnknown, .signedOut, .linkUsed: false
        case .notRecognised, .malformed, .wrongMethod, .wrongHost, .notEncrypted, .notNavigated, .timedOut, .tooLarge,
            .storeClosed, .failed:
            true
        }
    }
}

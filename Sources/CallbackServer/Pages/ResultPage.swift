import PosternCore

extension Page {
    /// The result of a sign-in, or that it is not ready yet.
    static func result(_ state: ResultPageState, strings: any PageStrings) -> Page {
        switch state {
        case .unknown: .notice(.resultUnknown, status: 404, strings: strings)
        case .finishing(let providerName):
            finishing(provider: OutsideText(name: providerName, or: strings.providerFallback), strings: strings)
        case .completed(let summary): completed(summary, strings: strings)
        case .failed(let summary, let failure): failed(summary, failure, strings: strings)
        }
    }

    private static func finishing(provider: OutsideText, strings: any PageStrings) -> Page {
        var page = Page(
            status: 200, strings: strings,
            section: PageSection(
                mark: .turning, heading: strings.finishingHeading, message: strings.finishingExplanation(provider: provider)))
        // The answer to the next request waits for the outcome, so the page does not flicker.
        page.head = "<meta http-equiv=\"refresh\" content=\"1\">\n"
        return page
    }

    private static func completed(_ summary: ResultSummary, strings: any PageStrings) -> Page {
        let provider = OutsideText(name: summary.providerName, or: strings.providerFallback)
        let situation = PageSituation(summary, strings: strings)
        var rows = HTML.empty
        if let account = account(name: OutsideText(summary.displayName), detail: OutsideText(summary.email)) {
            rows += row(strings.accountLabel, account)
        }
        rows += row(strings.providerLabel(summary.purpose), "\(provider)")
        if summary.purpose == .link, let user = situation.user { rows += row(strings.linkedToLabel, "\(user)") }
        rows += programs(summary, strings: strings)
        let review = summary.review
        let asks = review.map { $0.links.contains(where: \.status.isOpen) } ?? false
        var page = Page(
            status: 200, strings: strings,
            section: PageSection(
                mark: .good, heading: strings.completedHeading(summary.purpose), message: strings.completedExplanation(situation),
                rest: """
                    <dl>
                    \(rows)</dl>
                    \(review.map { links($0, strings: strings) } ?? .empty)\(asks ? .empty : "<p>\(strings.mayCloseTab)</p>" as HTML)
                    <p class="quiet">\(strings.notYou(provider: provider))</p>

                    """))
        page.policy = ContentSecurityPolicy(postsForm: asks)
        return page
    }

    /// Accounts that programs linked, each with what the user can say about it, or has said.
    private static func links(_ review: ResultSummary.Review, strings: any PageStrings) -> HTML {
        var rows = HTML.empty
        for (index, link) in review.links.enumerated() {
            let provider = OutsideText(name: link.providerName, or: strings.providerFallback)
            var value = account(name: OutsideText(link.displayName), detail: OutsideText(link.name)) ?? .empty
            if let email = OutsideText(link.email) { value += "<span>\(email)</span>" }
            if let at = link.at { value += "<span>\(strings.linkedAt("\(at.minute)"))</span>" }
            value += answer(to: link, index, on: review.pageID, strings: strings)
            rows += "<div><dt>\(provider)</dt><dd>\(value)</dd></div>\n"
        }
        return """
            <section aria-labelledby="links">
            <h2 id="links">\(strings.linksHeading(review.links.count))</h2>
            <p>\(strings.linksExplanation(areLost: review.links.contains(where: \.isLost)))</p>
            <dl>
            \(rows)</dl>
            </section>

            """
    }

    private static func answer(
        to link: ResultSummary.Link, _ index: Int, on pageID: String, strings: any PageStrings
    ) -> HTML {
        let said: HTML = "<span class=\"answer\">\(strings.linkAnswer(link.status, isLost: link.isLost))</span>"
        guard link.status.isOpen else { return said }
        var form: HTML = """
            <form method="post" action="\(CallbackRoute.resultPath)">\
            <input type="hidden" name="page" value="\(pageID)"><input type="hidden" name="link" value="\(index)">
            """
        let provider = OutsideText(name: link.providerName, or: strings.providerFallback).text
        for answer in LinkReview.Answer.allCases {
            form += """
                <button name="answer" value="\(answer.rawValue)" aria-label="\(strings.linkButton(answer)): \(provider)">\
                \(strings.linkButton(answer))</button>
                """
        }
        form += "</form>"
        return link.status == .notSaved ? "\(said)\(form)" : form
    }

    private static func row(_ label: String, _ value: HTML) -> HTML { "<div><dt>\(label)</dt><dd>\(value)</dd></div>\n" }

    private static func account(name: OutsideText?, detail: OutsideText?) -> HTML? {
        guard let first = name ?? detail else { return nil }
        guard let detail, detail != first else { return "\(first)" }
        return "\(first)<span>\(detail)</span>"
    }

    /// Every program that waits for this sign-in.
    private static func programs(_ summary: ResultSummary, strings: any PageStrings) -> HTML {
        let programs = ([summary.programName] + summary.otherPrograms).compactMap { OutsideText(name: $0) }
        var line = HTML.empty
        for (index, program) in programs.enumerated() {
            if index > 0 { line += " · " }
            line += "\(program)"
        }
        return programs.isEmpty ? .empty : row(strings.programLabel, line)
    }

    /// Separated by a sign that every language has; lists with "or" differ too much.
    private static func ways(_ ways: [ResultSummary.Way], strings: any PageStrings) -> HTML? {
        var line = HTML.empty
        for (index, way) in ways.enumerated() {
            if index > 0 { line += " · " }
            switch way {
            case .provider(let name): line += "\(OutsideText(name: name, or: strings.providerFallback))"
            case .password: line += "\(strings.passwordName)"
            }
        }
        return ways.isEmpty ? nil : line
    }

    private static func failed(_ summary: ResultSummary, _ failure: FailurePage, strings: any PageStrings) -> Page {
        let provider = OutsideText(name: summary.providerName, or: strings.providerFallback)
        let text = strings.failure(failure, PageSituation(summary, strings: strings))
        var rest = HTML.empty
        if let asked = OutsideText(summary.askedFor), let signedIn = OutsideText(summary.displayName) {
            rest += "<dl>\n\(row(strings.accountLabel, "\(signedIn)"))\(row(strings.askedForLabel, "\(asked)"))</dl>\n"
        }
        if failure == .refused(.accountExists),
            let account = account(name: OutsideText(summary.displayName), detail: OutsideText(summary.email))
        {
            let ways = ways(summary.ownersWays, strings: strings)
            rest += "<dl>\n\(row(strings.accountLabel, account))\(ways.map { row(strings.ownersWaysLabel, $0) } ?? .empty)</dl>\n"
        }
        if failure == .refused(.providerAlreadyLinked), let linked = OutsideText(summary.linkedAccount) {
            let returned = account(name: OutsideText(summary.displayName), detail: OutsideText(summary.email))
            rest +=
                "<dl>\n\(row(strings.alreadyLinkedLabel, "\(linked)"))\(returned.map { row(strings.accountLabel, $0) } ?? .empty)</dl>\n"
        }
        if !summary.otherPrograms.isEmpty { rest += "<dl>\n\(programs(summary, strings: strings))</dl>\n" }
        if let message = OutsideText(summary.providerMessage, limit: 300) {
            rest += "<blockquote><p>\(strings.providerSays(provider: provider))</p><p>\(message)</p></blockquote>\n"
        }
        rest += "<p>\(text.advice)</p>\n<p class=\"quiet\">\(strings.mayCloseTab)</p>\n"
        return Page(
            status: 200, strings: strings,
            section: PageSection(
                mark: failure.isMishap ? .bad : .plain, heading: text.heading, message: text.explanation,
                announcement: failure.isMishap ? .alert : .status, rest: rest))
    }
}

extension PageSituation {
    fileprivate init(_ summary: ResultSummary, strings: any PageStrings) {
        self.init(
            purpose: summary.purpose, provider: OutsideText(name: summary.providerName, or: strings.providerFallback),
            program: OutsideText(name: summary.programName), user: OutsideText(summary.userName),
            providerID: OutsideText(summary.providerID))
    }
}

extension Timestamp {
    /// `2026-02-03 10:00 UTC`: the browser's time zone is not known here.
    fileprivate var minute: String {
        let text = "\(self)"
        let (day, time) = (text.utf8.prefix(10), text.utf8.dropFirst(11).prefix(5))
        return "\(String(decoding: day, as: UTF8.self)) \(String(decoding: time, as: UTF8.self)) UTC"
    }
}

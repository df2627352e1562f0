import Foundation
import LoopbackHTTP
import PosternCore
import Testing

@testable import CallbackServer

@Suite("Pages")
struct PageTests {
    private static let hostile = #"</title><script>alert(1)</script>"'&\u{202E}evil\#u{202E}\#u{2066}\#u{0}\#u{7}<img src=x onerror=y>"#
    private static let hostileSummary = ResultSummary(
        providerName: hostile, programName: hostile, otherPrograms: [hostile], displayName: hostile, email: hostile, providerMessage: hostile,
        askedFor: hostile, linkedAccount: hostile)
    private static let summary = ResultSummary(
        providerName: "GitHub", programName: "my-app", displayName: "Ada Lovelace", email: "ada@example.com", providerMessage: "No & no")

    @Test("name every program that waits on them", arguments: PageLanguage.allCases)
    func programs(language: PageLanguage) {
        var summary = ResultSummary(providerName: "Work", programName: "git", displayName: "Ada")
        summary.otherPrograms = ["kubectl", "my-<app>"]
        for state in [ResultPageState.completed(summary), .failed(summary, .provider(.denied)), .failed(summary, .provider(.foreignAnswer))] {
            let text = Page.result(state, strings: language.strings).html.text
            #expect(text.contains("<bdi>git</bdi> · <bdi>kubectl</bdi> · <bdi>my-&lt;app&gt;</bdi>"))
        }
    }

    @Test("say what an account was linked to, and who is still signed in", arguments: PageLanguage.allCases)
    func purposes(language: PageLanguage) {
        var summary = ResultSummary(providerName: "GitHub", programName: "my-app", displayName: "octo", purpose: .link)
        summary.userName = "Ada <Lovelace>"
        let linked = Page.result(.completed(summary), strings: language.strings).html.text
        #expect(linked.contains("octo") && linked.contains("Ada &lt;Lovelace&gt;") && linked.contains("my-app"))
        summary.purpose = .reauthenticate
        let confirmed = Page.result(.completed(summary), strings: language.strings).html.text
        #expect(confirmed.contains("Ada &lt;Lovelace&gt;"))
        summary.purpose = .signIn
        #expect(!Page.result(.completed(summary), strings: language.strings).html.text.contains("Lovelace"))
    }

    @Test("name the account that is linked, where another one cannot be", arguments: PageLanguage.allCases)
    func alreadyLinked(language: PageLanguage) {
        var summary = ResultSummary(providerName: "GitHub", displayName: "octo")
        #expect(!Page.result(.failed(summary, .refused(.providerAlreadyLinked)), strings: language.strings).html.text.contains("octo"))
        summary.linkedAccount = "ada@example.com <x>"
        let text = Page.result(.failed(summary, .refused(.providerAlreadyLinked)), strings: language.strings).html.text
        #expect(text.contains("octo") && text.contains("ada@example.com &lt;x&gt;") && text.contains(language.strings.alreadyLinkedLabel))
        #expect(!Page.result(.failed(summary, .refused(.credentialInUse)), strings: language.strings).html.text.contains("ada@example.com"))
    }

    /// With a question in each state.
    private static func asking(_ summary: ResultSummary) -> ResultSummary {
        var summary = summary
        let statuses: [LinkReview.Status] = [.open, .notSaved, .answered(.keep), .answered(.remove), .over]
        summary.review = ResultSummary.Review(
            pageID: "page-1",
            links: statuses.map { status in
                ResultSummary.Link(
                    providerName: summary.providerName, displayName: summary.displayName ?? "7", name: summary.displayName ?? "7",
                    email: summary.email, at: Timestamp(seconds: 1_800_000_000), isLost: false, status: status)
            })
        return summary
    }

    /// Every page there is, in one language.
    static func all(_ language: PageLanguage) -> [(name: String, page: Page)] {
        let strings = language.strings
        var pages: [(String, Page)] = [("fragment", .fragment(strings: strings))]
        pages += Notice.allCases.map { ("notice-\($0)", .notice($0, status: 400, strings: strings)) }
        for (name, summary) in [("", summary), ("-hostile", hostileSummary), ("-bare", ResultSummary(providerName: ""))] {
            pages.append(("completed" + name, .result(.completed(summary), strings: strings)))
            pages.append(("asking" + name, .result(.completed(asking(summary)), strings: strings)))
            pages.append(("finishing" + name, .result(.finishing(providerName: summary.providerName), strings: strings)))
            for purpose in ResultSummary.Purpose.allCases {
                var summary = summary
                (summary.purpose, summary.userName) = (purpose, summary.displayName)
                summary.ownersWays = [.provider(name: summary.providerName), .password]
                if purpose != .signIn { pages.append(("completed-\(purpose)" + name, .result(.completed(summary), strings: strings))) }
                pages += FailurePage.allCases.map { ("failed-\($0)-\(purpose)" + name, .result(.failed(summary, $0), strings: strings)) }
            }
        }
        return pages
    }

    @Test(
        "are well formed, name their language, and have a title, one visible heading and a message to announce",
        arguments: PageLanguage.allCases)
    func wellFormed(language: PageLanguage) throws {
        for (name, page) in Self.all(language) {
            let html = page.html.text
            #expect(html.hasPrefix("<!DOCTYPE html>\n<html lang=\"\(language.rawValue)\">"), "\(name)")
            try HTMLCheck.check(html, name: name)
            #expect(html.components(separatedBy: "<title>").count == 2, "\(name)")
            // A script may show another section, and names that one itself.
            let heading = try #require(html.components(separatedBy: "<h1>").dropFirst().first?.components(separatedBy: "</h1>").first)
            #expect(html.contains("<title>\(heading) · Postern</title>"), "\(name)")
            #expect(html.components(separatedBy: "<h1>").count == (name == "fragment" ? 4 : 2), "\(name)")
            #expect(html.contains("role=\"status\"") || html.contains("role=\"alert\""), "\(name)")
            #expect(html.contains("name=\"viewport\""), "\(name)")
        }
    }

    @Test("fetch nothing from anywhere else", arguments: PageLanguage.allCases)
    func selfContained(language: PageLanguage) {
        for (name, page) in Self.all(language) {
            let html = page.html.text
            for forbidden in ["http://", "https://", "//", "@import", "url(", " style=", " onclick", "<iframe", "<img", "<a "] {
                #expect(!html.contains(forbidden), "\(name): \(forbidden)")
            }
        }
    }

    @Test("escape foreign text, and let it neither hide nor reverse other text", arguments: PageLanguage.allCases)
    func escaping(language: PageLanguage) {
        for (name, page) in Self.all(language) where name.hasSuffix("-hostile") {
            let html = page.html.text
            #expect(!html.contains("<script>alert") && !html.contains("<img"), "\(name)")
            for scalar in html.unicodeScalars where scalar != "\n" {
                #expect(
                    scalar.properties.generalCategory != .control && scalar.properties.generalCategory != .format,
                    "\(name): \(scalar.value)")
            }
        }
    }

    @Test("a decision of the user is reported calmly; the red mark and the alert are for errors", arguments: FailurePage.allCases)
    func calm(failure: FailurePage) {
        let refusals: [AccountRefusal.Page] = [
            .accountExists, .credentialInUse, .emailInUse, .providerAlreadyLinked, .secondFactorRequired, .accountNotConfirmed,
        ]
        let isDecision = ([.provider(.denied), .ended(.cancelled)] + refusals.map(FailurePage.refused)).contains(failure)
        let html = Page.result(.failed(Self.summary, failure), strings: EnglishStrings()).html.text
        #expect(html.contains(#"class="mark plain""#) == isDecision && html.contains(#"class="mark bad""#) != isDecision)
        #expect(html.contains(#"role="status""#) == isDecision && html.contains(#"role="alert""#) != isDecision)
    }

    @Test("are all different from one language to another")
    func translated() {
        let texts = PageLanguage.allCases.map { language in Self.all(language).map { (name: $0.name, text: $0.page.content.text) } }
        for (index, page) in texts[0].enumerated() {
            #expect(Set(texts.map { $0[index].text }).count == texts.count, "\(page.name)")
        }
    }

    @Test("the policy's hashes are those of the style sheet and the script")
    func hashes() throws {
        #expect(PageStyle.hash == (try HTMLCheck.sha256(PageStyle.sheet.text)))
        #expect(FragmentPage.hash == (try HTMLCheck.sha256(FragmentPage.script.text)))
        // The browser hashes what stands between the tags.
        #expect(Page.fragment(strings: EnglishStrings()).html.text.contains("<style>\(PageStyle.sheet.text)</style>"))
        #expect(Page.fragment(strings: EnglishStrings()).html.text.contains("<script>\(FragmentPage.script.text)</script>"))
    }

    @Test("colours of text on their grounds have a contrast of at least 4.5 to 1", arguments: [0, 1])
    func contrast(scheme: Int) throws {
        let blocks = PageStyle.sheet.text.components(separatedBy: ":root {").dropFirst().map { $0.components(separatedBy: "}")[0] }
        let sheet = try #require(blocks.dropFirst(scheme).first)
        func luminance(_ name: String) throws -> Double {
            let text = try #require(sheet.components(separatedBy: "--\(name): #").dropFirst().first?.prefix(6))
            let value = try #require(UInt32(text, radix: 16))
            let channels: [Double] = [16, 8, 0].map { (shift: UInt32) -> Double in
                let channel = Double((value >> shift) & 255) / 255
                return channel <= 0.04045 ? channel / 12.92 : pow((channel + 0.055) / 1.055, 2.4)
            }
            return 0.2126 * channels[0] + 0.7152 * channels[1] + 0.0722 * channels[2]
        }
        for (text, ground) in [
            ("text", "card"), ("quiet", "card"), ("quiet", "ground"), ("text", "code"), ("good", "good-ground"), ("bad", "bad-ground"),
            ("plain", "plain-ground"),
        ] {
            let pair = try [luminance(text), luminance(ground)].sorted()
            #expect((pair[1] + 0.05) / (pair[0] + 0.05) >= 4.5, "\(text) on \(ground)")
        }
    }

    @Test(
        "a text from outside is cleaned and shortened",
        arguments: [
            ("Ada", "Ada"), ("  a \n\t b  ", "a b"), ("a\u{0}\u{8}b", "ab"), ("\u{202E}abc\u{202C}", "abc"), ("a\u{200B}\u{FEFF}b", "ab"),
            ("\u{2066}\u{2069}", nil), ("", nil), (" \n ", nil), ("👩\u{200D}💻", "👩\u{200D}💻"), ("a\u{2028}b", "a b"), ("日本", "日本"),
            ("\u{E000}x", "x"), ("שלום", "שלום"),
            (String(repeating: "a", count: 120), String(repeating: "a", count: 120)),
            (String(repeating: "a", count: 121), String(repeating: "a", count: 120) + "…"),
            ("e" + String(repeating: "\u{301}", count: 5000), "e" + String(repeating: "\u{301}", count: 119) + "…"),
            (String(repeating: "\u{200B}", count: 1_000_000) + "x", nil),
        ] as [(String, String?)])
    func outsideText(outside: String, expected: String?) {
        #expect(OutsideText(outside)?.text == expected)
    }
}

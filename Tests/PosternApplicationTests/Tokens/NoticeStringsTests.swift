import PosternCore
import Testing

@testable import PosternApplication

@Suite("What notices say, in each language")
struct NoticeStringsTests {
    private static let end = Timestamp(seconds: 1_800_000_000)
    private static let reasons: [CredentialStatus.Reason] = [
        .refused("<provider's words>"), .refreshTokenExpired(at: end), .accessTokenExpired(at: end), .scopesMissing(["<provider's words>"]),
        .providerChanged, .tokenRefused("<provider's words>"),
    ]

    private static func texts(_ strings: any NoticeStrings) -> [String] {
        [
            strings.signIn, strings.signInNeeded(provider: "Example"), strings.endsSoon(provider: "Example"), strings.usableUntil(end),
            strings.worksAgain(provider: "Example"), strings.run("postern sign-in work", instead: true),
            strings.run("postern sign-in work", instead: false), strings.moreWanted(provider: "Example"), strings.wanted("admin"),
            strings.firstSignIn(provider: "Example"), strings.programWaits(),
        ] + reasons.map(strings.reason)
    }

    @Test("Each has each text, of its own, and none has the provider's words", arguments: NoticeLanguage.allCases)
    func complete(language: NoticeLanguage) {
        let texts = Self.texts(language.strings)
        #expect(texts.allSatisfy { !$0.isEmpty && !$0.contains("<") })
        for other in NoticeLanguage.allCases where other != language {
            for (one, another) in zip(texts, Self.texts(other.strings)) { #expect(one != another) }
        }
        #expect(texts.count { $0.contains("Example") } == 5 && texts.count { $0.contains("postern sign-in work") } == 2)
        #expect(texts.contains { $0.contains("\(Self.end)") })
    }

    @Test("They are those that the configuration knows")
    func known() { #expect(NoticeLanguage.allCases.map(\.rawValue).sorted() == ["en", "it", "ja"]) }

    @Test(
        "The person's languages are the locale's, as gettext reads it",
        arguments: [
            ([:], []), (["LANG": "ja_JP.UTF-8"], ["ja"]), (["LANG": "it_CH@euro"], ["it"]), (["LANG": "C.UTF-8"], []), (["LANG": "POSIX"], []),
            (["LANG": "en_GB", "LC_MESSAGES": "it_IT"], ["it"]), (["LANG": "en_GB", "LC_MESSAGES": "it_IT", "LC_ALL": "ja_JP"], ["ja"]),
            (["LC_ALL": "", "LANG": "it"], ["it"]), (["LANG": "en_US", "LANGUAGE": "de:ja_JP:en"], ["de", "ja", "en", "en"]),
            (["LANG": "C", "LANGUAGE": "ja"], []), (["LANG": ""], []),
        ] as [([String: String], [String])])
    func locale(environment: [String: String], tags: [String]) { #expect(PersonLanguages(environment: environment).tags == tags) }

    @Test("An endless list is not read completely")
    func long() {
        let names = Array(repeating: "de", count: 10_000).joined(separator: ":")
        #expect(PersonLanguages(environment: ["LANG": "it", "LANGUAGE": names]).tags.count == 33)
    }

    @Test(
        "The first that the configuration offers is spoken, else English, else the first one offered",
        arguments: [
            (["LANG": "ja"], ["en", "ja"], "ja"), (["LANG": "ja"], ["en", "it"], "en"), (["LANG": "ja"], ["it"], "it"), ([:], ["it", "ja"], "it"),
            (["LANG": "en", "LANGUAGE": "fr:it"], ["en", "it"], "it"), ([:], [], "en"),
        ] as [([String: String], [String], String)])
    func chosen(environment: [String: String], offered: [String], language: String) {
        #expect(NoticeLanguage.preferred(by: PersonLanguages(environment: environment), among: offered).rawValue == language)
    }
}

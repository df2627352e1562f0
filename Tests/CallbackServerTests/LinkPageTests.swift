import Testing

@testable import CallbackServer
@testable import PosternCore
@testable import TestHTTPClient

@Suite("The question whether a linked account is the user's")
struct LinkPageTests {
    private static let linkedAt = Timestamp(seconds: 1_800_000_000)

    private static func result(_ status: LinkReview.Status = .open, isLost: Bool = false, isVerified: Bool? = true) -> SignInResult {
        var identity = Identity(
            providerID: "club", subject: "9", displayName: "Eve <3", email: "eve@example.com", emailVerified: isVerified, username: "evelyn")
        identity.link = IdentityLink(at: linkedAt, signIn: "s", isProved: false)
        var item = LinkReview.Item(identity, isLost: isLost)
        item.status = status
        var completed = CompletedSignIn.sample(.ada)
        completed.review = LinkReview(uid: "u", generation: 0, askedAt: linkedAt, items: [item])
        var result = SignInResult.sample(.completed(completed), displayNames: ["github.com": "GitHub", "club": "The Club"])
        result.pageID = "page-1"
        return result
    }

    @Test("names the account, its provider and the moment, and has a form of its own page", arguments: PageLanguage.allCases)
    func asked(language: PageLanguage) {
        let page = Page.result(ResultPageState(Self.result()), strings: language.strings)
        let text = page.html.text
        for part in ["Eve &lt;3", "evelyn", "eve@example.com", "The Club", "2027-01-15 08:00 UTC", language.strings.linksHeading(1)] {
            #expect(text.contains(part), "\(part)")
        }
        #expect(text.contains(#"<form method="post" action="/__/auth/done">"#))
        #expect(text.contains(#"name="page" value="page-1""#) && text.contains(#"name="link" value="0""#))
        #expect(text.contains(#"name="answer" value="keep""#) && text.contains(#"name="answer" value="remove""#))
        // Nobody is told to close a page that asks.
        #expect(!text.contains(language.strings.mayCloseTab))
        #expect(page.policy.text.contains("form-action 'self'"))
    }

    @Test("shows no address that the provider has not verified, since an account can say what it likes", arguments: [false, nil])
    func unverified(isVerified: Bool?) {
        let text = Page.result(ResultPageState(Self.result(isVerified: isVerified)), strings: EnglishStrings()).html.text
        #expect(!text.contains("eve@example.com") && text.contains("evelyn"))
    }

    @Test("is no question any more once it was answered", arguments: PageLanguage.allCases)
    func answered(language: PageLanguage) {
        for status in [LinkReview.Status.answered(.keep), .answered(.remove), .over] {
            let page = Page.result(ResultPageState(Self.result(status)), strings: language.strings)
            #expect(!page.html.text.contains("<form") && page.html.text.contains(language.strings.linkAnswer(status, isLost: false)))
            #expect(page.html.text.contains(language.strings.mayCloseTab) && page.policy.text.contains("form-action 'none'"))
        }
        let again = Page.result(ResultPageState(Self.result(.notSaved)), strings: language.strings).html.text
        #expect(again.contains("<form") && again.contains(language.strings.linkAnswer(.notSaved, isLost: false)))
    }

    @Test("says that what came before the first sign-in was removed", arguments: PageLanguage.allCases)
    func lost(language: PageLanguage) {
        let texts = [false, true].map { Page.result(ResultPageState(Self.result(isLost: $0)), strings: language.strings).html.text }
        #expect(texts[0] != texts[1])
    }

    @Test("is answered by its form, and leads back to the page")
    func posted() throws {
        let server = try TestCallbackServer(pages: ["page-1": Self.result()])
        let response = try server.post("/__/auth/done", "page=page-1&link=0&answer=keep")
        #expect(response.status == 303 && response.header("Location") == "/__/auth/done?page=page-1")
        #expect(server.delegate.answers == ["keep 0 page-1"])
        #expect(try server.get("/__/auth/done?page=page-1").body.contains("Eve &lt;3"))
    }

    @Test(
        "takes nothing else for an answer",
        arguments: [
            ("page=page-1&link=0", 400), ("page=page-1&answer=keep", 400), ("link=0&answer=keep", 400),
            ("page=page-1&link=0&answer=yes", 400), ("page=page-1&link=-1&answer=keep", 400), ("page=page-1&link=1000&answer=keep", 400), ("page=page-1&link=0&answer=keep&answer=remove", 400),
            ("", 400),
            ("page=page-2&link=0&answer=keep", 404), ("page=\(String(repeating: "a", count: 129))&link=0&answer=keep", 400),
        ])
    func refused(body: String, status: Int) throws {
        let server = try TestCallbackServer(pages: ["page-1": Self.result()])
        #expect(try server.post("/__/auth/done", body).status == status)
        #expect(server.delegate.answers.count == (status == 404 ? 1 : 0))
    }

    @Test("takes no answer from another website, from a frame, or in another form")
    func foreign() throws {
        let server = try TestCallbackServer(pages: ["page-1": Self.result()])
        let body = "page=page-1&link=0&answer=keep"
        for header in ["Sec-Fetch-Site: cross-site", "Sec-Fetch-Site: same-site", "Sec-Fetch-Dest: iframe", "Sec-Fetch-Dest: empty"] {
            #expect(try server.post("/__/auth/done", body, headers: [header]).status == 403, "\(header)")
        }
        #expect(try server.ask("POST /__/auth/done", headers: ["Content-Type: text/plain"], body: body).status == 400)
        #expect(try server.post("/__/auth/done?page=page-1", body).status == 400)
        #expect(server.delegate.answers.isEmpty)
    }
}

import PosternInterface
import StrictJSON
import Testing

@testable import PosternClient
@testable import TestDaemon

@Suite("The address of a page that no browser shows")
struct PageNoticeTests {
    @Test("is told once, with the reason")
    func problem() throws {
        var notice = PageNotice(asked: .daemon)
        #expect(notice.lines(for: try Self.event()) == [])
        let problem = try Self.event(problem: "browser is \"none\"")
        #expect(
            notice.lines(for: problem)
                == [
                    "no browser shows the page (browser is \"none\"); open this page to sign in: https://id.example/authorize",
                    "with a browser on another machine: postern attach s",
                ])
        #expect(notice.lines(for: problem) == [])
    }

    @Test("is told at once where the caller opens it")
    func client() throws {
        var notice = PageNotice(asked: .client)
        #expect(notice.lines(for: try Self.event()) == ["open this page to sign in: https://id.example/authorize"])
    }

    @Test("so is the code of a provider that has no page, and each new one")
    func code() throws {
        var notice = PageNotice(asked: .daemon)
        let line = "open https://id.example/device on any device and type this code there to sign in: "
        #expect(notice.lines(for: try Self.event(url: nil, code: "AB-CD")) == [line + "AB-CD"])
        #expect(notice.lines(for: try Self.event(url: nil, code: "AB-CD")) == [])
        #expect(notice.lines(for: try Self.event(url: nil, code: "EF-GH")) == [line + "EF-GH"])
    }

    @Test("a code beside the page is told where no browser shows the page")
    func both() throws {
        var notice = PageNotice(asked: .daemon)
        #expect(notice.lines(for: try Self.event(code: "AB-CD")) == [])
        #expect(notice.lines(for: try Self.event(problem: "none", code: "AB-CD")).count == 3)
    }

    private static func event(
        problem: String? = nil, url: String? = "https://id.example/authorize", code: String? = nil
    ) throws -> SignInEvent {
        var object: JSONObject = ["sessionID": "s", "state": "authorizationPending", "expiresAt": "2026-01-01T00:00:00Z"]
        if let url { object["authorizationURL"] = .string(url) }
        if let code {
            object["userCode"] = .string(code)
            object["verificationURI"] = "https://id.example/device"
        }
        if let problem { object["pageProblem"] = .string(problem) }
        return try SignInEvent(object: object)
    }
}

import PosternInterface
import StrictJSON
import Testing

@testable import PosternClient

@Suite("The address of a page that no browser shows")
struct PageNoticeTests {
    @Test("is told once, with the reason")
    func problem() throws {
        var notice = PageNotice(asked: .daemon)
        #expect(notice.line(for: try Self.event()) == nil)
        let problem = try Self.event(problem: "browser is \"none\"")
        #expect(
            notice.line(for: problem)
                == "no browser shows the page (browser is \"none\"); open this page to sign in: https://id.example/authorize")
        #expect(notice.line(for: problem) == nil)
    }

    @Test("is told at once where the caller opens it")
    func client() throws {
        var notice = PageNotice(asked: .client)
        #expect(notice.line(for: try Self.event()) == "open this page to sign in: https://id.example/authorize")
    }

    private static func event(problem: String? = nil) throws -> SignInEvent {
        var object: JSONObject = [
            "sessionID": "s", "state": "authorizationPending", "expiresAt": "2026-01-01T00:00:00Z",
            "authorizationURL": "https://id.example/authorize",
        ]
        if let problem { object["pageProblem"] = .string(problem) }
        return try SignInEvent(object: object)
    }
}

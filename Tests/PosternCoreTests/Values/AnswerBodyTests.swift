import StrictJSON
import Testing

@testable import PosternCore

@Suite("An answer that is a web page")
struct AnswerBodyTests {
    @Test(
        "is recognized, whatever stands before its first tag",
        arguments: [
            "<!DOCTYPE html>\n<html>", "<!doctype HTML PUBLIC \"-//W3C//DTD HTML 4.01//EN\">", "  \r\n<html lang=en>", "\u{FEFF}<HTML>",
            "<?xml version=\"1.0\"?>\n<!DOCTYPE html><html xmlns=\"http://www.w3.org/1999/xhtml\">", "<h1>Not Found</h1>", "<title>404</title>",
            "<!-- page -->", "<head>", "<body>",
        ])
    func pages(text: String) {
        #expect(throws: AnswerBodyFlaw.webPage) { try AnswerBody.json(in: Array(text.utf8)) }
    }

    @Test("is no other text", arguments: ["", "<", "<?xml version=\"1.0\"?><Error/>", "<Error>", "Not Found", "html", "{<html>", "\0<html>"])
    func others(text: String) {
        #expect(!AnswerBody.isWebPage(Array(text.utf8)))
        #expect(throws: AnswerBodyFlaw.self) { try AnswerBody.json(in: Array(text.utf8)) }
    }

    @Test("is none where JSON speaks of one")
    func json() throws {
        #expect(try AnswerBody.json(in: Array("\"<html>\"".utf8)) == .string("<html>"))
    }

    @Test("is named wherever an answer is read")
    func named() throws {
        let page = ProviderResponse(status: 200, headers: [("Content-Type", "text/html")], body: Array("<!doctype html><p>Sign in".utf8))
        let end = "is a web page (HTML), not JSON; is the URL right?"
        let provider = try ResolvedProvider(.openID())
        var messages: [String] = []
        func record(_ body: () throws -> Void) { do { try body() } catch { messages.append("\(error)") } }
        record { _ = try TokenResponse.grant(from: page, to: .exchange, at: provider, scopes: [], sentAt: now, now: now) }
        record { _ = try PushedAuthorizationRequest.page(from: page, of: provider, sentAt: now, now: now) }
        record { _ = try DeviceAuthorization(page, at: provider, sentAt: now, now: now) }
        record { _ = try ProfileDocument(from: page, now: now) }
        record { _ = try KeySet(from: page, now: now) }
        record { _ = try AudienceAnswer(page, now: now) }
        record { _ = try RegisteredClient(from: page, of: .openID(), scopes: [], redirectURI: "", asked: .none, now: now) }
        #expect(messages.count == 7 && messages.allSatisfy { $0.hasSuffix(end) }, "\(messages)")
    }
}

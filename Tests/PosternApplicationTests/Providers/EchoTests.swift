import PosternApplication
import PosternCore
import StrictJSON
import Testing

/// A provider that repeats in its errors what it was sent.
@Suite("A provider's echo", .serialized)
struct EchoTests {
    private static let clientSecret = "client-secret-7+/%="
    private static let refreshToken = "refresh-token-0123456789"

    private let daemon: TestApplication
    private let monitor: RecordedReply

    init() throws {
        daemon = try TestApplication(TestApplication.example + "\nclient-secret = \"\(Self.clientSecret)\"\n")
        monitor = daemon.call("Monitor", more: true)
    }

    /// All that anybody can read of what happened.
    private func told(_ replies: RecordedReply...) -> String {
        let log = daemon.executor.isolated { daemon.log.entries.map(\.message) }
        let sent = (replies + [monitor]).flatMap { $0.replies + [$0.error?.object].compactMap { $0 } }
        return (sent.map { JSON.object($0).text } + log).joined(separator: "\n")
    }

    /// The last request, as a server's error page would show it.
    private var lastRequest: String {
        daemon.executor.isolated {
            let request = daemon.provider.sent[daemon.provider.sent.count - 1]
            return request.headers.map { "\($0.name): \($0.value)" }.joined(separator: "\r\n") + String(decoding: request.body, as: UTF8.self)
        }
    }

    private func answer(_ words: String, status: Int = 400, error: String = "invalid_request") {
        daemon.answer(status: status, json: JSON.object(["error": .string(error), "error_description": .string(words)]).text)
    }

    @Test("of a refresh reaches neither the caller nor Monitor nor the log", arguments: ["invalid_grant", "invalid_request"])
    func refresh(error: String) {
        daemon.signIn(accessToken: "access-token-0123456789", refreshToken: Self.refreshToken)
        let reply = daemon.call("GetAccessToken", ["providerID": "work", "forceRefresh": true])
        let request = lastRequest
        #expect(request.contains(Self.refreshToken))
        answer("wrong: \(Self.refreshToken) of \(Self.clientSecret) in \(request)", error: error)
        let told = told(reply)
        #expect(reply.isFinished && told.contains("wrong: … of …"), "\(told)")
        for secret in [Self.refreshToken, "client-secret", "Y2xpZW50OmNsaWVudC1z"] { #expect(!told.contains(secret), "\(told)") }
    }

    @Test("of an exchange keeps the code and its verifier secret")
    func exchange() throws {
        let reply = daemon.call("SignIn", ["providerID": "work", "presentation": "client"], more: true)
        daemon.browserReturns("state=\(reply.pageState ?? "")&code=code-0123456789")
        let sent = daemon.executor.isolated { daemon.provider.waiting.first?.form }
        let form = try #require(sent)
        answer("the code \(form["code"] ?? "") with \(form["code_verifier"] ?? "") is used up")
        #expect(reply.errorName == "ExchangeFailed" && reply.message.contains("the code … with … is used up"), "\(reply.message)")
        for secret in ["code-0123456789", form["code_verifier"] ?? ""] { #expect(!told(reply).contains(secret)) }
    }

    @Test("in the callback keeps the state secret")
    func callback() {
        let reply = daemon.call("SignIn", ["providerID": "work", "presentation": "client"], more: true)
        let state = reply.pageState ?? ""
        daemon.browserReturns("state=\(state)&code=code-0123456789&error=access_denied&error_description=no+\(state)+nor+code-0123456789")
        #expect(reply.message.contains("no … nor …"), "\(reply.message)")
        let said = reply.message + (reply.error.map { JSON.object($0.object).text } ?? "") + monitor.replies.map { JSON.object($0).text }.joined()
        #expect(!said.contains(state) && !said.contains("code-0123456789"))
        let log = daemon.executor.isolated { daemon.log.entries.map(\.message) }
        #expect(!log.contains { $0.contains(state) || $0.contains("code-0123456789") })
    }

    @Test("of a revocation and of a profile is struck as well")
    func others() {
        let reply = daemon.call("SignIn", ["providerID": "work", "presentation": "client"], more: true)
        daemon.browserReturns("state=\(reply.pageState ?? "")&code=code-0123456789")
        daemon.answerToken("access-token-0123456789", refreshToken: Self.refreshToken)
        daemon.answer(status: 403, json: #"{"message":"Bearer access-token-0123456789 may not"}"#)
        while daemon.isAsked {
            let request = lastRequest
            answer("cannot revoke: \(request)")
        }
        let told = told(reply)
        #expect(reply.isFinished && told.contains("Bearer … may not"), "\(told)")
        for secret in ["access-token-0123456789", Self.refreshToken, "Y2xpZW50OmNsaWVudC1z"] { #expect(!told.contains(secret), "\(told)") }
    }
}

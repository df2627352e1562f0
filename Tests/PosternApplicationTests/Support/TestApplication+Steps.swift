@testable import PosternApplication
import PosternCore
import StrictJSON
import Testing

@testable import PosternStore

/// What the provider answers, and when.
extension TestApplication {
    /// The oldest request that waits gets this, or one that came after so many others.
    func answer(status: Int = 200, headers: [(String, String)] = [], json: String = "", after others: Int = 0, settling: Bool = true) {
        let answer = ProviderResponse(status: status, headers: [("Content-Type", "application/json")] + headers, body: Array(json.utf8))
        executor.isolated { provider.answer(.success(answer), after: others) }
        if settling { settle() }
    }

    func fail(mayHaveReachedServer: Bool) {
        executor.isolated { provider.fail(mayHaveReachedServer: mayHaveReachedServer) }
        settle()
    }

    /// From now on the provider does at once what it is asked for: the first token request gets `at-1` and `rt-1`, the second `at-2` and
    /// `rt-2`, and so on.
    func providerAnswers() {
        executor.isolated { provider.automatic = { [weak provider] in provider?.expectedAnswer(to: $0) } }
    }

    /// From now on each request waits for its answer.
    func providerWaits() { executor.isolated { provider.automatic = { _ in nil } } }

    /// A request waits for its answer.
    var isAsked: Bool { executor.isolated { !provider.waiting.isEmpty } }

    func answerToken(_ accessToken: String, refreshToken: String? = nil, after others: Int = 0) {
        let rotated = refreshToken.map { #","refresh_token":"\#($0)""# } ?? ""
        answer(json: #"{"access_token":"\#(accessToken)","token_type":"Bearer","expires_in":3600\#(rotated)}"#, after: others)
    }

    // MARK: What it was asked

    private var forms: [[String: String]] { executor.isolated { provider.sent.map(\.form) } }

    /// The refresh tokens that the provider was asked with, in order.
    var tokenRequests: [String] { forms.filter { $0["grant_type"] == "refresh_token" }.compactMap { $0["refresh_token"] } }

    /// The codes that were sent, in order.
    var redeemedCodes: [String] { forms.compactMap { $0["code"] } }

    /// The tokens that were to be revoked, in order.
    var revoked: [String] { forms.compactMap { $0["token"] } }

    /// How often a device code was asked about.
    var polls: Int { forms.count { $0["device_code"] != nil } }

    /// The hosts that anything was sent to.
    func hosts(sent text: String) -> Set<String> {
        executor.isolated {
            Set(provider.sent.filter { String(decoding: $0.body, as: UTF8.self).contains(text) }.map(\.host))
        }
    }
}

/// Sign-ins and renewals, as far as somebody has to wait for something.
extension TestApplication {
    /// A sign-in up to the callback, so that its code is on the way.
    func beginSignIn() -> RecordedReply {
        let reply = call("SignIn", ["providerID": "work", "presentation": "client"], more: true)
        browserReturns("state=\(reply.pageState ?? "")&code=abc")
        return reply
    }

    /// - Parameter others: so many requests wait already, and go on waiting.
    func signIn(accessToken: String, refreshToken: String, after others: Int = 0) {
        let reply = beginSignIn()
        answerToken(accessToken, refreshToken: refreshToken, after: others)
        answer(json: #"{"id":"42","name":"Ada"}"#, after: others)
        #expect(reply.error == nil && reply.isFinished, "\(reply.message)")
    }

    /// A program asks for a fresh token, and the provider gives this one.
    func renew(_ accessToken: String) {
        let reply = call("GetAccessToken", ["providerID": "work", "forceRefresh": true])
        #expect(!reply.isFinished, "\(reply.message)")
        answerToken(accessToken)
        #expect(reply["accessToken"] == .string(accessToken))
    }

    /// A program asks for a fresh token, and the provider says that the user is needed.
    func refused() -> RecordedReply {
        let reply = call("GetAccessToken", ["providerID": "work", "forceRefresh": true])
        answer(status: 400, json: #"{"error":"invalid_grant"}"#)
        return reply
    }

    // MARK: What a page asks

    /// What the page of this sign-in asks about linked accounts, and what was answered; nil if it asks nothing, or is forgotten.
    func asks(on sessionID: String) -> LinkReview? {
        let found = Found<LinkReview?>(nil)
        run { application in
            guard let pageID = application.coordinator.signIns[sessionID]?.session.pageID else { return }
            found.value = await application.callbacks.result(ofPage: pageID)?.outcome?.review
        }
        return found.value
    }

    /// The person answers on that page.
    ///
    /// - Returns: what the page says then; nil if it asks nothing about the account.
    @discardableResult
    func answer(_ answer: LinkReview.Answer, about providerID: String, on sessionID: String) -> LinkReview.Status? {
        guard let link = asks(on: sessionID)?.items.firstIndex(where: { $0.identity.providerID == providerID }) else { return nil }
        run { application in
            guard let pageID = application.coordinator.signIns[sessionID]?.session.pageID else { return }
            _ = await application.callbacks.linkAnswered(answer, about: link, onPage: pageID)
        }
        return asks(on: sessionID)?.items[link].status
    }

    // MARK: What is left

    /// Users and credentials, as the daemon counts them.
    var counts: [Int64?] {
        let status = call("GetStatus")
        return [status["users"]?.integerValue, status["credentials"]?.integerValue]
    }

    /// The states of the sign-ins that are known, the oldest first.
    var sessionStates: [String] {
        call("ListSessions")["sessions"]?.arrayValue?.compactMap { $0.objectValue?["state"]?.stringValue } ?? []
    }

    /// Another run of the daemon on the same disk; this one is over.
    ///
    /// - Parameter seconds: on the new clock, since the first one's beginning.
    func restarted(configuration: String = TestApplication.example, after seconds: Int64 = 0) throws -> TestApplication {
        run { await $0.close() }
        return try followed(configuration: configuration, after: seconds)
    }

    /// The store's connection is gone, and whatever was not committed.
    func dropStore() {
        let opener = opener
        executor.isolated { opener.store?.assumeIsolated { $0.close() } }
    }

    /// The program goes away.
    func leave(_ reply: RecordedReply) { executor.isolated { reply.leave() } }

    /// A disk without room, or with room again. What fits into the pages that are there is still written.
    func disk(isFull: Bool) {
        run { [opener] _ in try? await opener.store?.mayHave(pages: isFull ? 1 : 1_000_000) }
    }

    /// So much time passes at once: what is due begins, and is not carried on.
    func jump(seconds: Int64) {
        clock.advance(milliseconds: seconds * 1000)
        executor.isolated { timers.advance(milliseconds: seconds * 1000) }
    }
}

extension Store {
    /// Fewer than there are counts as those that there are.
    fileprivate func mayHave(pages: Int) throws { _ = try tables.connection.pragma("max_page_count = \(pages)") }
}

/// A sign-in that waits for the user.
struct PendingSignIn {
    let daemon: TestApplication
    let reply: RecordedReply
    let id: String
    let state: String

    init(
        _ daemon: TestApplication, _ parameters: JSONObject = [:],
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        var all: JSONObject = ["providerID": "work", "presentation": "client"]
        for member in parameters.members { all[member.key] = member.value == .null ? nil : member.value }
        try self.init(daemon, joining: daemon.call("SignIn", all, more: true), sourceLocation: sourceLocation)
    }

    /// One that has begun already.
    init(_ daemon: TestApplication, joining reply: RecordedReply, sourceLocation: SourceLocation = #_sourceLocation) throws {
        self.daemon = daemon
        self.reply = reply
        id = try #require(reply.event?["sessionID"]?.stringValue, "\(reply.message)", sourceLocation: sourceLocation)
        state = reply.pageState ?? ""
    }

    /// The browser comes back; nothing more happens yet.
    func browserReturns(code: String = "abc") -> RecordedReply {
        let url = "http://127.0.0.1:7678/__/auth/handler?state=\(state)&code=\(code)"
        return daemon.call("DeliverRedirect", ["url": .string(url)], settling: false)
    }

    /// The same, by HTTP.
    func browserReturnsByHTTP() throws -> RecordedDisposition {
        let redirect = try DeliveredRedirect(parsing: "http://127.0.0.1:7678/__/auth/handler?state=\(state)&code=abc")
        let disposition = RecordedDisposition()
        let application = daemon.application
        DaemonActor.start { disposition.value = await application.callbacks.redirectReturned(redirect.callback) }
        return disposition
    }

    /// A program calls with the sign-in's ID; nothing more happens yet.
    func begin(_ method: String, more: Bool = false) -> RecordedReply {
        daemon.call(method, ["sessionID": .string(id)], more: more, settling: false)
    }

    /// The same, and its answer is waited for.
    func call(_ method: String, _ further: JSONObject = [:], more: Bool = false) -> RecordedReply {
        var parameters: JSONObject = ["sessionID": .string(id)]
        for member in further.members { parameters[member.key] = member.value }
        return daemon.call(method, parameters, more: more)
    }
}

@DaemonActor
private final class Found<Value: Sendable> {
    nonisolated(unsafe) var value: Value

    nonisolated init(_ value: Value) { self.value = value }
}

/// What a browser got for its redirect; nil until then.
@DaemonActor
final class RecordedDisposition {
    fileprivate(set) nonisolated(unsafe) var value: CallbackDisposition?

    nonisolated init() {}
}

extension RecordedReply {
    /// The last event of a sign-in.
    nonisolated var event: JSONObject? { self["event"]?.objectValue }

    /// The state in the address of the page that a sign-in wants opened.
    nonisolated var pageState: String? { event?["authorizationURL"]?.stringValue?.query("state") }

    /// A sign-in's result, and no error.
    nonisolated var isCompleted: Bool { isFinished && error == nil && event?["state"] == "completed" }
}

extension ProviderRequest {
    private var parts: [Substring] { url.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false) }

    /// `https://HOST/…`
    var host: String { parts.count > 2 ? String(parts[2]) : "" }

    fileprivate var path: String { parts.count > 3 ? "/" + parts[3] : "" }

    /// The members of its body.
    var form: [String: String] { Self.members(ofForm: String(decoding: body, as: UTF8.self)) }

    /// Percent-encoded as they were sent.
    static func members(ofForm text: String) -> [String: String] {
        let pairs = text.split(separator: "&").map { $0.split(separator: "=", maxSplits: 1).map(String.init) }
        return Dictionary(pairs.filter { $0.count == 2 }.map { ($0[0], $0[1]) }, uniquingKeysWith: { $1 })
    }
}

extension ScriptedProvider {
    /// Of a provider that has no reason to refuse anything.
    fileprivate func expectedAnswer(to request: ProviderRequest) -> Answer? {
        let body: String
        switch request.path {
        case "/token":
            let number = sent.count { $0.path == "/token" }
            body = #"{"access_token":"at-\#(number)","refresh_token":"rt-\#(number)","token_type":"Bearer","expires_in":3600}"#
        case "/userinfo": body = #"{"id":"42","name":"Ada"}"#
        case "/revoke": body = "{}"
        case "/device":
            body =
                #"{"device_code":"dc","user_code":"AB-CD","verification_uri":"https://work.example/go","expires_in":900,"interval":5}"#
        default: return nil
        }
        return .success(ProviderResponse(status: 200, headers: [("Content-Type", "application/json")], body: Array(body.utf8)))
    }
}

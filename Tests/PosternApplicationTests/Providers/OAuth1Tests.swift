import PosternApplication
import PosternCore
import StrictJSON
import Testing

/// Requests with their timestamps, request tokens and verifiers; that the signatures are right is shown elsewhere.
@Suite("A sign-in by OAuth 1.0a, step by step", .serialized)
struct OAuth1Tests {
    private static let configuration = """
        [provider.photos]
        kind = "oauth1"
        api-key = "key"
        api-secret = "secret"
        request-token-endpoint = "https://photos.example/request-token"
        authorization-endpoint = "https://photos.example/authorize"
        access-token-endpoint = "https://photos.example/access-token"
        profile-endpoint = "https://photos.example/me"
        profile = { uid = "id", display-name = "name" }

        """
    private static let form = [("Content-Type", "application/x-www-form-urlencoded")]
    private static let token = "oauth_token=t1&oauth_token_secret=s1&oauth_callback_confirmed=true"
    /// As of a clock that is an hour ahead.
    private static let ahead = [("Date", "Fri, 15 Jan 2027 09:00:00 GMT")]

    private let daemon: TestApplication

    init() throws { daemon = try TestApplication(Self.configuration) }

    private func begin(app: String = "default", _ further: JSONObject = [:], on daemon: TestApplication? = nil) -> RecordedReply {
        var all: JSONObject = ["providerID": "photos", "app": .string(app), "presentation": "client"]
        for member in further.members { all[member.key] = member.value }
        return (daemon ?? self.daemon).call("SignIn", all, more: true)
    }

    /// The provider answers the oldest request.
    private func answer(_ body: String, status: Int = 200, headers: [(String, String)] = form, on daemon: TestApplication? = nil) {
        let daemon = daemon ?? self.daemon
        let answer = ProviderResponse(status: status, headers: headers, body: Array(body.utf8))
        daemon.executor.isolated { [provider = daemon.provider] in provider.answer(.success(answer)) }
        daemon.settle()
    }

    /// The rest of a sign-in whose verifier has come.
    private func complete(on daemon: TestApplication? = nil) {
        answer("oauth_token=a1&oauth_token_secret=as1", on: daemon)
        answer(#"{"id":"7","name":"Ada"}"#, headers: [("Content-Type", "application/json")], on: daemon)
    }

    /// What was sent to this endpoint, each with its parameters.
    private func sent(_ path: String) -> [[String: String]] {
        daemon.executor.isolated { [provider = daemon.provider] in
            provider.sent.filter { $0.url == "https://photos.example/\(path)" }.map { request in
                let header = request.headers.first { $0.name == "Authorization" }?.value.dropFirst("OAuth ".utf8.count) ?? ""
                let pairs = header.split(separator: ",").map { $0.split(separator: "=", maxSplits: 1) }
                return Dictionary(
                    pairs.filter { $0.count == 2 }.map { ($0[0].filter { $0 != " " }, $0[1].filter { $0 != "\"" }) }, uniquingKeysWith: { $1 })
            }
        }
    }

    private var timestamps: [Int64] { sent("request-token").compactMap { $0["oauth_timestamp"].flatMap { Int64($0) } } }

    @Test("A provider whose clock is ahead is asked once more, by each that it refused, and later with its own time")
    func clock() {
        let now = FakeClock().now.seconds
        let waiting = (0..<3).map { begin(app: "app \($0)") }
        for _ in 0..<3 { answer("", status: 401, headers: Self.ahead) }
        for _ in 0..<3 { answer(Self.token.replacing("t1", with: "t\(timestamps.count)")) }
        #expect(timestamps == [now, now, now, now + 3600, now + 3600, now + 3600])
        #expect(waiting.count { $0.event?["state"] == "authorizationPending" } >= 1 && !daemon.isAsked)
        _ = begin(app: "later")
        #expect(timestamps.last == now + 3600 && timestamps.count == 7)
        answer("", status: 401, headers: Self.ahead)
        #expect(timestamps.count == 7, "the time was right")
    }

    @Test("A verifier is not sent twice for a refusal that does not name the time, and the clock is told")
    func verifier() {
        let reply = begin()
        answer(Self.token)
        daemon.browserReturns("oauth_token=t1&oauth_verifier=v")
        answer("", status: 401, headers: Self.ahead)
        #expect(reply.errorName == "ExchangeFailed" && reply.message.contains("clock is 3600 s behind"), "\(reply.message)")
        #expect(sent("access-token").count == 1 && !daemon.isAsked)
    }

    @Test("The browser completes it with its own request token, once, also after a restart", arguments: ["", "callback-state = true"])
    func completed(more: String) throws {
        let configuration = Self.configuration.replacing("api-key", with: "\(more)\napi-key")
        try daemon.reload(configuration)
        let first = begin()
        let callback = try #require(sent("request-token").first?["oauth_callback"])
        let state = callback.contains("state%3D") ? "state=\(callback.suffix(43))&" : ""
        #expect(state.isEmpty == more.isEmpty)
        answer(Self.token)
        #expect(begin(["customParameters": ["lang": "it"]]).event == nil, "another page is another request token")
        #expect(begin().event?["sessionID"] == first.event?["sessionID"] && sent("request-token").count == 2)
        let id = first.event?["sessionID"] ?? .null
        let next = try daemon.restarted(configuration: configuration)
        #expect(begin(on: next).event?["authorizationURL"] == first.event?["authorizationURL"] && !next.isAsked)
        func back(_ query: String) -> String? {
            next.call("DeliverRedirect", ["url": .string("http://127.0.0.1:7678/__/auth/handler?\(query)")]).errorName
        }
        for wrong in ["oauth_token=t2&oauth_verifier=v", "denied=t2", "oauth_verifier=v", "state=x&oauth_token=t1&oauth_verifier=v"] {
            #expect(back(wrong) == "RedirectNotRecognised", "\(wrong)")
        }
        if !state.isEmpty { #expect(back("oauth_token=t1&oauth_verifier=v") == "RedirectNotRecognised") }
        #expect(back("\(state)oauth_token=t1&oauth_verifier=v") == nil)
        complete(on: next)
        #expect(back("\(state)oauth_token=t1&oauth_verifier=v") == nil && back("\(state)oauth_token=t1&oauth_verifier=w") == "RedirectNotRecognised")
        #expect(next.call("AttachSession", ["sessionID": id]).errorName == "SessionNotFound", "the program has it")
        let token = next.call("GetAccessToken", ["providerID": "photos"])
        #expect(token["accessToken"] == "a1" && token["secret"] == "as1" && !next.isAsked)
    }

    @Test("A callback without a verifier sends nothing, and a refusal with or without a state is the user's", arguments: [true, false])
    func noVerifier(isDenied: Bool) {
        let reply = begin()
        answer(Self.token)
        daemon.browserReturns(isDenied ? "denied=t1" : "oauth_token=t1")
        #expect(reply.errorName == (isDenied ? "SignInDenied" : "ExchangeFailed") && !daemon.isAsked, "\(reply.message)")
        #expect(isDenied || reply.message.contains("neither a verifier nor an error"))
    }

    @Test("A credential alone has the secret, and so has what its handle signs in with")
    func credential() {
        let reply = begin(["intent": "credential"])
        answer(Self.token)
        daemon.browserReturns("oauth_token=t1&oauth_verifier=v")
        complete()
        let credential = reply.event?["credential"]?.objectValue
        #expect(credential?["secret"] == "as1" && credential?["tokenType"] == "OAuth" && daemon.counts == [0, 0])
        let used = daemon.call("SignInWithCredential", ["credential": ["handle": credential?["handle"] ?? .null]])
        #expect(used["result"]?.objectValue?["credential"]?.objectValue?["secret"] == "as1", "\(used.message)")
    }

    @Test("Nothing is exchanged with another key than it began with")
    func otherKey() throws {
        let reply = begin()
        answer(Self.token)
        try daemon.reload(Self.configuration.replacing("\"key\"", with: "\"another\""))
        daemon.browserReturns("oauth_token=t1&oauth_verifier=v")
        #expect(reply.errorName == "ProviderNotConfigured" && !daemon.isAsked, "\(reply.message)")
    }

    @Test("Answers that are not request tokens end it, and the next sign-in begins anew")
    func refused() {
        for (status, body, error) in [
            (200, "<html>", "ExchangeFailed"), (302, "", "ExchangeFailed"), (503, "", "ProviderUnreachable"),
            (200, Self.token.replacing("true", with: "false"), "ExchangeFailed"),
        ] {
            let reply = begin()
            answer(body, status: status)
            #expect(reply.errorName == error, "\(status) \(reply.ending)")
        }
        let reply = begin()
        answer(Self.token)
        #expect(reply.event?["state"] == "authorizationPending")
    }

    @Test("There are no scopes to ask for, and nothing of the protocol's own to set")
    func parameters() {
        #expect(begin(["scopes": ["read"]]).errorName == "InvalidParameter")
        for name in ["oauth_callback", "oauth_token", "state"] {
            #expect(begin(["customParameters": .object([name: "x"])]).errorName == "ReservedParameter")
        }
        #expect(!daemon.isAsked)
    }
}

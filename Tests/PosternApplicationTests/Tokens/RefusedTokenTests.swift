import PosternApplication
import PosternCore
import StrictJSON
import Testing

@testable import PosternStore

/// A server refused a token: what the provider is asked, and what its answer changes.
@Suite("A token that a server refused, step by step", .serialized)
struct RefusedTokenTests {
    /// Nobody is warned, so that a token of an hour that nothing renews is good until its provider takes it back.
    private static let configuration = TestApplication.example + "\nserves = [\"https://work.example\"]\n[attention]\nwarn-before = \"0s\"\n"
    private let token: JSONObject = ["providerID": "work"]
    private let fresh: JSONObject = ["providerID": "work", "forceRefresh": true]

    /// Somebody has signed in, and got `at-1`.
    private func signedIn(renewable: Bool = false) throws -> TestApplication {
        let daemon = try TestApplication(Self.configuration)
        let reply = daemon.beginSignIn()
        daemon.answerToken("at-1", refreshToken: renewable ? "rt-1" : nil)
        daemon.answer(json: #"{"id":"42","name":"Ada"}"#)
        #expect(reply.isCompleted, "\(reply.message)")
        return daemon
    }

    // MARK: What the provider says

    struct Answer: CustomTestStringConvertible, Sendable {
        var testDescription: String
        var status: Int
        var headers: [(String, String)] = []
        var json = ""
        /// What becomes known of the token; nil: nothing.
        var reason: String?
    }

    private static let answers = [
        Answer(testDescription: "401 alone", status: 401, reason: "status 401, without a reason"),
        Answer(
            testDescription: "GitHub's 401", status: 401, json: #"{"message":"Bad credentials"}"#, reason: "status 401: Bad credentials"),
        Answer(
            testDescription: "an invalid token", status: 401, headers: [("WWW-Authenticate", #"Bearer error="invalid_token""#)],
            json: #"{"error":"invalid_token","error_description":"revoked"}"#, reason: "invalid_token: revoked"),
        Answer(
            testDescription: "too few scopes", status: 401, headers: [("WWW-Authenticate", #"Bearer error="insufficient_scope""#)]),
        Answer(testDescription: "a wrong proof", status: 401, headers: [("www-authenticate", #"DPoP error="invalid_dpop_proof""#)]),
        Answer(testDescription: "403", status: 403, json: #"{"error":"invalid_token"}"#),
        Answer(testDescription: "an exhausted quota", status: 403, headers: [("X-RateLimit-Remaining", "0")]),
        Answer(testDescription: "404", status: 404), Answer(testDescription: "400", status: 400, json: #"{"error":"invalid_grant"}"#),
        Answer(testDescription: "too many requests", status: 429, headers: [("Retry-After", "60")]),
        Answer(testDescription: "a server that is down", status: 503), Answer(testDescription: "a broken server", status: 500),
        Answer(testDescription: "a redirect", status: 302, headers: [("Location", "https://login.example")]),
        Answer(testDescription: "no JSON", status: 200, json: "<html>"),
        Answer(testDescription: "another account", status: 200, json: #"{"id":"43"}"#),
        Answer(testDescription: "the account", status: 200, json: #"{"id":"42","name":"Ada"}"#),
    ]

    @Test("Only a definite refusal ends a token, and it is reported to all", arguments: answers)
    func answered(_ answer: Answer) throws {
        let daemon = try signedIn()
        let monitor = daemon.call("Monitor", more: true)
        let report = daemon.report("at-1")
        #expect(!report.isFinished && daemon.profileRequests.last == "Bearer at-1")
        daemon.answer(status: answer.status, headers: answer.headers, json: answer.json)
        #expect(report.isAccepted)
        func check(_ daemon: TestApplication) {
            let reply = daemon.call("GetAccessToken", token)
            guard let reason = answer.reason else {
                #expect(reply["accessToken"] == "at-1" && daemon.state == "good")
                return
            }
            #expect(reply.errorName == "SignInRequired")
            #expect(
                reply.message
                    == "you must sign in at work: the provider no longer accepts the access token (\(reason)); run `postern sign-in work`")
            #expect(daemon.credential?["state"] == "signInNeeded")
            #expect(daemon.credential?["reason"] == .string("the provider no longer accepts its access token: \(reason)"))
        }
        check(daemon)
        let told = monitor.replies.filter { $0["kind"] == "credentialStateChanged" }
        let notices = answer.reason == nil ? [] : ["Ada: The provider has withdrawn its access. Or run: postern sign-in work"]
        #expect(told.count == notices.count && daemon.notices.shown.map(\.body) == notices)
        check(try daemon.restarted(configuration: Self.configuration))
    }

    @Test("A provider that cannot be reached says nothing about the token", arguments: [true, false])
    func unreachable(mayHaveReachedServer: Bool) throws {
        let daemon = try signedIn()
        let report = daemon.report("at-1")
        daemon.fail(mayHaveReachedServer: mayHaveReachedServer)
        #expect(report.isAccepted && daemon.state == "good" && daemon.call("GetAccessToken", token)["accessToken"] == "at-1")
    }

    @Test("The next sign-in ends it")
    func nextSignIn() throws {
        let daemon = try signedIn()
        daemon.report("at-1")
        daemon.answer(status: 401)
        daemon.signIn(accessToken: "at-2", refreshToken: "rt-2")
        #expect(daemon.state == "good" && daemon.call("GetAccessToken", token)["accessToken"] == "at-2")
        #expect(daemon.notices.displayed.isEmpty)
    }

    // MARK: Which token

    @Test(
        "Any other token changes nothing, and the reply is the same",
        arguments: [("at-2", "https://work.example/x"), ("at-1", "https://elsewhere.example/"), ("at-1", "https://work.example:8443/"), ("at-11", "https://work.example")])
    func unknown(token: String, url: String) throws {
        let daemon = try signedIn()
        let before = daemon.profileRequests.count
        let report = daemon.report(token, at: url)
        #expect(report.isAccepted && !daemon.isAsked && daemon.profileRequests.count == before)
        #expect(daemon.state == "good")
    }

    @Test("What is no token, or no URL, is refused as in every call")
    func invalid() throws {
        let daemon = try signedIn()
        #expect(daemon.report("").errorName == "InvalidParameter")
        #expect(daemon.report(String(repeating: "x", count: Grant.longestToken + 1)).errorName == "InvalidParameter")
        #expect(daemon.report("at-1", at: "https://work.example@evil.example/").errorName == "OriginNotServed")
        #expect(!daemon.isAsked && daemon.state == "good")
    }

    // MARK: A token that can be renewed

    @Test("A token that can be renewed is renewed, once")
    func renewable() throws {
        let daemon = try signedIn(renewable: true)
        let reports = (0..<3).map { _ in daemon.report("at-1") }
        daemon.answerToken("at-2", refreshToken: "rt-2")
        #expect(reports.allSatisfy { $0.isAccepted } && daemon.tokenRequests == ["rt-1"])
        #expect(daemon.call("GetAccessToken", token)["accessToken"] == "at-2" && daemon.state == "good")
        #expect(daemon.report("at-1").isAccepted && !daemon.isAsked)
        // Servers that refuse everything cause no more requests than programs that insist.
        #expect(daemon.report("at-2").isAccepted && !daemon.isAsked)
    }

    @Test("A provider that does not answer does not end the token")
    func renewalFails() throws {
        let daemon = try signedIn(renewable: true)
        let report = daemon.report("at-1")
        daemon.answer(status: 503)
        #expect(report.isAccepted && !daemon.isAsked)
        #expect(daemon.call("GetAccessToken", token)["accessToken"] == "at-1" && daemon.state == "good")
    }

    @Test("If the renewal is refused, the provider is asked about the access token, too", arguments: [401, 200])
    func renewalRefused(status: Int) throws {
        let daemon = try signedIn(renewable: true)
        let report = daemon.report("at-1")
        daemon.answer(status: 400, json: #"{"error":"invalid_grant"}"#)
        #expect(!report.isFinished)
        daemon.answer(status: status, json: #"{"id":"42","name":"Ada"}"#)
        #expect(report.isAccepted && daemon.state == "signInNeeded" && daemon.notices.shown.count == 1)
        let reply = daemon.call("GetAccessToken", token)
        #expect(status == 200 ? reply["accessToken"] == "at-1" : reply.errorName == "SignInRequired")
    }

    // MARK: A program that insists

    @Test("A program that wants another token than one that cannot be renewed makes the provider be asked", arguments: [401, 200])
    func insisting(status: Int) throws {
        let daemon = try signedIn()
        let reply = daemon.call("GetAccessToken", fresh)
        #expect(!reply.isFinished)
        daemon.answer(status: status, json: #"{"id":"42","name":"Ada"}"#)
        #expect(reply.errorName == "SignInRequired")
        #expect(daemon.state == (status == 200 ? "good" : "signInNeeded"))
        #expect(daemon.call("GetAccessToken", fresh).errorName == "SignInRequired" && !daemon.isAsked)
        #expect(daemon.call("GetAccessToken", token).errorName == (status == 200 ? nil : "SignInRequired"))
    }

    @Test("The headers of a request are no other")
    func authorizing() throws {
        let daemon = try signedIn()
        let parameters: JSONObject = ["method": "GET", "url": "https://work.example/x"]
        let reply = daemon.call("AuthorizeRequest", ["method": "GET", "url": "https://work.example/x", "forceRefresh": true])
        daemon.answer(status: 401)
        #expect(reply.errorName == "SignInRequired" && daemon.call("AuthorizeRequest", parameters).errorName == "SignInRequired")
    }

    // MARK: How often

    @Test("A provider is asked about an account once a minute, however often its token is reported")
    func pace() throws {
        let daemon = try signedIn()
        let before = daemon.profileRequests.count
        for second in 0..<180 {
            let reports = (0..<3).map { _ in daemon.report("at-1") }
            #expect(daemon.isAsked == second.isMultiple(of: 60), "second \(second)")
            daemon.answer(json: #"{"id":"42","name":"Ada"}"#)
            #expect(reports.allSatisfy { $0.isAccepted })
            daemon.pass(seconds: 1)
        }
        #expect(daemon.profileRequests.count == before + 3)
        // A clock that was ahead keeps nobody from asking.
        daemon.report("at-1")
        daemon.answer(json: #"{"id":"42","name":"Ada"}"#)
        daemon.clock.set(now: Timestamp(milliseconds: daemon.clock.now.milliseconds - 3_600_000))
        daemon.report("at-1")
        #expect(daemon.isAsked)
        daemon.answer(status: 401)
        #expect(daemon.state == "signInNeeded")
    }

    @Test("A program that disconnects does not end it")
    func leaving() throws {
        let daemon = try signedIn()
        let report = daemon.report("at-1")
        daemon.leave(report)
        daemon.answer(status: 401)
        #expect(daemon.state == "signInNeeded")
    }

    // MARK: At every moment

    /// The provider knows the tokens of the latest sign-in alone, and answers at once.
    private func withTakenBackToken() throws -> TestApplication {
        let daemon = try signedIn()
        daemon.executor.isolated {
            daemon.provider.automatic = { request in
                let isFirst = request.headers.contains { $0.value == "Bearer at-1" }
                let json =
                    request.url.hasSuffix("/token")
                    ? #"{"access_token":"at-2","token_type":"Bearer","expires_in":3600}"# : #"{"id":"42","name":"Ada"}"#
                return .success(
                    ProviderResponse(
                        status: isFirst ? 401 : 200, headers: [("Content-Type", "application/json")], body: Array(json.utf8)))
            }
        }
        return daemon
    }

    @Test("A sign-in that completes meanwhile is not undone", arguments: [true, false])
    func signInMeanwhile(reportFirst: Bool) throws {
        let endings = try everyInterleaving {
            try PendingSignIn(try withTakenBackToken())
        } first: {
            reportFirst ? $0.daemon.report("at-1", settling: false) : $0.browserReturns()
        } second: {
            reportFirst ? $0.browserReturns() : $0.daemon.report("at-1", settling: false)
        } check: { scene, first, second, moment in
            let (daemon, report) = (scene.daemon, reportFirst ? first : second)
            #expect(scene.reply.isCompleted && report.isAccepted && report.lastWords == 1, moment)
            #expect(daemon.state == "good" && daemon.call("GetAccessToken", token)["accessToken"] == "at-2", moment)
            #expect(daemon.notices.displayed.isEmpty, moment)
            let restarted = try daemon.restarted(configuration: Self.configuration)
            #expect(restarted.state == "good" && restarted.call("GetAccessToken", token)["accessToken"] == "at-2", moment)
            return daemon.notices.shown.isEmpty ? "unnoticed" : "noticed"
        }
        #expect(endings[reportFirst ? "noticed" : "unnoticed"] != nil)
    }

    @Test("A lock that comes meanwhile leaves the token as it was, or as the provider says that it is")
    func lockMeanwhile() throws {
        let endings = try everyInterleaving {
            try withTakenBackToken()
        } first: {
            $0.report("at-1", settling: false)
        } second: {
            $0.call("Lock", settling: false)
        } check: { daemon, report, lock, moment in
            #expect(lock.error == nil && report.lastWords == 1, moment)
            #expect(daemon.notices.displayed.isEmpty, moment)
            #expect(daemon.call("Unlock").error == nil, moment)
            let reply = daemon.call("GetAccessToken", token)
            let isOver = reply.errorName == "SignInRequired"
            #expect(isOver || reply["accessToken"] == "at-1", moment)
            #expect(daemon.state == (isOver ? "signInNeeded" : "good"), moment)
            return isOver ? "over" : "as it was"
        }
        #expect(Set(endings.keys) == ["over", "as it was"])
    }

    @Test("A credential that is revoked here meanwhile does not come back")
    func revokedMeanwhile() throws {
        try everyInterleaving {
            try withTakenBackToken()
        } first: {
            $0.report("at-1", settling: false)
        } second: {
            $0.call("RevokeCredential", token, settling: false)
        } check: { daemon, report, revocation, moment in
            #expect(report.isAccepted && revocation.error == nil, moment)
            #expect(daemon.credential == nil && daemon.notices.displayed.isEmpty, moment)
            return ""
        }
    }
}

extension TestApplication {
    @discardableResult
    fileprivate func report(_ token: String, at url: String = "https://work.example/one.git", settling: Bool = true) -> RecordedReply {
        call("ReportRefusedToken", ["url": .string(url), "accessToken": .string(token)], settling: settling)
    }

    fileprivate var credential: JSONObject? { call("ListCredentials")["credentials"]?.arrayValue?.first?.objectValue }

    fileprivate var state: String? { credential?["state"]?.stringValue }

    /// What the requests for a profile were authorized with, in order.
    fileprivate var profileRequests: [String] {
        executor.isolated {
            provider.sent.filter { $0.url.hasSuffix("/userinfo") }.map { $0.headers.first { $0.name == "Authorization" }?.value ?? "" }
        }
    }
}

extension RecordedReply {
    /// The reply that says nothing.
    fileprivate nonisolated var isAccepted: Bool { isFinished && error == nil && replies == [[:]] }
}

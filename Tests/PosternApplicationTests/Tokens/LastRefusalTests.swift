import PosternApplication
import PosternCore
import StrictJSON
import Testing

/// What a provider refused last, for whoever looks for the reason afterwards.
@Suite("A provider's last refusal", .serialized)
struct LastRefusalTests {
    private let daemon: TestApplication
    private let fresh: JSONObject = ["providerID": "work", "forceRefresh": true]

    init() throws { daemon = try TestApplication() }

    private var last: JSONObject? {
        daemon.call("ListProviders")["providers"]?.arrayValue?.compactMap(\.objectValue).first { $0["providerID"] == "work" }?["lastRefusal"]?
            .objectValue
    }

    @Test("of a code is reported with its time and code until a sign-in succeeds")
    func code() {
        #expect(last == nil)
        #expect(daemon.beginSignIn().error == nil)
        daemon.answer(status: 401, json: #"{"error":"invalid_client","error_description":"no such client"}"#)
        let refusal = last
        #expect(refusal?["error"] == "invalid_client" && refusal?["message"]?.stringValue?.contains("no such client") == true, "\(refusal ?? [:])")
        #expect(refusal?["refusedAt"]?.stringValue?.hasSuffix("Z") == true)
        daemon.signIn(accessToken: "at-1", refreshToken: "rt-1")
        #expect(last == nil)
    }

    @Test("of a renewal is reported until a renewal succeeds")
    func renewal() {
        daemon.signIn(accessToken: "at-1", refreshToken: "rt-1")
        daemon.call("GetAccessToken", fresh)
        daemon.answer(status: 401, json: #"{"error":"invalid_client"}"#)
        #expect(last?["error"] == "invalid_client")
        daemon.pass(seconds: 120)
        daemon.renew("at-2")
        #expect(last == nil)
    }

    @Test("of a request in the browser is reported with the provider's code; a user's own decision is not a refusal")
    func browser() {
        for (error, isRefusal) in [("access_denied", false), ("unauthorized_client", true), ("invalid_scope", true)] {
            let reply = daemon.call("SignIn", ["providerID": "work", "presentation": "client"], more: true)
            daemon.browserReturns("state=\(reply.pageState ?? "")&error=\(error)")
            #expect(reply.error != nil && (last?["error"] == .string(error)) == isRefusal, "\(error): \(last ?? [:])")
        }
    }

    @Test("does not include an unreachable or overloaded provider")
    func passing() {
        daemon.signIn(accessToken: "at-1", refreshToken: "rt-1")
        daemon.call("GetAccessToken", fresh)
        daemon.fail(mayHaveReachedServer: false)
        daemon.pass(seconds: 120)
        daemon.call("GetAccessToken", fresh)
        daemon.answer(status: 503)
        #expect(last == nil)
    }

    @Test("is of one client, and goes with it; another reading of the same configuration keeps it")
    func otherClient() throws {
        #expect(daemon.beginSignIn().error == nil)
        daemon.answer(status: 401, json: #"{"error":"invalid_client"}"#)
        try daemon.reload(TestApplication.example)
        #expect(last?["error"] == "invalid_client")
        try daemon.reload(TestApplication.example + "\nclient-secret = \"shh\"\n")
        #expect(last == nil)
    }
}

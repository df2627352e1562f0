import PosternClient
import Testing

@testable import postern

@Suite("A trial of a provider")
struct ProviderTrialTests {
    private static func failed(_ error: String?) -> InterfaceError {
        .exchangeFailed(message: "it said no", providerID: "p", error: error)
    }

    @Test(
        "what the provider says of a made-up code tells whether it takes the client",
        arguments: [
            (failed("invalid_grant"), ProviderTrial.Client.taken(error: "invalid_grant")),
            (failed("bad_verification_code"), .taken(error: "bad_verification_code")),
            (failed("invalid_client"), .refused(reason: "it said no")),
            (failed("incorrect_client_credentials"), .refused(reason: "it said no")),
            (failed("server_error"), .notTried(reason: "it said no")),
            (failed(nil), .notTried(reason: "it said no")),
            (.providerUnreachable(message: "it is down", providerID: "p"), .notTried(reason: "it is down")),
            (.signInCancelled(message: "cancelled", sessionID: "s"), .notTried(reason: "cancelled")),
        ] as [(InterfaceError, ProviderTrial.Client)])
    func client(refusal: InterfaceError, expected: ProviderTrial.Client) {
        #expect(ProviderTrial.Client(refusal) == expected)
    }

    @Test("the made-up answer goes where the page leads, with its state")
    func redirect() {
        let page = "https://p.example/a?redirect_uri=http%3A%2F%2F127.0.0.1%3A7678%2F__%2Fauth%2Fhandler&state=a-b_1"
        #expect(ProviderTrial.redirect(from: page) == "http://127.0.0.1:7678/__/auth/handler?state=a-b_1&code=postern-provider-check")
    }

    @Test(
        "a page that does not say where it leads has no answer",
        arguments: [
            "https://p.example/a", "https://p.example/a?redirect_uri=x:%2Fy", "https://p.example/a?redirect_uri=x:%2Fy&state=a%26b",
        ])
    func noRedirect(page: String) {
        #expect(ProviderTrial.redirect(from: page) == nil)
    }

    @Test("a request token shows that everything is right at a provider of OAuth 1.0a")
    func requestToken() {
        let provider = Provider(
            providerID: "twitter.com", displayName: "X", kind: .oauth1, flows: [.browser], scopes: [],
            redirectURI: "http://127.0.0.1:7678/x", configured: true)
        let trial = ProviderTrial(page: "https://api.x.com/oauth/authorize?oauth_token=t", client: .notTried(reason: "cancelled"))
        #expect(trial.findings(for: provider).allSatisfy { $0.level == .ok })
    }

    @Test("what was not checked is named, and only a client that is refused fails")
    func findings() {
        let provider = Provider(
            providerID: "p", displayName: "P", kind: .oidc, flows: [.browser], scopes: [], redirectURI: "http://127.0.0.1:7678/x",
            configured: true)
        func levels(_ client: ProviderTrial.Client) -> [String: Finding.Level] {
            let findings = ProviderTrial(page: "https://p.example/a", client: client).findings(for: provider)
            return Dictionary(uniqueKeysWithValues: findings.map { ($0.title, $0.level) })
        }
        #expect(
            levels(.taken(error: "invalid_grant")) == [
                "configuration": .ok, "endpoints": .ok, "client": .ok, "keys": .warn, "callback URL": .warn,
            ])
        #expect(levels(.notTried(reason: "x"))["client"] == .warn)
        #expect(levels(.refused(reason: "x"))["client"] == .fail)
    }
}

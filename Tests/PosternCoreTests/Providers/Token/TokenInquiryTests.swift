@testable import PosternCore
import PosternCrypto
import Testing

@Suite("Whether an access token is still valid")
struct TokenInquiryTests {
    private func inquiry(_ provider: Provider, introspection: String? = nil, secret: Secret? = nil) throws -> TokenInquiry? {
        var provider = provider
        if introspection != nil { provider.endpoints.userinfo = nil }
        provider.endpoints.introspection = introspection ?? provider.endpoints.introspection
        var grant = Grant.sample(accessToken: "at-1")
        grant.tokenSecret = secret
        return TokenInquiry(about: grant, at: try ResolvedProvider(provider), cryptography: OpenSSLCryptography(), now: now)
    }

    private func refusal(_ inquiry: TokenInquiry, _ status: Int, _ body: String, _ headers: [(String, String)] = []) -> String? {
        inquiry.refusal(in: ProviderResponse(status: status, headers: headers, body: Array(body.utf8)))
    }

    @Test("The provider's own request for the profile asks it, with the token")
    func profile() throws {
        let inquiry = try #require(try inquiry(.gitHub()))
        #expect(inquiry.isAuthorizedByGrant && inquiry.request.url == "https://api.github.com/user")
        let headers = inquiry.request.headers.map { "\($0.name): \($0.value)" }
        #expect(headers.contains("Authorization: Bearer at-1") && headers.contains("User-Agent: postern"))
        #expect(refusal(inquiry, 401, #"{"message":"Bad credentials"}"#) == "status 401: Bad credentials")
        #expect(refusal(inquiry, 403, #"{"message":"Resource protected by organization SAML enforcement"}"#) == nil)
        #expect(refusal(inquiry, 403, "", [("X-RateLimit-Remaining", "0")]) == nil)
        #expect(refusal(inquiry, 404, "{}") == nil && refusal(inquiry, 200, #"{"id":1,"login":"octo"}"#) == nil)
    }

    @Test("Signed requests are refused for many reasons, and only one is the token's", arguments: [(89, true), (32, false), (135, false)])
    func signed(code: Int, isOver: Bool) throws {
        let inquiry = try #require(try inquiry(.twitter(), secret: Secret("secret")))
        #expect(inquiry.isAuthorizedByGrant)
        #expect((refusal(inquiry, 401, #"{"errors":[{"code":\#(code),"message":"m"}]}"#) != nil) == isOver)
    }

    @Test("Introspection asks it where there is no profile: only an inactive token is over")
    func introspection() throws {
        let inquiry = try #require(try inquiry(.oauth2(), introspection: "https://as.example/introspect"))
        #expect(!inquiry.isAuthorizedByGrant && inquiry.request.url == "https://as.example/introspect")
        #expect(String(decoding: inquiry.request.body, as: UTF8.self).contains("token=at-1"))
        #expect(refusal(inquiry, 200, #"{"active":false}"#) == "it is no longer active")
        for body in [#"{"active":true}"#, #"{"active":"false"}"#, "{}", "[]", "", #"{"active":true,"exp":1}"#] {
            #expect(refusal(inquiry, 200, body) == nil, "\(body)")
        }
        // The client was refused, and not the token.
        for status in [400, 401, 403, 404, 429, 500] { #expect(refusal(inquiry, status, #"{"active":false}"#) == nil, "\(status)") }
    }

    @Test("A provider that has neither cannot be asked, nor about an ID token alone")
    func noWay() throws {
        var provider = Provider.openID()
        provider.endpoints.userinfo = nil
        #expect(try inquiry(provider) == nil)
        var grant = Grant.sample(accessToken: "at-1")
        grant.accessToken = Secret([])
        #expect(TokenInquiry(about: grant, at: try ResolvedProvider(.gitHub()), cryptography: OpenSSLCryptography(), now: now) == nil)
    }
}

@Suite("How often a provider is asked about tokens")
struct TokenInquiryPaceTests {
    private func key(_ subject: String) -> CredentialKey { CredentialKey(providerID: "work", subject: subject) }

    @Test("About an account once a minute, whatever happens to the clock")
    func account() {
        var pace = TokenInquiryPace()
        let asked = [("1", 0), ("1", 59), ("2", 59), ("1", 60), ("1", -3600)].map { (subject: String, seconds: Int64) in
            pace.take(key(subject), now: now.adding(seconds: seconds))
        }
        #expect(asked == [true, false, true, true, true])
    }

    @Test("About all of them a few times at once, then every ten seconds")
    func all() {
        var pace = TokenInquiryPace()
        let asked = (0..<100).map { pace.take(key("\($0)"), now: now) }
        let later = (0..<100).map { pace.take(key("later \($0)"), now: now.adding(seconds: 30)) }
        #expect(asked.count { $0 } == 16 && later.count { $0 } == 3)
    }
}

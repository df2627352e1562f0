@testable import PosternCore
import PosternCrypto
import StrictJSON
import Testing

@Suite struct RevocationTests {
    @Test("The refresh token goes first, then the access token (RFC 7009 section 2.1)")
    func requests() throws {
        let provider = try ResolvedProvider(.oauth2())
        let requests = provider.dialect.revocationRequests(for: .sample(accessToken: "at&1", refreshToken: "rt-1"), at: provider, cryptography: OpenSSLCryptography())
        #expect(requests.map(\.url) == ["https://as.example/revoke", "https://as.example/revoke"])
        #expect(requests.map(\.method) == ["POST", "POST"])
        #expect(requests.map(\.bodyText) == ["token=rt-1&token_type_hint=refresh_token", "token=at%261&token_type_hint=access_token"])
        #expect(requests.allSatisfy { $0.headers("Authorization") == ["Basic Y2xpZW50OnNlY3JldA=="] })
    }

    @Test("Without a refresh token there is one request, without an endpoint none")
    func fewer() throws {
        let provider = try ResolvedProvider(.oauth2(secret: nil))
        #expect(
            provider.dialect.revocationRequests(for: .sample(), at: provider, cryptography: OpenSSLCryptography()).map(\.bodyText)
                == ["token=at-1&token_type_hint=access_token&client_id=client"])
        let other = try ResolvedProvider(.openID())
        #expect(other.dialect.revocationRequests(for: .sample(), at: other, cryptography: OpenSSLCryptography()).isEmpty)
    }

    @Test(
        "What an answer means",
        arguments: [
            (ProviderResponse(status: 200), .revoked),
            (.json("{}", status: 200), .revoked),
            (ProviderResponse(status: 204), .revoked),
            (.json(#"{"error":"unsupported_token_type"}"#, status: 400), .unsupportedTokenType),
            (
                .json(#"{"error":"invalid_client","error_description":"no\nsuch"}"#, status: 401),
                .refused(OAuthRefusal(status: 401, error: "invalid_client", errorDescription: "no such"))
            ),
            (ProviderResponse(status: 404), .refused(OAuthRefusal(status: 404, error: nil))),
            (ProviderResponse(status: 302), .refused(OAuthRefusal(status: 302, error: nil))),
            (
                ProviderResponse(status: 503, headers: [("Retry-After", "30")]),
                .transient(TransientFailure(status: 503, retryAfterSeconds: 30))
            ),
            (ProviderResponse(status: 429), .transient(TransientFailure(status: 429))),
        ] as [(ProviderResponse, RevocationOutcome)])
    func outcome(answer: ProviderResponse, outcome: RevocationOutcome) {
        #expect(StandardDialect().revocationOutcome(of: answer, now: now) == outcome)
    }

    @Test("A credential is revoked where every token was that can be")
    func overall() {
        let refused = RevocationOutcome.refused(OAuthRefusal(status: 400, error: nil))
        #expect(RevocationResult([.revoked, .revoked]) == .revoked)
        #expect(RevocationResult([.revoked, .unsupportedTokenType]) == .revoked)
        #expect(RevocationResult([.unsupportedTokenType]) == .noWay)
        #expect(RevocationResult([]) == .noWay)
        #expect(RevocationResult([.revoked, refused]) == .failed(reason: "it refused (400)"))
        let named = RevocationOutcome.refused(OAuthRefusal(status: 401, error: "invalid_client", errorDescription: "no such"))
        #expect(RevocationResult([named]) == .failed(reason: "it refused (401): invalid_client: no such"))
        let worded = RevocationOutcome(answer: .json(#"{"message":"Not yours"}"#, status: 403), now: now)
        #expect(RevocationResult([worded]) == .failed(reason: "it refused: status 403: Not yours"))
        guard case .failed = RevocationResult([.transient(TransientFailure(status: 503)), .revoked]),
            case .failed = RevocationResult([.unanswered, .revoked])
        else {
            Issue.record("a token that is still good is not taken back")
            return
        }
    }

    @Test("A grant that nobody keeps is revoked where that ends no credential that is kept")
    func unwanted() {
        #expect(UnwantedGrant.reasonToLeaveIt(of: "1", kept: []) == nil)
        #expect(UnwantedGrant.reasonToLeaveIt(of: "1", kept: ["2", "3"]) == nil)
        #expect(UnwantedGrant.reasonToLeaveIt(of: "1", kept: ["2", "1"]) == "a credential of its account is kept")
        #expect(UnwantedGrant.reasonToLeaveIt(of: nil, kept: []) == nil)
        #expect(UnwantedGrant.reasonToLeaveIt(of: nil, kept: ["2"]) == "it may be of an account whose credential is kept")
        #expect(UnwantedGrant.reasonToLeaveIt(of: "1", kept: nil)?.hasPrefix("the store is closed") == true)
    }

    @Test("GitHub takes tokens back in its own way")
    func gitHub() throws {
        let provider = try ResolvedProvider(.gitHub())
        let requests = provider.dialect.revocationRequests(for: .sample(accessToken: "gho_a\"b", refreshToken: "ghr_b"), at: provider, cryptography: OpenSSLCryptography())
        #expect(requests.count == 1)
        let request = try #require(requests.first)
        #expect(request.method == "DELETE")
        #expect(request.url == "https://api.github.com/applications/Iv1.0123456789abcdef/token")
        #expect(request.headers("Authorization") == ["Basic SXYxLjAxMjM0NTY3ODlhYmNkZWY6czNjcmV0"])
        #expect(request.headers("User-Agent") == ["postern"])
        #expect(try JSON(parsing: request.body) == ["access_token": "gho_a\"b"])
        #expect(provider.dialect.revocationOutcome(of: ProviderResponse(status: 204), now: now) == .revoked)
        #expect(
            provider.dialect.revocationOutcome(of: .json(#"{"message":"Validation Failed"}"#, status: 422), now: now)
                == .refused(OAuthRefusal(status: 422, error: nil, errorDescription: "Validation Failed")))
    }
}

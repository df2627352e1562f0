import PosternCrypto
import StrictJSON
import Testing

@testable import PosternCore

/// X's ways by OAuth 1.0a, with the bodies it sends.
@Suite struct TwitterTests {
    private static let user = #"""
        {"id":1234567890123456789,"id_str":"1234567890123456789","name":"Ex Ample","screen_name":"example",
        "profile_image_url_https":"https://pbs.twimg.com/profile_images/1/a_normal.jpg","email":"e@example.com","verified":false}
        """#

    private func context() throws -> ProfileContext {
        ProfileContext(
            provider: try ResolvedProvider(.twitter()),
            grant: Grant(accessToken: Secret("1234-cccc"), tokenType: "OAuth", scopes: [], obtainedAt: now, tokenSecret: Secret("dddd")),
            idToken: nil, keys: nil, cryptography: OpenSSLCryptography(), now: now)
    }

    private func profile(_ answer: ProviderResponse) throws -> ProviderProfile { try Twitter().profile(from: [answer], in: context()) }

    @Test("The profile is asked for with the address, by a request that is still to be signed")
    func request() throws {
        let request = try #require(Twitter().nextProfileRequest(after: [], in: context()))
        #expect(request.url == "https://api.x.com/1.1/account/verify_credentials.json?include_email=true&skip_status=true")
        #expect(request.method == "GET" && request.headers("Authorization").isEmpty)
        #expect(Twitter().nextProfileRequest(after: [.json("{}")], in: try context()) == nil)
    }

    @Test("The account is the digits in id_str, to the last")
    func identity() throws {
        let profile = try profile(.json(Self.user))
        #expect(
            profile.identity
                == Identity(
                    providerID: "twitter.com", subject: "1234567890123456789", displayName: "Ex Ample", email: "e@example.com",
                    emailVerified: nil, photoURL: "https://pbs.twimg.com/profile_images/1/a_normal.jpg", username: "example"))
        #expect(profile.document["screen_name"]?.stringValue == "example")
    }

    @Test("Without the permission there is no address, and without a name the user is called as their account")
    func bare() throws {
        let identity = try profile(.json(#"{"id_str":"1","screen_name":"example","name":"","email":""}"#)).identity
        #expect(identity.email == nil && identity.displayName == "example" && identity.photoURL == nil)
    }

    @Test(
        "A profile without an id_str of digits is refused",
        arguments: [
            #"{"id":1234}"#, #"{"id_str":1234}"#, #"{"id_str":""}"#, #"{"id_str":"12a"}"#, #"{"id_str":"-1"}"#, #"{"id_str":"١"}"#,
            #"{"id_str":"123456789012345678901"}"#, #"{"id_str":null}"#, "[]", "null", "{",
        ])
    func nobody(body: String) { #expect(throws: ProfileError.self) { try profile(.json(body)) } }

    @Test("Errors come with their codes, whatever the status", arguments: [401, 403, 200])
    func errors(status: Int) {
        #expect(throws: ProfileError.refused(OAuthRefusal(status: status, error: "89", errorDescription: "Invalid or expired token."))) {
            try profile(.json(#"{"errors":[{"code":89,"message":"Invalid or expired token."}]}"#, status: status))
        }
    }

    @Test("When X is asked too often it says when the quarter of an hour is over")
    func rateLimit() {
        #expect(throws: ProfileError.transient(TransientFailure(status: 429, retryAfterSeconds: 900))) {
            try profile(.json("{}", status: 429, headers: [("x-rate-limit-reset", "1800000900")]))
        }
        #expect(throws: ProfileError.transient(TransientFailure(status: 429))) {
            try profile(.json("{}", status: 429, headers: [("x-rate-limit-reset", "soon")]))
        }
    }

    @Test("A no comes back as the token that was refused")
    func denial() throws {
        func denial(_ query: String) throws -> String? {
            Twitter().denial(in: try CallbackParameters(parsing: query.utf8))?.error
        }
        #expect(try denial("denied=T") == "access_denied" && denial("oauth_token=T&oauth_verifier=V") == nil)
        #expect(try denial("oauth_token=T&oauth_problem=user_refused") == "user_refused" && denial("error=x&oauth_token=T") == "x")
    }

    @Test("A token is revoked by a request that it signs itself, and one that is gone already counts as revoked")
    func revocation() throws {
        let provider = try ResolvedProvider(.twitter())
        let requests = Twitter().revocationRequests(for: try context().grant, at: provider, cryptography: OpenSSLCryptography())
        #expect(requests.map(\.url) == ["https://api.x.com/1.1/oauth/invalidate_token.json"] && requests[0].method == "POST")
        func outcome(_ answer: ProviderResponse) -> RevocationOutcome { Twitter().revocationOutcome(of: answer, now: now) }
        #expect(outcome(.json(#"{"access_token":"1234-cccc"}"#)) == .revoked)
        #expect(outcome(.json(#"{"errors":[{"code":89,"message":"Invalid or expired token."}]}"#, status: 401)) == .revoked)
        #expect(
            outcome(.json(#"{"errors":[{"code":32,"message":"No."}]}"#, status: 401))
                == .refused(OAuthRefusal(status: 401, error: "32", errorDescription: "No.")))
        #expect(outcome(.json("", status: 503)) == .transient(TransientFailure(status: 503)))
    }

    @Test("Only X's own code says that the time was wrong")
    func timestamp() {
        #expect(Twitter().refusesTimestamp(OAuthRefusal(status: 401, error: "135")))
        #expect(!Twitter().refusesTimestamp(OAuthRefusal(status: 401, error: "32")))
        #expect(!Twitter().refusesTimestamp(OAuthRefusal(status: 401, error: nil)))
    }
}

import PosternCrypto
import StrictJSON
import Testing

@testable import PosternCore

/// X's ways by OAuth 2.0, with the bodies it sends.
@Suite struct XPlatformTests {
    private static let publicID = "YWJjZGVmZ2hpajoxOm5h"

    private func prepared(_ provider: Provider) throws -> ResolvedProvider {
        try ResolvedProvider(try XPlatform().prepared(provider, cryptography: OpenSSLCryptography(), now: now))
    }

    @Test(
        "The client ID says whether the client has a secret",
        arguments: [
            ("WThYWHFfRnhjZ3hqbDgzUEI1Y2Q6MTpjaQ", XPlatform.ClientType.confidential), ("WThYWHFfRnhjZ3hqbDgzUEI1Y2Q6MTpjaQ==", .confidential),
            (publicID, .public), ("client", nil), ("", nil), ("%%%", nil),
        ] as [(String, XPlatform.ClientType?)])
    func clientType(id: String, type: XPlatform.ClientType?) { #expect(XPlatform.clientType(of: id) == type) }

    @Test("A confidential client proves itself by Basic")
    func confidential() throws {
        let provider = try prepared(.xPlatform())
        let request = RevocationRequest.requests(for: .sample(), at: provider)[0]
        #expect(request.headers("Authorization").first?.hasPrefix("Basic ") == true && !request.bodyText.contains("client_id"))
        #expect(XPlatform().requiredKeys(of: .xPlatform(), given: []) == ["client-secret"])
        #expect(throws: ProviderProblem.clientSecretMissing) { try prepared(.xPlatform(secret: nil)) }
    }

    @Test("A public client names itself, and sends no secret even where one is configured", arguments: [nil, "s3cret"] as [String?])
    func publicClient(secret: String?) throws {
        let request = RevocationRequest.requests(for: .sample(), at: try prepared(.xPlatform(clientID: Self.publicID, secret: secret)))[0]
        #expect(request.headers("Authorization").isEmpty && request.bodyText.hasSuffix("client_id=\(Self.publicID)"))
        #expect(XPlatform().requiredKeys(of: .xPlatform(clientID: Self.publicID), given: []) == [])
    }

    @Test("A token lasts two hours, and its refresh token rotates")
    func token() throws {
        let answer = #"{"token_type":"bearer","expires_in":7200,"access_token":"at","scope":"users.read tweet.read offline.access","refresh_token":"rt"}"#
        let grant = try TokenResponse.grant(
            from: .json(answer), to: .exchange, at: prepared(.xPlatform()), scopes: [], sentAt: now, now: now)
        #expect(grant.expiresAt == now.adding(seconds: 7200) && grant.refreshToken == Secret("rt"))
        #expect(grant.scopes == ["users.read", "tweet.read", "offline.access"])
    }

    @Test("A refresh token that X calls an invalid request is useless now; other refusals leave it")
    func refreshToken() {
        func ends(_ error: String) -> Bool { XPlatform().endsRefreshToken(.refused(OAuthRefusal(status: 400, error: error))) }
        #expect(ends("invalid_request") && ends("invalid_grant"))
        #expect(!ends("unauthorized_client") && !ends("invalid_client"))
        #expect(!XPlatform().endsRefreshToken(.transient(TransientFailure(status: 503, error: "invalid_request"))))
    }

    // MARK: Profile

    private func context(scopes: [String]) throws -> ProfileContext {
        ProfileContext(
            provider: try prepared(.xPlatform()), grant: .sample(scopes: scopes), idToken: nil, keys: nil,
            cryptography: OpenSSLCryptography(), now: now)
    }

    @Test("The address is asked for only where that was granted")
    func fields() throws {
        func request(_ scopes: [String]) throws -> ProviderRequest? {
            XPlatform().nextProfileRequest(after: [], in: try context(scopes: scopes))
        }
        #expect(try request(["users.read"])?.url == "https://api.x.com/2/users/me?user.fields=profile_image_url")
        #expect(
            try request(["users.read", "users.email"])?.url
                == "https://api.x.com/2/users/me?user.fields=profile_image_url%2Cconfirmed_email")
        #expect(try request([])?.headers("Authorization") == ["Bearer at-1"])
    }

    private func profile(_ answer: ProviderResponse) throws -> ProviderProfile {
        try XPlatform().profile(from: [answer], in: context(scopes: []))
    }

    @Test("The profile is in a wrapper")
    func identity() throws {
        let answer = #"{"data":{"id":"2244994945","name":"Example","username":"example","profile_image_url":"https://pbs.twimg.com/a_normal.jpg","confirmed_email":"e@example.com"}}"#
        #expect(
            try profile(.json(answer)).identity
                == Identity(
                    providerID: "x.com", subject: "2244994945", displayName: "Example", email: "e@example.com", emailVerified: nil,
                    photoURL: "https://pbs.twimg.com/a_normal.jpg", username: "example"))
    }

    @Test("What could not be read beside the profile does no harm")
    func partial() throws {
        let answer = #"{"data":{"id":"1","username":"example"},"errors":[{"title":"Field Authorization Error","detail":"no email"}]}"#
        #expect(try profile(.json(answer)).identity.displayName == "example")
    }

    @Test("Errors are in the API's shape")
    func errors() {
        let refusal = OAuthRefusal(status: 403, error: "Forbidden", errorDescription: "Not allowed.")
        #expect(throws: ProfileError.refused(refusal)) {
            try profile(.json(#"{"title":"Forbidden","type":"about:blank","status":403,"detail":"Not allowed."}"#, status: 403))
        }
        #expect(throws: ProfileError.refused(OAuthRefusal(status: 200, error: "Not Found Error", errorDescription: "x"))) {
            try profile(.json(#"{"errors":[{"title":"Not Found Error","detail":"x"}]}"#))
        }
    }

    @Test("A profile without an id of digits is refused", arguments: [#"{"data":{"id":1}}"#, #"{"id":"1"}"#, #"{"data":[]}"#, "{}"])
    func nobody(body: String) { #expect(throws: ProfileError.self) { try profile(.json(body)) } }
}

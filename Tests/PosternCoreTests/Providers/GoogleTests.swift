import PosternCrypto
import StrictJSON
import Testing

@testable import PosternCore

/// Google's ways. What goes over the wire is in `Tests/PosternApplicationTests/Tables/Exchanges/google.com.txt`.
@Suite struct GoogleTests {
    private func google(secret: String? = "GOCSPX-shh", parameters: [String: String] = [:]) -> Provider {
        var provider = Google.provider
        provider.clientID = "client"
        provider.clientSecret = secret.map { Secret($0) }
        provider.parameters.merge(parameters) { _, given in given }
        return provider
    }

    private func verdict(
        _ claims: JSONObject, parameters: [String: String] = [:], configured: [String: String] = [:], issuer: String? = nil
    ) throws -> String {
        var provider = google(parameters: configured)
        if let issuer { provider.issuer = issuer }
        var changes: JSONObject = ["iss": "https://accounts.google.com"]
        changes.apply(claims)
        return try judge(TokenForge(changes: changes).token(), provider: provider, parameters: parameters)
    }

    @Test("A client with a secret shows it in the form, one without has none")
    func authentication() throws {
        #expect(try ResolvedProvider(google()).clientAuthentication == .clientSecretPost)
        #expect(try ResolvedProvider(google(secret: nil)).clientAuthentication == .none)
    }

    @Test(
        "Both spellings of the issuer are Google's, and no look-alike",
        arguments: [
            ("https://accounts.google.com", true), ("accounts.google.com", true), ("http://accounts.google.com", false),
            ("https://accounts.google.com/", false), ("https://accounts.google.com.evil.example", false), ("ACCOUNTS.google.com", false),
        ])
    func issuers(issuer: String, isGoogle: Bool) throws {
        #expect(try (verdict(["iss": .string(issuer)]) == "verified") == isGoogle)
    }

    @Test("A configured issuer is the only one")
    func otherIssuer() throws {
        #expect(try verdict(["iss": "https://op.example"], issuer: "https://op.example") == "verified")
        #expect(try verdict([:], issuer: "https://op.example") != "verified")
    }

    @Test(
        "The hosted domain that was asked for is held against the claim",
        arguments: [
            (["hd": "example.com"], [:], "example.com", true), ([:], ["hd": "example.com"], "Example.COM", true),
            (["hd": "*"], [:], "any.example", true), ([:], [:], "any.example", true), ([:], [:], nil, true),
            (["hd": "example.com"], [:], nil, false), (["hd": "*"], [:], nil, false),
            (["hd": "example.com"], [:], "evil-example.com", false), (["hd": "example.com"], [:], "sub.example.com", false),
            (["hd": "other.example"], ["hd": "example.com"], "other.example", false),
            (["hd": "*"], ["hd": "example.com"], "other.example", false),
        ] as [([String: String], [String: String], String?, Bool)])
    func hostedDomain(asked: [String: String], configured: [String: String], found: String?, isTaken: Bool) throws {
        let claims: JSONObject = ["hd": found.map { .string($0) } ?? .null]
        let verdict = try verdict(claims, parameters: asked, configured: configured)
        #expect((verdict == "verified") == isTaken)
        #expect(isTaken || verdict.contains("(hd)"))
    }

    @Test("A claim that is no text is no domain")
    func hostedDomainOfAnotherType() throws {
        #expect(try verdict(["hd": true], parameters: ["hd": "*"]) == "rejected: the account belongs to no organisation, but one of an organisation's was requested (hd)")
    }

    @Test("Two of its scopes have two names")
    func scopes() {
        let granted = ["openid", "https://www.googleapis.com/auth/userinfo.email"]
        #expect(Google().missingScopes(asked: ["openid", "email"], granted: granted) == [])
        #expect(Google().missingScopes(asked: ["https://www.googleapis.com/auth/userinfo.email"], granted: ["email"]) == [])
        #expect(Google().missingScopes(asked: ["profile", "email"], granted: granted) == ["profile"])
    }

    @Test(
        "It is the authority for Gmail, and for the verified addresses of organisations",
        arguments: [
            ("ada@gmail.com", true, nil, true), ("ada@GMail.com", false, nil, true), ("ada@example.com", true, "example.com", true),
            ("ada@example.com", false, "example.com", false), ("ada@example.com", true, nil, false), ("ada@example.com", true, "", false),
            ("ada@notgmail.com", true, nil, false), ("ada@gmail.com.evil.example", true, nil, false),
        ] as [(String, Bool, String?, Bool)])
    func emailAuthority(email: String, isVerified: Bool, hostedDomain: String?, isAuthority: Bool) {
        let identity = Identity(providerID: "google.com", subject: "1", email: email, emailVerified: isVerified)
        var document = JSONObject()
        if let hostedDomain { document["hd"] = .string(hostedDomain) }
        #expect(google().isAuthority(for: ProviderProfile(identity: identity, document: document)) == isAuthority)
    }

    @Test("The refresh token is revoked, and with it the access token; the client need not say who it is")
    func revocation() throws {
        let provider = try ResolvedProvider(google())
        let requests = Google().revocationRequests(for: .sample(accessToken: "ya29.a", refreshToken: "1//r"), at: provider, cryptography: OpenSSLCryptography())
        #expect(requests.map(\.bodyText) == ["token=1%2F%2Fr"])
        #expect(requests.flatMap { $0.headers("Authorization") } == [])
        #expect(Google().revocationRequests(for: .sample(accessToken: "ya29.a"), at: provider, cryptography: OpenSSLCryptography()).map(\.bodyText) == ["token=ya29.a"])
        #expect(Google().revocationOutcome(of: .json(#"{"error":"invalid_token"}"#, status: 400), now: now) == .revoked)
        #expect(
            Google().revocationOutcome(of: .json(#"{"error":"invalid_request"}"#, status: 400), now: now)
                == .refused(OAuthRefusal(status: 400, error: "invalid_request")))
    }

    @Test("A device is given the client ID alone, and a code's poll shows the secret, too")
    func device() throws {
        let provider = try ResolvedProvider(google())
        let endpoint = try #require(provider.deviceAuthorization)
        let first = Google().deviceAuthorizationRequest(
            scopes: ["openid", "email"], parameters: ["access_type": "offline"], to: endpoint, at: provider)
        #expect(first.bodyText == "client_id=client&scope=openid+email")
        #expect(Google().deviceTokenRequest(for: Secret("d"), at: provider).bodyText.hasSuffix("&client_id=client&client_secret=GOCSPX-shh"))
    }
}

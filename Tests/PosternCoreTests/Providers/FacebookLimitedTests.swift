import PosternCrypto
import StrictJSON
import Testing

@testable import PosternCore

/// Facebook with `limited = true`, with the reference's nonce.
@Suite struct FacebookLimitedTests {
    private static let raw = Secret("nonce-0123456789ABCDEFabcdef._-x")
    private static let hashed = "65f76b3c30275ec93d3b2fa0bcf97f3702be8bc1ff238ae28b4523f5a729d6b8"

    private let cryptography = OpenSSLCryptography()

    private func limited() throws -> Provider {
        var provider = try Facebook().configured(Facebook.provider, with: ProviderSettings(flags: ["limited": true]))
        provider.clientID = "138"
        return provider
    }

    private func verdict(_ changes: JSONObject, key: String = "rs", nonce: Secret = raw) throws -> String {
        let provider = try ResolvedProvider(limited())
        var claims: JSONObject = [
            "iss": "https://www.facebook.com", "aud": "138", "sub": "1020", "jti": "j", "nonce": .string(Self.hashed),
            "name": "Ex Ample", "email": "e@example.com", "picture": "https://scontent.example/p.jpg",
        ]
        for change in changes.members { claims[change.key] = change.value }
        let token = try TokenForge(key: key, changes: claims).token()
        let sent = provider.dialect.sentNonce(nonce, of: provider.provider, cryptography: cryptography)
        return describe(
            IDTokenVerifier(cryptography: cryptography).verdict(
                on: try UnverifiedIDToken(parsing: token), keys: try TestKeys.providerKeys(),
                expecting: .presented(at: provider, nonce: sent), now: now))
    }

    @Test("It is an OpenID provider with its own endpoints, without a secret")
    func provider() throws {
        let provider = try ResolvedProvider(limited())
        #expect(provider.provider.kind == .oidc && !provider.provider.needsDiscovery)
        #expect(provider.clientAuthentication == .none)
        #expect(provider.jwks?.text == "https://www.facebook.com/.well-known/oauth/openid/jwks/")
        #expect(provider.provider.redirectHost == .localhost)
        #expect(provider.dialect.requiredKeys(of: provider.provider, given: []) == [])
        let settings = ProviderSettings(texts: ["api-version": "v26.0"], flags: ["limited": true])
        #expect(
            try Facebook().configured(Facebook.provider, with: settings).endpoints.token
                == "https://graph.facebook.com/v26.0/oauth/access_token")
        #expect(try Facebook().configured(Facebook.provider, with: ProviderSettings(flags: ["limited": false])).kind == .oauth2)
    }

    @Test("The nonce is sent as the SHA-256 of the one that was made, in lower-case hexadecimal")
    func nonce() throws {
        let request = try AuthorizationRequest(
            to: ResolvedProvider(limited()), redirectURI: "http://localhost:7678/__/auth/handler", state: Secret("s"),
            codeVerifier: try #require(CodeVerifier(randomBytes: Array(repeating: 7, count: 32))), nonce: Self.raw,
            scopes: ["openid", "email", "public_profile"], cryptography: cryptography)
        #expect(request.url.contains("&nonce=\(Self.hashed)&code_challenge="))
        #expect(request.url.contains("&scope=openid%2Cemail%2Cpublic_profile&"))
        #expect(!request.url.contains(Self.raw.reveal()))
    }

    @Test("The code is exchanged with PKCE and no secret, and nothing renews the token")
    func exchange() throws {
        var provider = try limited()
        provider.clientSecret = Secret("left over")
        let resolved = try ResolvedProvider(provider)
        let verifier = try #require(CodeVerifier(randomBytes: Array(repeating: 7, count: 32)))
        let request = TokenRequest.exchange(code: Secret("c"), redirectURI: "http://localhost/x", codeVerifier: verifier, at: resolved)
        #expect(request.bodyText.contains("&code_verifier=") && request.bodyText.hasSuffix("&client_id=138"))
        #expect(!request.bodyText.contains("secret") && request.headers("Authorization") == [])
        #expect(!resolved.dialect.accessTokenRenewsItself)
        #expect(resolved.dialect.followUp(to: .sample(), at: resolved, cryptography: cryptography) == nil)
    }

    @Test("Both of Facebook's issuers are taken", arguments: ["https://www.facebook.com", "https://limited.facebook.com"])
    func issuers(issuer: String) throws {
        #expect(try verdict(["iss": .string(issuer)]) == "verified")
    }

    @Test(
        "No look-alike of them is",
        arguments: [
            "https://facebook.com.evil.test", "https://www.facebook.com.evil.test", "https://evil-facebook.com", "https://www.facebook.com/",
            "http://www.facebook.com", "https://WWW.facebook.com", "https://m.facebook.com", "https://accounts.google.com",
        ])
    func lookAlikes(issuer: String) throws {
        #expect(try verdict(["iss": .string(issuer)]) == "rejected: the ID token is from \(issuer), not from the configured issuer")
    }

    @Test("An issuer that the configuration names stands alone")
    func otherIssuer() throws {
        var provider = try limited()
        provider.issuer = "http://127.0.0.1:8080"
        #expect(FacebookLimited().issuerRule(of: provider) == .exact("http://127.0.0.1:8080"))
    }

    @Test(
        "A token that is shown must be for us, new, and answer our nonce",
        arguments: [
            (["aud": "139"], "the ID token is for another client (aud)"),
            (["aud": ["138", "139"]], "the ID token is also for 139, which is not known here (aud)"),
            (["iat": 1_799_999_000], "the ID token was issued at 2027-01-15T07:43:20Z, too long ago for this sign-in; check this machine's clock"),
            (["exp": 1_799_999_900], "the ID token has expired at 2027-01-15T07:58:20Z; if that is wrong, check this machine's clock"),
            (["nonce": .null], "the ID token does not repeat the nonce of this sign-in"),
            // What was made comes back in place of its hash: whoever saw the token would have the nonce, too.
            (["nonce": "nonce-0123456789ABCDEFabcdef._-x"], "the ID token belongs to another sign-in (its nonce differs)"),
            (
                ["nonce": "65F76B3C30275EC93D3B2FA0BCF97F3702BE8BC1FF238AE28B4523F5A729D6B8"],
                "the ID token belongs to another sign-in (its nonce differs)"
            ),
            (["sub": ""], "the ID token's subject (sub) must be 1 to 255 ASCII characters"),
        ] as [(JSONObject, String)])
    func rejected(changes: JSONObject, reason: String) throws {
        #expect(try verdict(changes) == "rejected: \(reason)")
    }

    @Test("The hash shown as the nonce is another nonce, and a stranger's signature is none")
    func hostile() throws {
        #expect(try verdict([:], nonce: Secret(Self.hashed)) == "rejected: the ID token belongs to another sign-in (its nonce differs)")
        #expect(try verdict([:], key: "stranger") == "rejected: the ID token's signature is wrong")
        #expect(try verdict([:]) == "verified")
    }

    @Test("Revoking shows the ID token; without one nothing can be revoked")
    func revocation() throws {
        let provider = try ResolvedProvider(limited())
        var grant = Grant.sample()
        #expect(provider.dialect.revocationRequests(for: grant, at: provider, cryptography: cryptography).isEmpty)
        grant.idToken = Secret("h.p.s")
        let requests = provider.dialect.revocationRequests(for: grant, at: provider, cryptography: cryptography)
        #expect(requests.map(\.url) == ["https://www.limited.facebook.com/platform/uninstall/"])
        #expect(requests.map(\.bodyText) == ["id_token=h.p.s&app_id=138"])
    }
}

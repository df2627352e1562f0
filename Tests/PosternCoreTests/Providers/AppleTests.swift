import PosternCrypto
import StrictJSON
import Testing

@testable import PosternCore

/// Apple's ways, with the bodies it sends.
@Suite struct AppleTests {
    private let cryptography = OpenSSLCryptography()

    private func apple(key: Secret? = nil) throws -> Provider {
        var provider = try Apple().configured(
            Apple.provider, with: ProviderSettings(texts: ["team-id": "TEAM123456", "key-id": "KEY1234567"]))
        provider.clientID = "com.example.service"
        provider.secrets["signing-key"] = try key ?? TestKeys.key("es").pem()
        return provider
    }

    private func prepared() throws -> ResolvedProvider {
        let provider = try apple()
        return try ResolvedProvider(provider.dialect.prepared(provider, cryptography: cryptography, now: now))
    }

    private func url(scopes: [String]) throws -> String {
        try AuthorizationRequest(
            to: prepared(), redirectURI: "https://app.example.com/__/auth/handler", state: Secret("s"),
            codeVerifier: try #require(CodeVerifier(randomBytes: Array(repeating: 7, count: 32))),
            nonce: Secret("nonce-0123456789ABCDEFabcdef._-x"), scopes: scopes, cryptography: cryptography
        ).url
    }

    // MARK: Client secret

    @Test("The client secret is a JWT that the key signs by ES256, with R and S of 32 bytes each")
    func clientSecret() throws {
        let token = try #require(try prepared().provider.clientSecret).reveal()
        let parts = token.split(separator: ".")
        #expect(parts.count == 3)
        let header = try JSON(parsing: try #require(Base64URL.decode(parts[0]))).objectValue
        let claims = try JSON(parsing: try #require(Base64URL.decode(parts[1]))).objectValue
        #expect(header?["alg"] == "ES256" && header?["kid"] == "KEY1234567")
        #expect(claims?["iss"] == "TEAM123456" && claims?["sub"] == "com.example.service" && claims?["aud"] == "https://appleid.apple.com")
        #expect(claims?["iat"] == .integer(now.seconds - 60) && claims?["exp"] == .integer(now.seconds + 300))
        let signature = try #require(Base64URL.decode(parts[2]))
        #expect(signature.count == 64)
        #expect(
            cryptography.isValid(
                signature: signature, over: Array("\(parts[0]).\(parts[1])".utf8), algorithm: .es256, key: try TestKeys.key("es").publicKey))
    }

    @Test("It goes into the body, beside the code verifier")
    func exchange() throws {
        let verifier = try #require(CodeVerifier(randomBytes: Array(repeating: 7, count: 32)))
        let request = TokenRequest.exchange(
            code: Secret("c.0.x"), redirectURI: "https://app.example.com/__/auth/handler", codeVerifier: verifier, at: try prepared())
        #expect(request.url == "https://appleid.apple.com/auth/token")
        #expect(request.bodyText.contains("&code_verifier=") && request.bodyText.contains("&client_id=com.example.service&client_secret=ey"))
    }

    @Test("A key that is none on P-256 is told, and not shown", arguments: ["rs", "ed", nil])
    func wrongKey(id: String?) throws {
        let provider = try apple(key: id.map { try TestKeys.key($0).pem() } ?? Secret("not a key"))
        let problem = #expect(throws: ProviderProblem.self) {
            try provider.dialect.prepared(provider, cryptography: cryptography, now: now)
        }
        #expect(
            problem?.description
                == "its signing-key is not a private key for ES256 in PEM without a passphrase; use the file AuthKey_KEY1234567.p8 from Apple")
    }

    @Test("The configuration must have team, key ID and key, or a client secret that was made elsewhere")
    func required() {
        let provider = Apple.provider
        #expect(Apple().requiredKeys(of: provider, given: []) == ["team-id", "key-id", "signing-key"])
        #expect(Apple().requiredKeys(of: provider, given: ["client-secret"]) == [])
        #expect(Apple().requiredKeys(of: provider, given: ["client-secret", "signing-key"]) == ["team-id", "key-id", "signing-key"])
    }

    @Test("A client secret that was made elsewhere is used as it is")
    func ownSecret() throws {
        var provider = Apple.provider
        provider.clientID = "com.example.service"
        provider.clientSecret = Secret("eyJ.a.b")
        #expect(try Apple().prepared(provider, cryptography: cryptography, now: now).clientSecret == Secret("eyJ.a.b"))
    }

    @Test("A team ID or key ID is letters and digits", arguments: ["", "TEAM 12345", "TEAM\"12345", String(repeating: "A", count: 65)])
    func identifiers(text: String) {
        for key in ["team-id", "key-id"] {
            #expect(throws: ProviderSettingError.self) { try Apple().configured(Apple.provider, with: ProviderSettings(texts: [key: text])) }
        }
    }

    // MARK: Authorization

    @Test("With scopes the answer is to be posted, and the nonce is hashed")
    func formPost() throws {
        let url = try url(scopes: ["openid", "name", "email"])
        #expect(url.contains("&scope=name%20email&"))
        #expect(url.contains("&nonce=65f76b3c30275ec93d3b2fa0bcf97f3702be8bc1ff238ae28b4523f5a729d6b8&response_mode=form_post&code_challenge="))
    }

    @Test("Without scopes the answer comes in the query, and no empty scope is sent")
    func withoutScopes() throws {
        let url = try url(scopes: ["openid"])
        #expect(!url.contains("scope") && !url.contains("response_mode"))
    }

    @Test("It takes no callback URL of this machine, and vouches for its addresses")
    func provider() throws {
        #expect(Apple.provider.redirectHost == .website && Apple.provider.emailTrust == .all)
        #expect(try !apple().needsDiscovery)
    }

    // MARK: Profile

    private func profile(_ changes: JSONObject = [:], callback: String? = nil) throws -> ProviderProfile {
        let provider = try prepared()
        var claims: JSONObject = [
            "iss": "https://appleid.apple.com", "aud": "com.example.service", "sub": "000123.abc.0456", "nonce_supported": true,
            "email": "e@privaterelay.appleid.com", "email_verified": "true", "is_private_email": "true",
        ]
        claims.apply(changes)
        let token = try TokenForge(changes: claims).token()
        let verdict = IDTokenVerifier(cryptography: cryptography).verdict(
            on: try UnverifiedIDToken(parsing: token), keys: try TestKeys.providerKeys(),
            expecting: .presented(at: provider, nonce: TokenForge.rightNonce), now: now)
        guard case .verified(let idToken) = verdict else { throw IDTokenRejection.invalidSignature }
        let context = ProfileContext(
            provider: provider, grant: .sample(), idToken: idToken, keys: nil, cryptography: cryptography, now: now,
            callback: try callback.map { try CallbackParameters(parsing: $0.utf8) })
        return try provider.dialect.profile(from: [], in: context)
    }

    @Test("The first answer tells the name; its address is not believed")
    func name() throws {
        let identity = try profile(
            callback: "state=S&code=c.0.x&user=%7B%22name%22%3A%7B%22firstName%22%3A%22Ex%22%2C%22lastName%22%3A%22Ample%22%7D"
                + "%2C%22email%22%3A%22evil%40example.com%22%7D"
        ).identity
        #expect(
            identity
                == Identity(
                    providerID: "apple.com", subject: "000123.abc.0456", displayName: "Ex Ample", email: "e@privaterelay.appleid.com",
                    emailVerified: true))
    }

    @Test("Without an address in the ID token there is none, whatever is posted beside it")
    func noAddress() throws {
        let identity = try profile(["email": .null], callback: "code=c&user=%7B%22email%22%3A%22evil%40example.com%22%7D").identity
        #expect(identity.email == nil && identity.emailVerified == nil && identity.displayName == nil)
    }

    @Test(
        "A name is read where there is one, and nothing else spoils the sign-in",
        arguments: [
            (#"{"name":{"firstName":"Ex"}}"#, "Ex"), (#"{"name":{"lastName":"Ample"}}"#, "Ample"),
            (#"{"name":{"firstName":"E\u202ex","lastName":"  "}}"#, "Ex"), (#"{"name":"Ex"}"#, nil), (#"{"name":{"firstName":7}}"#, nil),
            ("[]", nil), ("{", nil), ("null", nil), (#"{"name":{"firstName":"a","firstName":"b"}}"#, nil),
            (#"{"name":{"firstName":""# + String(repeating: "a", count: 5000) + #""}}"#, nil),
        ] as [(String, String?)])
    func user(json: String, name: String?) throws {
        #expect(try profile(callback: "code=c&user=" + PercentEncoding.encode(json)).identity.displayName == name)
    }

    @Test("Whether the address is verified comes as a boolean or as a text", arguments: [(true, true), ("true", true), (false, false), ("false", false)] as [(JSON, Bool)])
    func verified(claim: JSON, expected: Bool) throws {
        #expect(try profile(["email_verified": claim, "is_private_email": claim]).identity.emailVerified == expected)
    }

    // MARK: Later

    @Test("A refresh and a revocation prove the client by a secret made for them")
    func later() throws {
        let provider = try prepared()
        let refresh = TokenRequest.refresh(Secret("r"), redirectURI: "x", at: provider)
        #expect(refresh.bodyText.hasPrefix("grant_type=refresh_token&refresh_token=r&client_id=com.example.service&client_secret=ey"))
        let requests = provider.dialect.revocationRequests(for: .sample(accessToken: "a", refreshToken: "r"), at: provider, cryptography: cryptography)
        #expect(requests.map(\.url) == Array(repeating: "https://appleid.apple.com/auth/revoke", count: 2))
        #expect(requests[0].bodyText.hasPrefix("token=r&token_type_hint=refresh_token&client_id=com.example.service&client_secret=ey"))
        #expect(requests[1].bodyText.hasPrefix("token=a&token_type_hint=access_token&"))
    }

    @Test("A user who cancels is told apart by Apple's own word")
    func cancelled() throws {
        let denial = try #require(Apple().denial(in: CallbackParameters(parsing: "error=user_cancelled_authorize&state=S".utf8)))
        #expect(denial.error == "user_cancelled_authorize" && denial.description == nil)
    }
}

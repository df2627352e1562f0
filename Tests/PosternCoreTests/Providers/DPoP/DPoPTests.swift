import PosternCrypto
import StrictJSON
import Testing

@testable import PosternCore

@Suite("Tokens that are bound to a key (RFC 9449)")
struct DPoPTests {
    private let cryptography = OpenSSLCryptography()

    private func key() throws -> DPoPKey {
        let key = try TestKeys.key("es")
        guard case .p256(let x, let y) = key.publicKey else { throw CryptoError(.invalidKey, "no P-256") }
        return try #require(DPoPKey(privateKeyPEM: try key.pem(), x: x, y: y))
    }

    private func proof(
        _ request: ProviderRequest, accessToken: Secret? = nil, nonce: String? = nil
    ) throws -> (header: JSONObject, claims: JSONObject) {
        let proved = try #require(
            DPoPProof.proving(
                request, with: try key(), accessToken: accessToken, nonce: nonce, randomBytes: Array(0..<16), now: now,
                cryptography: cryptography))
        #expect(proved.headers("DPoP").count == 1)
        let text = try #require(proved.headers("DPoP").first)
        let parts = text.split(separator: ".").map(String.init)
        #expect(parts.count == 3)
        let signature = try #require(Base64URL.decode(parts[2]))
        let publicKey = try TestKeys.key("es").publicKey
        #expect(
            cryptography.isValid(
                signature: signature, over: Array("\(parts[0]).\(parts[1])".utf8), algorithm: .es256, key: publicKey))
        let documents = try parts.prefix(2).map { part in
            let bytes = try #require(Base64URL.decode(part))
            let json = try JSON(parsing: bytes)
            return try #require(json.objectValue)
        }
        return (documents[0], documents[1])
    }

    @Test("The thumbprint is that of RFC 9449's own example")
    func thumbprint() throws {
        let x = try #require(Base64URL.decode("l8tFrhx-34tV3hRICRDY9zCkDlpBhF42UQUfWVAWBFs"))
        let y = try #require(Base64URL.decode("9VE4jf_Ok_o64zbTTlcuNJajHmt6v9TDVrU0CdvGRDA"))
        let key = try #require(DPoPKey(privateKeyPEM: Secret(""), x: x, y: y))
        #expect(key.thumbprint(using: cryptography) == "0ZcOCORZNYy-DWpqq30jZyJGHTN0d2HglBV3uiguA4I")
        #expect(DPoPKey(privateKeyPEM: Secret(""), x: x, y: [1]) == nil)
    }

    @Test("A proof says which request it is for, and shows the public part of its key alone")
    func tokenEndpoint() throws {
        let (header, claims) = try proof(ProviderRequest(method: "POST", url: "https://as.example/token?tenant=1#x"))
        #expect(header["typ"] == "dpop+jwt" && header["alg"] == "ES256")
        let jwk = try #require(header["jwk"]?.objectValue)
        #expect(Set(jwk.keys) == ["kty", "crv", "x", "y"])
        #expect(claims["htm"] == "POST" && claims["htu"] == "https://as.example/token" && claims["iat"] == 1_799_999_998)
        #expect(claims["jti"] == "AAECAwQFBgcICQoLDA0ODw")
        #expect(claims["ath"] == nil && claims["nonce"] == nil)
    }

    @Test("One for a resource also says which token it goes with, and repeats the server's nonce")
    func resource() throws {
        let token = Secret("Kz~8mXK1EalYznwH-LC-1fBAo.4Ljp~zsPE_NeO.gxU")
        let (_, claims) = try proof(ProviderRequest(url: "https://rs.example/me"), accessToken: token, nonce: "n-1")
        #expect(claims["ath"] == "fUHyO2r2Z3DZ53EsNrWBb0xWXoaNy59IiKCAqksmQEo")
        #expect(claims["nonce"] == "n-1" && claims["htm"] == "GET")
    }

    @Test("A damaged key signs nothing")
    func damaged() throws {
        let good = try key()
        let key = try #require(DPoPKey(privateKeyPEM: Secret("-----BEGIN PRIVATE KEY-----"), x: good.x, y: good.y))
        #expect(
            DPoPProof.proving(
                ProviderRequest(url: "https://rs.example/me"), with: key, accessToken: nil, nonce: nil, randomBytes: [1], now: now,
                cryptography: cryptography) == nil)
    }

    // MARK: Nonces

    @Test("The newest nonce of an origin goes into the next proof, and to no other origin")
    func nonces() {
        var nonces = DPoPNonces()
        nonces.answered(.json("{}", headers: [("DPoP-Nonce", "one")]), from: "https://as.example/token")
        #expect(nonces.nonce(for: "https://as.example:443/userinfo?x") == "one")
        #expect(nonces.nonce(for: "https://as.example:8443/token") == nil)
        #expect(nonces.nonce(for: "https://rs.example/token") == nil)
        nonces.answered(.json("{}", status: 200, headers: [("dpop-nonce", "two")]), from: "https://as.example/token")
        nonces.answered(.json("{}"), from: "https://as.example/token")
        #expect(nonces.nonce(for: "https://as.example/token") == "two")
    }

    @Test("What is no nonce is not kept", arguments: ["", "a b", "a\"b", "ü", String(repeating: "n", count: 513)])
    func noNonce(_ text: String) {
        var nonces = DPoPNonces()
        let answer = ProviderResponse.json(#"{"error":"use_dpop_nonce"}"#, status: 400, headers: [("DPoP-Nonce", text)])
        nonces.answered(answer, from: "https://as.example/token")
        #expect(nonces.nonce(for: "https://as.example/token") == nil)
        #expect(!answer.wantsDPoPNonce)
    }

    @Test("Origins without end take no memory without end")
    func bounded() {
        var nonces = DPoPNonces()
        for port in 1...200 {
            nonces.answered(.json("{}", headers: [("DPoP-Nonce", "n\(port)")]), from: "https://as.example:\(port)/token")
        }
        #expect(nonces.nonce(for: "https://as.example:1/token") == nil)
        #expect(nonces.nonce(for: "https://as.example:200/token") == "n200")
    }

    @Test("A request is sent once more only where the server wants its nonce and sends one")
    func wanted() {
        let nonce = [(name: "DPoP-Nonce", value: "n")]
        let asked = #"{"error":"use_dpop_nonce"}"#
        #expect(ProviderResponse.json(asked, status: 400, headers: nonce).wantsDPoPNonce)
        #expect(ProviderResponse.json(asked, status: 401, headers: nonce).wantsDPoPNonce)
        let challenge = (name: "WWW-Authenticate", value: #"DPoP realm="x", error="use_dpop_nonce""#)
        #expect(ProviderResponse(status: 401, headers: nonce + [challenge]).wantsDPoPNonce)
        let behind = (name: "WWW-Authenticate", value: #"Bearer realm="x", DPoP error="use_dpop_nonce""#)
        #expect(ProviderResponse(status: 401, headers: nonce + [behind]).wantsDPoPNonce)
        #expect(!ProviderResponse.json(asked, status: 400).wantsDPoPNonce)
        #expect(!ProviderResponse.json(asked, status: 200, headers: nonce).wantsDPoPNonce)
        #expect(!ProviderResponse.json(#"{"error":"invalid_grant"}"#, status: 400, headers: nonce).wantsDPoPNonce)
        #expect(!ProviderResponse(status: 401, headers: nonce + [("WWW-Authenticate", "Bearer error=\"invalid_token\"")]).wantsDPoPNonce)
    }

    // MARK: Answers

    private func grant(_ type: String, proofKey: DPoPKey?, configured: Bool, to purpose: TokenResponse.Purpose = .exchange) throws -> Grant {
        var provider = Provider.oauth2()
        provider.extensions.usesDPoP = configured
        return try TokenResponse.grant(
            from: .json(#"{"access_token":"a","token_type":"\#(type)"}"#), to: purpose, at: ResolvedProvider(provider), scopes: [],
            sentAt: now,
            now: now, proofKey: proofKey)
    }

    @Test("A bound token is taken with its key, and goes to the provider under its own scheme")
    func bound() throws {
        let key = try key()
        let grant = try grant("dPoP", proofKey: key, configured: true)
        #expect(grant.proofKey == key && grant.tokenType == "dPoP")
        let context = ProfileContext(
            provider: try ResolvedProvider(.oauth2()), grant: grant, idToken: nil, keys: nil, cryptography: cryptography, now: now)
        let request = try #require(StandardDialect().nextProfileRequest(after: [], in: context))
        #expect(request.headers("Authorization") == ["DPoP a"])
    }

    @Test("A bearer token in its place is a downgrade and refused, a bound one without a key cannot be used")
    func downgrade() throws {
        let key = try key()
        #expect(throws: TokenEndpointError.malformed(.notBound, refusal: nil)) { try grant("Bearer", proofKey: key, configured: true) }
        #expect(throws: TokenEndpointError.malformed(.notBound, refusal: nil)) { try grant("bearer", proofKey: nil, configured: true) }
        #expect(throws: TokenEndpointError.malformed(.unknownTokenType("DPoP"), refusal: nil)) {
            try grant("DPoP", proofKey: nil, configured: false)
        }
    }

    @Test("What was given before DPoP was configured is renewed as what it is")
    func older() throws {
        #expect(try grant("Bearer", proofKey: nil, configured: true, to: .refresh(tokenType: "Bearer")).proofKey == nil)
    }

    @Test("A refreshed credential keeps its key")
    func refreshed() throws {
        let key = try key()
        var grant = Grant.sample(refreshToken: "r")
        grant.proofKey = key
        let credential = StoredCredential(
            providerID: "work", subject: "1", displayName: nil, binding: ProviderBinding(clientID: "c", authority: "a"), grant: grant,
            generation: 1)
        #expect(credential.refreshed(with: .sample(accessToken: "new")).grant.proofKey == key)
    }

    @Test("A provider that takes no proof of ours is told before a page opens")
    func algorithms() throws {
        var provider = Provider.openID()
        provider.extensions.usesDPoP = true
        func metadata(_ algorithms: String) throws -> ProviderMetadata {
            try ProviderMetadata(
                parsing: Array(#"{"issuer":"https://op.example","dpop_signing_alg_values_supported":\#(algorithms)}"#.utf8),
                expectedIssuer: "https://op.example")
        }
        #expect(throws: ProviderProblem.noCommonProofAlgorithm(offered: ["RS256", "EdDSA"])) {
            try ResolvedProvider(provider, metadata: try metadata(#"["RS256","EdDSA"]"#))
        }
        _ = try ResolvedProvider(provider, metadata: try metadata(#"["ES256"]"#))
        _ = try ResolvedProvider(provider, metadata: try metadata("null"))
    }
}

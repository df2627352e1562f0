import PosternCrypto
import StrictJSON
import Testing

@testable import PosternCore

/// Facebook's ways, with the bodies it sends.
@Suite struct FacebookTests {
    private static let me =
        #"{"id":"1020","name":"Ex Ample","email":"e@example.com","picture":{"data":{"height":50,"is_silhouette":false,"url":"https://scontent.example/p.jpg","width":50}}}"#

    private let cryptography = OpenSSLCryptography()

    private func facebook(_ settings: ProviderSettings = ProviderSettings()) throws -> Provider {
        var provider = try Facebook().configured(Facebook.provider, with: settings)
        provider.clientID = "138"
        provider.clientSecret = Secret("app-secret-0123456789abcdef")
        return provider
    }

    private func grant(_ answer: ProviderResponse) throws -> Grant {
        try TokenResponse.grant(
            from: answer, to: .exchange, at: ResolvedProvider(facebook()), scopes: ["email", "public_profile"], sentAt: now, now: now)
    }

    private func context(token: String = "EAABtoken123") throws -> ProfileContext {
        ProfileContext(
            provider: try ResolvedProvider(facebook()), grant: .sample(accessToken: token), idToken: nil, keys: nil,
            cryptography: cryptography, now: now)
    }

    private func profile(_ answer: ProviderResponse) throws -> ProviderProfile { try Facebook().profile(from: [answer], in: context()) }

    // MARK: Configuration

    @Test("The version of the Graph API can be another one, and stands in every endpoint")
    func apiVersion() throws {
        let endpoints = try facebook(ProviderSettings(texts: ["api-version": "v26.0"])).endpoints
        #expect(endpoints.authorization == "https://www.facebook.com/v26.0/dialog/oauth")
        #expect(endpoints.token == "https://graph.facebook.com/v26.0/oauth/access_token")
        #expect(endpoints.userinfo == "https://graph.facebook.com/v26.0/me")
    }

    @Test("What is no version is refused", arguments: ["", "25.0", "v25", "v25.", "v.0", "v25.0/../v1.0", "v25.0.1", "v٢.0", "latest"])
    func wrongVersion(text: String) {
        #expect(throws: ProviderSettingError.self) { try facebook(ProviderSettings(texts: ["api-version": text])) }
    }

    @Test("People come back to localhost, as Facebook takes no plain address")
    func redirectHost() throws {
        #expect(try facebook().redirectHost == .localhost)
    }

    // MARK: Authorization

    @Test("Scopes are sent with commas, beside the program's own display and auth_type")
    func authorization() throws {
        let request = try AuthorizationRequest(
            to: ResolvedProvider(facebook()), redirectURI: "http://localhost:7678/__/auth/handler", state: Secret("s"),
            codeVerifier: try #require(CodeVerifier(randomBytes: Array(repeating: 7, count: 32))), nonce: nil,
            scopes: ["email", "public_profile"], parameters: ["display": "popup", "auth_type": "rerequest"], cryptography: cryptography)
        #expect(request.url.hasPrefix("https://www.facebook.com/v25.0/dialog/oauth?response_type=code&client_id=138&"))
        #expect(request.url.contains("&scope=email%2Cpublic_profile&"))
        #expect(request.url.hasSuffix("&auth_type=rerequest&display=popup&return_scopes=true"))
    }

    @Test(
        "A failure in the callback is seen with and without error",
        arguments: [
            (
                "error=access_denied&error_code=200&error_description=Permissions+error&error_reason=user_denied&state=S", "access_denied",
                "Permissions error"
            ),
            ("error_code=1349003&error_message=Invalid+parameter&state=S", "1349003", "Invalid parameter"),
            ("error_message=Broken%0Alines&state=S", "unknown", "Broken\nlines"),
            ("error_code=1&state=S", "1", nil),
        ])
    func denial(query: String, error: String, description: String?) throws {
        let denial = try #require(Facebook().denial(in: CallbackParameters(parsing: query.utf8)))
        #expect(denial.error == error && denial.description == description)
    }

    @Test("A code is no failure, and what was granted is read beside it")
    func granted() throws {
        let callback = try CallbackParameters(parsing: "code=c&granted_scopes=public_profile%2Cemail&denied_scopes=user_birthday".utf8)
        #expect(Facebook().denial(in: callback) == nil)
        #expect(Facebook().grantedScopes(in: callback) == ["public_profile", "email"])
        #expect(try Facebook().grantedScopes(in: CallbackParameters(parsing: "code=c".utf8)) == nil)
    }

    // MARK: Token

    @Test("A token of sixty days, and one without an end")
    func token() throws {
        #expect(
            try grant(.json(#"{"access_token":"EAAB","token_type":"bearer","expires_in":5183944}"#)).expiresAt
                == now.adding(seconds: 5_183_944))
        #expect(try grant(.json(#"{"access_token":"EAAB","token_type":"bearer"}"#)).expiresAt == nil)
    }

    @Test(
        "An error is an object, and gets OAuth's name where it has one",
        arguments: [
            (
                #"{"error":{"message":"This authorization code has been used.","type":"OAuthException","code":100,"error_subcode":36009,"fbtrace_id":"A"}}"#,
                "invalid_grant", "This authorization code has been used. (code 100, subcode 36009)"
            ),
            (
                #"{"error":{"message":"Error validating access token","type":"OAuthException","code":190,"error_subcode":463}}"#,
                "invalid_grant", "Error validating access token (code 190, subcode 463)"
            ),
            (#"{"error":{"message":"Invalid app id","type":"OAuthException","code":101}}"#, "invalid_client", "Invalid app id (code 101)"),
            (
                #"{"error":{"message":"Error validating client secret.","type":"OAuthException","code":1}}"#,
                "OAuthException", "Error validating client secret. (code 1)"
            ),
            (#"{"error":{"message":"No permission","type":"OAuthException","code":210}}"#, "access_denied", "No permission (code 210)"),
            (#"{"error":{"message":"Blocked","type":"OAuthException","code":368}}"#, "OAuthException", "Blocked (code 368)"),
            (#"{"error":{"message":"\u001b[2Jup\nand\u202edown","type":"\u0007","code":"190"}}"#, "OAuthException", "[2Jup anddown"),
            (#"{"error":{}}"#, "OAuthException", nil),
        ])
    func errors(body: String, error: String, description: String?) {
        let failure = #expect(throws: TokenEndpointError.self) { try grant(.json(body, status: 400)) }
        guard case .refused(let refusal)? = failure else {
            Issue.record("\(String(describing: failure))")
            return
        }
        #expect(refusal.status == 400 && refusal.error == error && refusal.errorDescription == description)
    }

    @Test("A token that is refused for good ends what it would renew; a wrong secret does not")
    func ends() {
        func ends(_ code: Int) -> Bool {
            let body = #"{"error":{"message":"m","code":\#(code)}}"#
            do throws(TokenEndpointError) {
                _ = try TokenAnswer(.json(body, status: 400), dialect: Facebook(), now: now)
                return false
            } catch { return error.endsRefreshToken }
        }
        #expect(ends(190) && ends(102))
        #expect(!ends(1) && !ends(101) && !ends(4) && !ends(368))
    }

    @Test("Throttled and out of order are no refusals, whatever the status", arguments: [2, 4, 17, 32, 341, 613], [400, 403, 200])
    func transient(code: Int, status: Int) {
        let expected = TransientFailure(status: status, error: "code \(code)")
        let body = #"{"error":{"message":"m","type":"OAuthException","code":\#(code)}}"#
        #expect(throws: TokenEndpointError.transient(expected)) { try grant(.json(body, status: status)) }
        #expect(throws: ProfileError.transient(expected)) { try profile(.json(body, status: status)) }
        #expect(Facebook().revocationOutcome(of: .json(body, status: status), now: now) == .transient(expected))
    }

    @Test("A bare false is no token and no profile")
    func bareFalse() {
        #expect(throws: TokenEndpointError.malformed(.notAnObject(found: "a boolean"), refusal: nil)) { try grant(.json("false")) }
        #expect(throws: ProfileError.notAnObject(found: "a boolean")) { try profile(.json("false")) }
    }

    @Test("A token is exchanged for a long-lived one, and no OAuth 2.0 token renews itself elsewhere")
    func longLived() throws {
        let provider = try ResolvedProvider(facebook())
        let request = try #require(
            TokenRequest.renewal(of: .sample(accessToken: "EAAB&short"), redirectURI: "x", at: provider, cryptography: cryptography))
        #expect(request.method == "GET" && request.body.isEmpty)
        #expect(
            request.url == "https://graph.facebook.com/v25.0/oauth/access_token?grant_type=fb_exchange_token&client_id=138"
                + "&client_secret=app-secret-0123456789abcdef&fb_exchange_token=EAAB%26short")
        let other = try ResolvedProvider(.oauth2())
        #expect(TokenRequest.renewal(of: .sample(), redirectURI: "x", at: other, cryptography: cryptography) == nil)
    }

    // MARK: Profile

    @Test("The profile is asked for with the proof of the secret, and the token in the header")
    func profileRequest() throws {
        let context = try context()
        let request = try #require(Facebook().nextProfileRequest(after: [], in: context))
        #expect(
            request.url == "https://graph.facebook.com/v25.0/me?fields=id%2Cname%2Cemail%2Cpicture"
                + "&appsecret_proof=a868ae8abe0e44808f92294a70aa170c3a3152d164ab65db222bb6da08e314dd")
        #expect(request.headers("Authorization") == ["Bearer EAABtoken123"])
        #expect(Facebook().nextProfileRequest(after: [.json(Self.me)], in: context) == nil)
    }

    @Test("Who signed in has a name, a picture, and an address that nobody verified")
    func person() throws {
        let identity = try profile(.json(Self.me)).identity
        #expect(
            identity
                == Identity(
                    providerID: "facebook.com", subject: "1020", displayName: "Ex Ample", email: "e@example.com", emailVerified: nil,
                    photoURL: "https://scontent.example/p.jpg"))
    }

    @Test("An account without an address, and one that claims to be verified")
    func address() throws {
        #expect(try profile(.json(#"{"id":"1020","name":"Ex"}"#)).identity.email == nil)
        let claimed = try profile(.json(#"{"id":"1020","email":"e@example.com","email_verified":true}"#)).identity
        #expect(claimed.email == "e@example.com" && claimed.emailVerified == nil)
    }

    @Test("A refusal of the profile says why")
    func refusedProfile() {
        let refusal = OAuthRefusal(status: 400, error: "OAuthException", errorDescription: "Invalid appsecret_proof (code 100)")
        #expect(throws: ProfileError.refused(refusal)) {
            try profile(.json(#"{"error":{"message":"Invalid appsecret_proof","type":"OAuthException","code":100}}"#, status: 400))
        }
    }

    // MARK: Revocation

    @Test("Revoking takes the application off the account")
    func revocation() throws {
        let requests = Facebook().revocationRequests(
            for: .sample(accessToken: "EAABtoken123"), at: try ResolvedProvider(facebook()), cryptography: cryptography)
        #expect(requests.map(\.method) == ["DELETE"])
        #expect(
            requests.map(\.url) == [
                "https://graph.facebook.com/v25.0/me/permissions"
                    + "?appsecret_proof=a868ae8abe0e44808f92294a70aa170c3a3152d164ab65db222bb6da08e314dd"
            ])
        #expect(requests.first?.headers("Authorization") == ["Bearer EAABtoken123"])
    }

    @Test("Both spellings of yes, both of no, and an app that is off already")
    func revocationOutcome() {
        func isRevoked(_ body: String, status: Int = 200) -> Bool {
            Facebook().revocationOutcome(of: .json(body, status: status), now: now) == .revoked
        }
        #expect(isRevoked("true") && isRevoked(#"{"success":true}"#))
        #expect(!isRevoked("false") && !isRevoked(#"{"success":false}"#))
        #expect(isRevoked(#"{"error":{"message":"m","code":190,"error_subcode":458}}"#, status: 400))
        #expect(!isRevoked(#"{"error":{"message":"m","code":190,"error_subcode":463}}"#, status: 400))
        #expect(!isRevoked("", status: 500))
    }
}

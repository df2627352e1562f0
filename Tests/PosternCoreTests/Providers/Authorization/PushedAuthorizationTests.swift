import PosternCrypto
import Testing

@testable import PosternCore

@Suite("Pushed authorization requests (RFC 9126) and resources (RFC 8707)")
struct PushedAuthorizationTests {
    private static let endpoint = "https://op.example/par"

    private func provider(
        secret: String? = nil, configured: String? = nil, pushes: Bool? = nil,
        metadata: String? = #","pushed_authorization_request_endpoint":"https://op.example/par""#,
        resources: [String] = []
    ) throws -> ResolvedProvider {
        var provider = Provider.openID(secret: secret)
        provider.endpoints.pushedAuthorization = configured
        provider.extensions.pushesAuthorization = pushes
        provider.extensions.resources = resources
        let document = try metadata.map {
            try ProviderMetadata(parsing: Array(#"{"issuer":"https://op.example"\#($0)}"#.utf8), expectedIssuer: "https://op.example")
        }
        return try ResolvedProvider(provider, metadata: document)
    }

    private func authorization(_ provider: ResolvedProvider) throws -> AuthorizationRequest {
        try AuthorizationRequest(
            to: provider, redirectURI: "http://127.0.0.1:7678/__/auth/handler", state: Secret("state-1"),
            codeVerifier: #require(CodeVerifier(stored: Secret("dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"))), nonce: Secret("nonce-1"),
            scopes: ["openid"], parameters: ["prompt": "login"], cryptography: OpenSSLCryptography())
    }

    private func page(_ response: ProviderResponse, of provider: ResolvedProvider) throws -> AuthorizationPage {
        try PushedAuthorizationRequest.page(from: response, of: provider, sentAt: now, now: now)
    }

    // MARK: Whether

    @Test("Requests are pushed where the metadata offer it, and must be where they demand it")
    func metadata() throws {
        let offered = try provider()
        #expect(offered.pushedAuthorization?.text == Self.endpoint && !offered.requiresPushedAuthorization)
        let demanded = try provider(
            metadata: #","pushed_authorization_request_endpoint":"https://op.example/par","require_pushed_authorization_requests":true"#)
        #expect(demanded.requiresPushedAuthorization)
        let without = try provider(metadata: "")
        #expect(without.pushedAuthorization == nil && !without.requiresPushedAuthorization)
    }

    @Test("The configuration goes before them")
    func configuration() throws {
        let named = try provider(configured: "https://op.example/own-par", metadata: nil)
        #expect(named.pushedAuthorization?.text == "https://op.example/own-par" && named.requiresPushedAuthorization)
        #expect(try provider(pushes: true).requiresPushedAuthorization)
        #expect(try provider(pushes: false).pushedAuthorization == nil)
        #expect(throws: ProviderProblem.endpointMissing(.pushedAuthorization)) { try provider(pushes: true, metadata: "") }
    }

    // MARK: The request

    @Test("All that would be in the page's address is pushed, the client told once")
    func publicClient() throws {
        let provider = try provider()
        let request = try #require(PushedAuthorizationRequest.request(for: authorization(provider), at: provider))
        #expect(request.method == "POST" && request.url == Self.endpoint)
        #expect(request.headers("Content-Type") == ["application/x-www-form-urlencoded"])
        #expect(
            request.bodyText
                == "response_type=code&redirect_uri=http%3A%2F%2F127.0.0.1%3A7678%2F__%2Fauth%2Fhandler&scope=openid&state=state-1"
                + "&nonce=nonce-1&code_challenge=E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM&code_challenge_method=S256&prompt=login"
                + "&client_id=client")
    }

    @Test("A client with a secret proves itself as at the token endpoint")
    func confidentialClient() throws {
        let provider = try provider(secret: "s")
        let request = try #require(PushedAuthorizationRequest.request(for: authorization(provider), at: provider))
        #expect(request.headers("Authorization") == ["Basic Y2xpZW50OnM="])
        #expect(request.bodyText.split(separator: "&").filter { $0 == "client_id=client" }.count == 1)
        #expect(
            try PushedAuthorizationRequest.request(for: authorization(self.provider(metadata: "")), at: self.provider(metadata: "")) == nil)
    }

    // MARK: The answer

    @Test("The page's address then has client_id and request_uri alone, and a time when it ends", arguments: [200, 201])
    func page(status: Int) throws {
        let page = try page(.json(#"{"request_uri":"urn:example:6esc","expires_in":90}"#, status: status), of: provider())
        #expect(page.url == "https://op.example/authorize?client_id=client&request_uri=urn%3Aexample%3A6esc")
        #expect(page.expiresAt == now.adding(seconds: 90))
    }

    @Test("A server that names no time is believed for a minute")
    func silent() throws {
        #expect(try page(.json(#"{"request_uri":"urn:x:y"}"#, status: 201), of: provider()).expiresAt == now.adding(seconds: 60))
    }

    @Test("What it refuses is told, with its reason")
    func refused() throws {
        #expect(
            throws: PushedAuthorizationError.refused(
                OAuthRefusal(status: 400, error: "invalid_request", errorDescription: "The redirect_uri is not valid"))
        ) {
            try page(
                .json(#"{"error":"invalid_request","error_description":"The redirect_uri is not valid"}"#, status: 400), of: provider())
        }
        #expect(throws: PushedAuthorizationError.refused(OAuthRefusal(status: 413, error: nil))) {
            try page(ProviderResponse(status: 413), of: provider())
        }
        let failure = PushedAuthorizationError.refused(OAuthRefusal(status: 400, error: "invalid_scope")).providerFailure(at: "Work")
        #expect(
            failure
                == .exchangeFailed(
                    error: "invalid_scope", description: nil,
                    message: "Work: it refused the request before there was a page to open: invalid_scope"))
    }

    @Test(
        "A client that is not taken has probably a wrong secret, or none where one is wanted",
        arguments: [("invalid_client", 401), ("invalid_client", 400), ("unauthorized_client", 400), (nil, 401)] as [(String?, Int)])
    func suspect(error: String?, status: Int) {
        let refusal = PushedAuthorizationError.refused(OAuthRefusal(status: status, error: error))
        #expect("\(refusal.providerFailure(at: "Work", hasSecret: true))".contains("check client-secret first"))
        #expect("\(refusal.providerFailure(at: "Work", hasSecret: false))".contains("requires a client-secret"))
    }

    @Test("A server that cannot answer now, or makes no sense, gives no page", arguments: [429, 500, 503])
    func transient(status: Int) throws {
        #expect(throws: PushedAuthorizationError.transient(TransientFailure(status: status))) {
            try page(ProviderResponse(status: status), of: provider())
        }
        #expect(throws: PushedAuthorizationError.malformed(.missing(member: "request_uri"))) {
            try page(.json(#"{"expires_in":90}"#, status: 201), of: provider())
        }
        #expect(throws: PushedAuthorizationError.malformed(.invalidToken(member: "request_uri"))) {
            try page(.json(#"{"request_uri":"urn:x y"}"#, status: 201), of: provider())
        }
        #expect(throws: PushedAuthorizationError.malformed(.redirect(status: 303))) {
            try page(ProviderResponse(status: 303), of: provider())
        }
    }

    // MARK: Resources, and max_age

    @Test("The configured resources are named in every request that brings a token")
    func resources() throws {
        let provider = try provider(metadata: "", resources: ["https://api.example/v1", "urn:example:other"])
        let named = "&resource=https%3A%2F%2Fapi.example%2Fv1&resource=urn%3Aexample%3Aother"
        #expect(try authorization(provider).url.hasSuffix(named + "&prompt=login"))
        let verifier = try #require(CodeVerifier(stored: Secret("dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk")))
        let exchange = TokenRequest.exchange(code: Secret("c"), redirectURI: "http://127.0.0.1/cb", codeVerifier: verifier, at: provider)
        #expect(exchange.bodyText.contains(named))
        #expect(TokenRequest.refresh(Secret("r"), redirectURI: "http://127.0.0.1/cb", at: provider).bodyText.contains(named))
        #expect(ReservedParameters.contains("resource"))
    }

    @Test("A resource is an absolute URI without a fragment")
    func resourceSyntax() {
        for good in ["https://api.example/", "urn:example:api", "api://1b2c", "https://api.example/a?b=c"] {
            #expect(ProviderExtensions.isResource(good), "\(good)")
        }
        for bad in ["", "api", "/path", ":x", "https:", "https://api.example/#f", "https://api.example/a b", "1a:b", "https://é.example"] {
            #expect(!ProviderExtensions.isResource(bad), "\(bad)")
        }
    }

    @Test(
        "max_age must be a number of seconds, or nobody could hold the answer against it", arguments: ["-1", "+5", "1h", "", "99999999999"])
    func maximumAge(text: String) throws {
        let provider = try provider(metadata: "")
        #expect(throws: AuthorizationRequestError.invalidMaximumAge) {
            try AuthorizationRequest(
                to: provider, redirectURI: "http://127.0.0.1/cb", state: Secret("s"),
                codeVerifier: #require(CodeVerifier(stored: Secret("dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"))), nonce: nil, scopes: [],
                parameters: ["max_age": text], cryptography: OpenSSLCryptography())
        }
    }

    @Test("The key that a code is to be bound to is named by its thumbprint")
    func proofKey() throws {
        let x = try #require(Base64URL.decode("l8tFrhx-34tV3hRICRDY9zCkDlpBhF42UQUfWVAWBFs"))
        let y = try #require(Base64URL.decode("9VE4jf_Ok_o64zbTTlcuNJajHmt6v9TDVrU0CdvGRDA"))
        let request = try AuthorizationRequest(
            to: provider(metadata: ""), redirectURI: "http://127.0.0.1/cb", state: Secret("s"),
            codeVerifier: #require(CodeVerifier(stored: Secret("dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"))), nonce: nil, scopes: [],
            proofKey: DPoPKey(privateKeyPEM: Secret(""), x: x, y: y), cryptography: OpenSSLCryptography())
        #expect(request.url.contains("&dpop_jkt=0ZcOCORZNYy-DWpqq30jZyJGHTN0d2HglBV3uiguA4I"))
    }
}

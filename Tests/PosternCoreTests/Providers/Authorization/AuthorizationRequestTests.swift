import PosternCrypto
import Testing

@testable import PosternCore

@Suite struct AuthorizationRequestTests {
    private let verifier = CodeVerifier(stored: Secret("dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"))!

    private func request(
        to provider: Provider, scopes: [String] = ["openid", "email"], parameters: [String: String] = [:], loginHint: String? = nil,
        nonce: Secret? = Secret("nonce-1"), asksAgain: Bool = false
    ) throws -> String {
        try AuthorizationRequest(
            to: ResolvedProvider(provider), redirectURI: "http://127.0.0.1:7678/__/auth/handler", state: Secret("state-1"),
            codeVerifier: verifier, nonce: nonce, scopes: scopes, parameters: parameters, loginHint: loginHint, asksAgain: asksAgain,
            cryptography: OpenSSLCryptography()
        ).url
    }

    @Test("The page of an OpenID provider, exactly")
    func openID() throws {
        #expect(
            try request(to: .openID())
                == "https://op.example/authorize?response_type=code&client_id=client"
                + "&redirect_uri=http%3A%2F%2F127.0.0.1%3A7678%2F__%2Fauth%2Fhandler&scope=openid%20email&state=state-1&nonce=nonce-1"
                + "&code_challenge=E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM&code_challenge_method=S256")
    }

    @Test("Without OpenID there is no nonce; without scopes no scope; PKCE always")
    func oauth2() throws {
        let url = try request(to: .oauth2(), scopes: [])
        #expect(!url.contains("nonce=") && !url.contains("scope="))
        #expect(url.contains("code_challenge_method=S256"))
    }

    @Test("The endpoint's own query is kept in front")
    func endpointQuery() throws {
        var provider = Provider.oauth2()
        provider.endpoints.authorization = "https://as.example/authorize?p=b2c%20x&q"
        #expect(try request(to: provider).hasPrefix("https://as.example/authorize?p=b2c%20x&q&response_type=code&"))
    }

    @Test("Parameters are encoded, the program's go before the configured ones")
    func parameters() throws {
        var provider = Provider.oauth2()
        provider.parameters = ["prompt": "login", "hd": "example.com"]
        let url = try request(to: provider, parameters: ["prompt": "a b+c&state=evil#é", "ui_locales": "ja"])
        #expect(url.hasSuffix("&hd=example.com&prompt=a%20b%2Bc%26state%3Devil%23%C3%A9&ui_locales=ja"))
    }

    @Test("The account that the program would like goes under the provider's name for it")
    func loginHint() throws {
        #expect(try request(to: .openID(), loginHint: "a+b@example.com").hasSuffix("&login_hint=a%2Bb%40example.com"))
        #expect(try request(to: .gitHub(), loginHint: "octo").hasSuffix("&login=octo"))
        #expect(try request(to: .openID(), parameters: ["login_hint": "x"], loginHint: "y").hasSuffix("&login_hint=y"))
    }

    @Test("Each provider is asked in its own way to ask again, and nothing of a program's takes that away")
    func askingAgain() throws {
        for (id, wanted) in [
            ("github.com", ["prompt": "select_account"]), ("google.com", ["prompt": "select_account"]), ("microsoft.com", ["prompt": "login"]),
            ("gitlab.com", ["prompt": "login", "max_age": "0"]), ("facebook.com", ["auth_type": "reauthenticate"]), ("apple.com", [:]),
            ("twitter.com", ["force_login": "true"]), ("x.com", [:]),
        ] as [(String, [String: String])] {
            let provider = try #require(Catalogue.provider(id))
            #expect(provider.dialect.askingAgain(at: provider) == wanted, "\(id)")
            guard provider.kind == .oidc, id != "apple.com" else { continue }
            // Under another name it is asked as under its own.
            var other = Provider.openID()
            other.issuer = provider.issuer
            #expect(other.dialect.askingAgain(at: other) == wanted, "\(id)")
        }
        func asked(_ provider: Provider, _ parameters: [String: String]) throws -> String {
            try request(to: provider, parameters: parameters, asksAgain: true)
        }
        #expect(try asked(.openID(), ["prompt": "none", "max_age": "3600"]).hasSuffix("&max_age=0&prompt=login"))
        #expect(try asked(.openID(), ["prompt": "consent login none"]).hasSuffix("&max_age=0&prompt=login%20consent"))
        #expect(try asked(.gitHub(), ["prompt": "none"]).hasSuffix("&prompt=select_account"))
        let entra = try #require(Catalogue.provider("microsoft.com"))
        func prompt(_ provider: Provider, _ given: String) throws -> String? {
            var provider = provider
            provider.clientID = "client"
            return AuthorizationRequest.askingAgain(["prompt": given], of: try ResolvedProvider(provider))["prompt"]
        }
        #expect(try prompt(entra, "select_account") == "login" && prompt(.openID(), "consent") == "login consent")
        // Where there is no parameter of ours, `none` goes all the same.
        #expect(try prompt(#require(Catalogue.provider("x.com")), "none") == nil)
        var fixed = Provider.openID()
        fixed.endpoints.authorization = "https://op.example/authorize?prompt=none"
        #expect(try !asked(fixed, [:]).contains("&prompt="))
    }

    @Test(
        "No parameter takes the place of one of ours",
        arguments: ["client_id", "State", "redirect_uri", "code_challenge_method", "nonce", "request_uri", "scope", "client.id"])
    func reserved(name: String) {
        #expect(throws: AuthorizationRequestError.reservedParameter(name: name)) { try request(to: .openID(), parameters: [name: "x", "prompt": "y"]) }
        var provider = Provider.openID()
        provider.parameters = [name: "x"]
        #expect(throws: AuthorizationRequestError.reservedParameter(name: name)) { try request(to: provider) }
    }

    @Test("Nor of one that is in the endpoint's query")
    func endpointParameter() {
        var provider = Provider.oauth2()
        provider.endpoints.authorization = "https://as.example/authorize?policy=strict"
        #expect(throws: AuthorizationRequestError.reservedParameter(name: "policy")) { try request(to: provider, parameters: ["policy": "lax"]) }
    }

    @Test(
        "A name that could be read as another is refused",
        arguments: ["", "a b", "stat\u{65}\u{301}", "client%5Fid", "a&state", "a=b", "a\r\nb", "ｓｔａｔｅ", String(repeating: "a", count: 129)])
    func invalidName(name: String) {
        let error = #expect(throws: AuthorizationRequestError.self) { try request(to: .openID(), parameters: [name: "x"]) }
        guard case .invalidParameterName = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test("An address that browsers would cut off is refused")
    func length() {
        #expect(throws: AuthorizationRequestError.tooLong(limit: 16_384)) {
            try request(to: .openID(), parameters: ["claims": String(repeating: "é", count: 5000)])
        }
    }
}

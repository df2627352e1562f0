@testable import PosternCore
import StrictJSON
import Testing

@Suite struct ResolvedProviderTests {
    private func metadata(_ members: String = "") throws -> ProviderMetadata {
        try ProviderMetadata(
            parsing: Array(
                """
                {"issuer":"https://op.example","authorization_endpoint":"https://op.example/a","token_endpoint":"https://op.example/t",
                "jwks_uri":"https://op.example/k","userinfo_endpoint":"https://op.example/u","revocation_endpoint":"https://op.example/r"\(members)}
                """.utf8), expectedIssuer: "https://op.example")
    }

    private func discovered(secret: String? = nil, authentication: ClientAuthentication? = nil) -> Provider {
        var provider = Provider.openID(secret: secret, authentication: authentication)
        provider.endpoints = ProviderEndpoints()
        return provider
    }

    @Test("Discovery fills what the configuration leaves out")
    func discovery() throws {
        let provider = try ResolvedProvider(discovered(), metadata: metadata())
        #expect(provider.authorization.text == "https://op.example/a")
        #expect(provider.token.text == "https://op.example/t")
        #expect(provider.jwks?.text == "https://op.example/k")
        #expect(provider.userinfo?.text == "https://op.example/u")
        #expect(provider.revocation?.text == "https://op.example/r")
    }

    @Test("What is configured goes before what is discovered")
    func configured() throws {
        var configured = discovered()
        configured.endpoints.token = "https://proxy.example/t"
        let provider = try ResolvedProvider(configured, metadata: metadata())
        #expect(provider.token.text == "https://proxy.example/t")
        #expect(provider.authorization.text == "https://op.example/a")
    }

    @Test("A provider is discovered where something is missing that only discovery can tell")
    func needsDiscovery() {
        #expect(discovered().needsDiscovery)
        #expect(!Provider.openID().needsDiscovery)
        #expect(!Provider.gitHub().needsDiscovery)
        #expect(!Provider.oauth2().needsDiscovery)
        var keysMissing = Provider.openID()
        keysMissing.endpoints.jwks = nil
        #expect(keysMissing.needsDiscovery)
        var server = Provider.oauth2()
        server.endpoints = ProviderEndpoints()
        #expect(!server.needsDiscovery)
        server.issuer = "https://as.example"
        #expect(server.needsDiscovery)
    }

    @Test("What is missing is named")
    func missing() {
        #expect(throws: ProviderProblem.clientIDMissing) { try ResolvedProvider(.openID(clientID: nil)) }
        #expect(throws: ProviderProblem.clientIDMissing) { try ResolvedProvider(.openID(clientID: "")) }
        #expect(throws: ProviderProblem.endpointMissing(.authorization)) { try ResolvedProvider(discovered()) }
        #expect(throws: ProviderProblem.clientSecretMissing) { try ResolvedProvider(.gitHub(secret: nil)) }
        #expect(throws: ProviderProblem.clientSecretMissing) {
            try ResolvedProvider(.openID(authentication: .clientSecretBasic))
        }
        var provider = Provider.openID()
        provider.issuer = nil
        #expect(throws: ProviderProblem.issuerMissing) { try ResolvedProvider(provider) }
        provider = .openID()
        provider.endpoints.jwks = nil
        #expect(throws: ProviderProblem.endpointMissing(.jwks)) { try ResolvedProvider(provider) }
        provider.endpoints.token = nil
        #expect(throws: ProviderProblem.endpointMissing(.token)) { try ResolvedProvider(provider) }
    }

    @Test("A configured endpoint that is none is named")
    func invalidEndpoint() {
        var provider = Provider.oauth2()
        provider.endpoints.userinfo = "http://as.example/me"
        #expect(throws: ProviderProblem.endpointInvalid(.userinfo, .plainHTTP(host: "as.example"))) { try ResolvedProvider(provider) }
    }

    @Test("An authorization endpoint whose own query sets what a request sets is refused")
    func reservedInEndpoint() {
        var provider = Provider.oauth2()
        provider.endpoints.authorization = "https://as.example/authorize?p=b2c&Client%5Fid=x"
        #expect(throws: ProviderProblem.endpointHasReservedParameter(.authorization, name: "Client_id")) { try ResolvedProvider(provider) }
    }

    @Test("Without a secret the client is a public one, whatever the metadata list")
    func publicClient() throws {
        #expect(try ResolvedProvider(discovered(), metadata: metadata()).clientAuthentication == .none)
        let listed = try metadata(#","token_endpoint_auth_methods_supported":["client_secret_basic"]"#)
        #expect(try ResolvedProvider(discovered(), metadata: listed).clientAuthentication == .none)
    }

    @Test(
        "With a secret the metadata choose how it is shown",
        arguments: [
            ("", .clientSecretBasic),
            (#","token_endpoint_auth_methods_supported":["client_secret_post","client_secret_basic"]"#, .clientSecretBasic),
            (#","token_endpoint_auth_methods_supported":["private_key_jwt","client_secret_post"]"#, .clientSecretPost),
        ] as [(String, ClientAuthentication)])
    func authentication(members: String, expected: ClientAuthentication) throws {
        #expect(try ResolvedProvider(discovered(secret: "s"), metadata: metadata(members)).clientAuthentication == expected)
    }

    @Test("The configuration goes before the metadata there, too")
    func configuredAuthentication() throws {
        let listed = try metadata(#","token_endpoint_auth_methods_supported":["client_secret_basic"]"#)
        let provider = discovered(secret: "s", authentication: .clientSecretPost)
        #expect(try ResolvedProvider(provider, metadata: listed).clientAuthentication == .clientSecretPost)
    }

    @Test(
        "A secret or an ID that HTTP Basic would change is sent in the form, if the provider takes it there",
        arguments: [
            ("client", "a/b", "client_secret_post", ClientAuthentication.clientSecretPost), ("client", "a+b", "client_secret_post", .clientSecretPost),
            ("client", "100%", "client_secret_post", .clientSecretPost), ("client", "é", "client_secret_post", .clientSecretPost),
            ("https://app.example/", "s", "client_secret_post", .clientSecretPost), ("client", "a/b", "none", .clientSecretBasic),
            ("client-1_a.b~c", "aZ0-._~", "client_secret_post", .clientSecretBasic),
        ] as [(String, String, String, ClientAuthentication)])
    func changedByBasic(id: String, secret: String, further: String, expected: ClientAuthentication) throws {
        let offered = try metadata(#","token_endpoint_auth_methods_supported":["client_secret_basic","\#(further)"]"#)
        var provider = discovered(secret: secret)
        provider.clientID = id
        #expect(try ResolvedProvider(provider, metadata: offered).clientAuthentication == expected)
        provider.clientAuthentication = .clientSecretBasic
        #expect(try ResolvedProvider(provider, metadata: offered).clientAuthentication == .clientSecretBasic)
    }

    @Test(
        "If the client is refused, the message says what the secret's characters may have done",
        arguments: [
            ("a/b", ["client_secret_basic"], nil, "try client-authentication = \"client_secret_post\", or a secret without them"),
            ("a/b", nil, nil, "try client-authentication = \"client_secret_post\", or a secret without them"),
            ("a/b", nil, .clientSecretBasic, "try client-authentication = \"client_secret_post\", or a secret without them"),
            ("a/b", ["client_secret_basic", "client_secret_post"], nil, "set client-authentication = \"client_secret_basic\""),
            ("a/b", nil, .clientSecretPost, nil), ("ab", ["client_secret_basic"], nil, nil),
        ] as [(String, [String]?, ClientAuthentication?, String?)])
    func refusedClient(secret: String, offered: [String]?, configured: ClientAuthentication?, advice: String?) throws {
        let methods = offered.map { #","token_endpoint_auth_methods_supported":[\#($0.map { "\"\($0)\"" }.joined(separator: ","))]"# }
        let provider = try ResolvedProvider(discovered(secret: secret, authentication: configured), metadata: metadata(methods ?? ""))
        func message(_ answer: ProviderResponse) -> String {
            do throws(TokenEndpointError) {
                _ = try TokenResponse.grant(from: answer, to: .exchange, at: provider, scopes: [], sentAt: now, now: now)
                return "no error"
            } catch { return "\(error)" }
        }
        for answer in [ProviderResponse.json(#"{"error":"invalid_client"}"#, status: 401), ProviderResponse(status: 401)] {
            let message = message(answer)
            #expect(message.contains("client-authentication") == (advice != nil) && advice.map(message.contains) ?? true, "\(message)")
            #expect(message.hasSuffix("`postern setup \(provider.id)` asks for the client again)") && !message.contains(secret), "\(message)")
        }
        #expect(!message(.json(#"{"error":"invalid_grant"}"#, status: 400)).contains("client-authentication"))
    }

    @Test("A provider that takes none of our ways is told from one that is silent")
    func noCommonWay() throws {
        let listed = try metadata(#","token_endpoint_auth_methods_supported":["private_key_jwt"]"#)
        #expect(throws: ProviderProblem.noCommonClientAuthentication(offered: ["private_key_jwt"])) {
            try ResolvedProvider(discovered(secret: "s"), metadata: listed)
        }
    }

    @Test("The issuer of callbacks is the provider's, and required where it says so")
    func responseIssuer() throws {
        #expect(
            try ResolvedProvider(discovered(), metadata: metadata()).responseIssuer
                == ResponseIssuer(expected: "https://op.example", isRequired: false))
        let announced = try metadata(#","authorization_response_iss_parameter_supported":true"#)
        #expect(
            try ResolvedProvider(discovered(), metadata: announced).responseIssuer
                == ResponseIssuer(expected: "https://op.example", isRequired: true))
        #expect(try ResolvedProvider(.oauth2()).responseIssuer == ResponseIssuer(expected: nil, isRequired: false))
    }

    @Test("ID tokens may be signed with what both sides know")
    func algorithms() throws {
        #expect(try ResolvedProvider(discovered(), metadata: metadata()).idTokenAlgorithms == Set(SignatureAlgorithm.allCases))
        let listed = try metadata(#","id_token_signing_alg_values_supported":["RS256","HS256"]"#)
        #expect(try ResolvedProvider(discovered(), metadata: listed).idTokenAlgorithms == [.rs256])
    }
}

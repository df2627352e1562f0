import StrictJSON
import Testing

@testable import PosternCore

@Suite("Clients that are registered by asking (RFC 7591)")
struct RegistrationTests {
    private static let redirectURI = "http://127.0.0.1:7678/__/auth/handler"

    private func provider(authentication: ClientAuthentication? = nil) -> Provider {
        var provider = Provider.openID(clientID: nil, authentication: authentication)
        provider.extensions.registersClient = true
        return provider
    }

    private func metadata(_ more: String = #","registration_endpoint":"https://op.example/register""#) throws -> ProviderMetadata {
        try ProviderMetadata(parsing: Array(#"{"issuer":"https://op.example"\#(more)}"#.utf8), expectedIssuer: "https://op.example")
    }

    // MARK: Asking

    @Test("A client is asked for that takes its answers here, with all that was configured")
    func request() throws {
        var provider = provider()
        (provider.extensions.usesDPoP, provider.extensions.returnsFromEndSession) = (true, true)
        let request = try ClientRegistrationRequest.request(
            for: provider, metadata: metadata(), redirectURI: Self.redirectURI, signedOutURI: "http://127.0.0.1:7678/__/auth/signed-out")
        #expect(request.method == "POST" && request.url == "https://op.example/register")
        #expect(request.headers("Content-Type") == ["application/json"])
        let expected: JSONObject = [
            "client_name": "Postern", "application_type": "native", "redirect_uris": [.string(Self.redirectURI)],
            "response_types": ["code"],
            "grant_types": ["authorization_code", "refresh_token"], "token_endpoint_auth_method": "client_secret_basic",
            "scope": "openid email", "dpop_bound_access_tokens": true, "post_logout_redirect_uris": ["http://127.0.0.1:7678/__/auth/signed-out"],
        ]
        #expect(try JSON(parsing: request.body) == .object(expected))
    }

    @Test("The grant of the device flow is asked for where there is such a flow")
    func deviceGrant() throws {
        let endpoints = #","registration_endpoint":"https://op.example/register","device_authorization_endpoint":"https://op.example/device""#
        let metadata = try metadata(endpoints)
        #expect(ClientRegistrationRequest.namesDeviceFlow(for: provider(), metadata: metadata))
        #expect(try !ClientRegistrationRequest.namesDeviceFlow(for: provider(), metadata: self.metadata()))
        let request = try ClientRegistrationRequest.request(
            for: provider(), metadata: metadata, redirectURI: Self.redirectURI, namesDeviceFlow: true)
        #expect(
            try JSON(parsing: request.body).objectValue?["grant_types"]
                == ["authorization_code", "refresh_token", "urn:ietf:params:oauth:grant-type:device_code"])
    }

    @Test("The address of the configuration goes before that of the metadata; without any there is a sentence")
    func endpoint() throws {
        var named = provider()
        named.endpoints.registration = "https://op.example/own"
        #expect(
            try ClientRegistrationRequest.request(for: named, metadata: metadata(), redirectURI: Self.redirectURI).url
                == "https://op.example/own")
        #expect(throws: ProviderProblem.endpointMissing(.registration)) {
            try ClientRegistrationRequest.request(for: provider(), metadata: metadata(""), redirectURI: Self.redirectURI)
        }
        #expect(provider().needsDiscovery && !named.needsDiscovery)
    }

    @Test("Its own secret is preferred, but for an MCP server; what the configuration says, or the server offers, is kept to")
    func authentication() throws {
        func chosen(_ methods: String?, _ configured: ClientAuthentication? = nil, server: Bool = false) throws -> ClientAuthentication {
            var provider = provider(authentication: configured)
            if server { provider.server = MCPServer(url: try EndpointURL("https://mcp.example/mcp")) }
            let list = methods.map { #","token_endpoint_auth_methods_supported":\#($0)"# } ?? ""
            return try ClientRegistrationRequest.authentication(of: provider, metadata: metadata(list))
        }
        #expect(try chosen(#"["none","client_secret_post","client_secret_basic"]"#) == .clientSecretBasic)
        #expect(try chosen(#"["none","client_secret_post"]"#) == .clientSecretPost)
        #expect(try chosen(#"["none"]"#) == ClientAuthentication.none)
        #expect(try chosen(#"["client_secret_post","none","client_secret_basic"]"#, server: true) == ClientAuthentication.none)
        #expect(try chosen(#"["client_secret_basic","client_secret_post"]"#, server: true) == .clientSecretPost)
        #expect(try chosen(#"["client_secret_basic"]"#, server: true) == .clientSecretBasic)
        for server in [false, true] { #expect(try chosen(nil, server: server) == .clientSecretBasic, "RFC 8414 section 2") }
        #expect(try chosen(#"["client_secret_basic"]"#, ClientAuthentication.none) == ClientAuthentication.none)
        #expect(throws: ProviderProblem.noCommonClientAuthentication(offered: ["private_key_jwt"])) { try chosen(#"["private_key_jwt"]"#) }
    }

    @Test("It is registered for all scopes that the issuer lists, or else the resource, after those that it requests")
    func scopes() throws {
        func scope(_ listed: String, resource: [String] = []) throws -> String? {
            var provider = provider()
            provider.resourceScopes = resource
            let metadata = try metadata(#","registration_endpoint":"https://op.example/register"\#(listed)"#)
            let request = try ClientRegistrationRequest.request(for: provider, metadata: metadata, redirectURI: Self.redirectURI)
            return try JSON(parsing: request.body).objectValue?["scope"]?.stringValue
        }
        #expect(try scope(#","scopes_supported":["admin","email","use"]"#, resource: ["read"]) == "openid email admin use")
        #expect(try scope("", resource: ["read", "a b", "email"]) == "openid email read")
        #expect(try scope(#","scopes_supported":["a b","","use","use","é"]"#) == "openid email use")
        #expect(try scope(#","scopes_supported":"admin""#) == "openid email")
    }

    @Test("The scopes that are listed are bounded in number and length, and those that it requests are all among them")
    func boundedScopes() throws {
        func scopes(_ listed: [String], requesting own: [String] = []) throws -> [String] {
            var provider = provider()
            provider.scopes += own
            let document: JSONObject = ["issuer": "https://op.example", "scopes_supported": .array(listed.map { .string($0) })]
            let metadata = try ProviderMetadata(parsing: document.serialized, expectedIssuer: "https://op.example")
            return ClientScopes.wanted(for: provider, metadata: metadata)
        }
        #expect(try scopes((0..<400).map { "s\($0)" }).count == 128)
        let long = try scopes((0..<100).map { "\($0)" + String(repeating: "x", count: 200) })
        #expect(long.joined(separator: " ").utf8.count <= 4096 && long.count > 10)
        let own = (0..<200).map { "own\($0)" }
        #expect(try scopes(["admin"], requesting: own) == ["openid", "email"] + own)
    }

    // MARK: The answer

    private func client(_ text: String, status: Int = 201, asked: ClientAuthentication = .clientSecretBasic) throws -> RegisteredClient {
        try RegisteredClient(
            from: .json(text, status: status), of: provider(), scopes: ["openid", "email"], redirectURI: Self.redirectURI, asked: asked,
            now: now)
    }

    @Test("What the server gives is used, whichever of the two statuses it says it with", arguments: [200, 201])
    func answer(status: Int) throws {
        let client = try client(
            #"{"client_id":"abc","client_secret":"s","client_secret_expires_at":1800090000,"redirect_uris":["\#(Self.redirectURI)"],"more":1}"#,
            status: status)
        #expect(client.clientID == "abc" && client.clientSecret == Secret("s") && client.authentication == .clientSecretBasic)
        #expect(client.secretExpiresAt == Timestamp(seconds: 1_800_090_000) && client.registrar == "https://op.example")
        #expect(client.scopes == ["openid", "email"])
        let speaking = provider().speaking(as: client)
        #expect(try ResolvedProvider(speaking).clientID == "abc")
    }

    @Test("0 is a secret without an end, and a server may choose another way to prove it")
    func replaced() throws {
        let client = try client(
            #"{"client_id":"abc","client_secret":"s","client_secret_expires_at":0,"token_endpoint_auth_method":"client_secret_post"}"#)
        #expect(client.secretExpiresAt == nil && client.authentication == .clientSecretPost)
        let open = try self.client(#"{"client_id":"abc","client_secret":"unused","token_endpoint_auth_method":"none"}"#)
        #expect(open.clientSecret == nil && open.authentication == ClientAuthentication.none)
    }

    @Test("What is echoed as null or as an empty text is absent", arguments: ["null", "\"\""])
    func absent(value: String) throws {
        let members = ["client_secret", "redirect_uris", "token_endpoint_auth_method", "client_secret_expires_at"]
        let client = try client(
            #"{"client_id":"abc",\#(members.map { "\"\($0)\":\(value)" }.joined(separator: ","))}"#, asked: .none)
        #expect(client.clientID == "abc" && client.clientSecret == nil && client.authentication == ClientAuthentication.none)
        #expect(throws: ClientRegistrationError.secretMissing) { try self.client(#"{"client_id":"abc","client_secret":\#(value)}"#) }
    }

    @Test("What the server replaced besides is its affair")
    func replacedBesides() throws {
        let client = try client(
            #"{"client_id":"abc","client_secret":"s","grant_types":["authorization_code"],"application_type":"web","scope":"openid","redirect_uris":["https://x.example","\#(Self.redirectURI)"]}"#)
        #expect(client.clientID == "abc" && client.scopes == ["openid", "email"])
    }

    @Test(
        "An answer that nobody can go on with is told",
        arguments: [
            (#"{}"#, 201, "in its answer to the registration client_id is missing"),
            (#"{"client_id":""}"#, 201, "in its answer to the registration client_id is too long or has characters that are not allowed"),
            (
                #"{"client_id":"a\nb","client_secret":"s"}"#, 201,
                "in its answer to the registration client_id is too long or has characters that are not allowed"
            ),
            (
                #"{"client_id":"a","client_secret":"é"}"#, 201,
                "in its answer to the registration client_secret is too long or has characters that are not allowed"
            ),
            (#"{"client_id":"a"}"#, 201, "it registered a client that authenticates by a secret, but gave none"),
            (
                #"{"client_id":"a","token_endpoint_auth_method":"private_key_jwt"}"#, 201,
                "it registered a client that authenticates by private_key_jwt, but Postern supports only client_secret_basic, client_secret_post, none"
            ),
            (
                #"{"client_id":"a","client_secret":"s","redirect_uris":["http://127.0.0.1/"]}"#, 201,
                "it registered a client whose redirect_uris do not include ours, so no answer would arrive here"
            ),
            (
                #"{"error":"invalid_redirect_uri","error_description":"no loopback"}"#, 400,
                "it refused to register a client: invalid_redirect_uri: no loopback"
            ),
            (#"{"client_id":"a","client_secret":"s"}"#, 302, "it refused to register a client: status 302, without a reason"),
            ("[]", 201, "its answer to the registration must be an object, but is an array"),
            ("", 503, "it could not register a client: it cannot answer now (status 503); try again later"),
        ])
    func refused(text: String, status: Int, sentence: String) throws {
        do {
            _ = try client(text, status: status)
            Issue.record("was taken")
        } catch let error as ClientRegistrationError {
            #expect(error.description == sentence)
        }
        #expect(throws: ClientRegistrationError.tooLarge(limit: 65536)) { try client(String(repeating: " ", count: 65537)) }
    }

    @Test("A server that chooses another way than the configured one is told, and not asked for a client at every sign-in")
    func otherAuthentication() throws {
        let answer = #"{"client_id":"a","client_secret":"s","token_endpoint_auth_method":"client_secret_post"}"#
        #expect(throws: ClientRegistrationError.otherAuthentication(.clientSecretPost)) {
            try RegisteredClient(
                from: .json(answer, status: 201), of: provider(authentication: .clientSecretBasic), scopes: [],
                redirectURI: Self.redirectURI, asked: .clientSecretBasic, now: now)
        }
    }

    // MARK: Keeping

    private func registered(_ id: String, redirectURI: String = redirectURI, expires: Int64? = nil) -> RegisteredClient {
        RegisteredClient(
            providerID: "work", registrar: "https://op.example", redirectURI: redirectURI, scopes: ["openid", "email"], clientID: id,
            clientSecret: Secret("s"), authentication: .clientSecretBasic, secretExpiresAt: expires.map { now.adding(seconds: $0) })
    }

    @Test("A client serves until something that it was registered with changes, or its secret ends")
    func current() {
        let registrations = ClientRegistrations([registered("a")])
        func client(_ change: (inout Provider) -> Void = { _ in }, redirectURI: String = Self.redirectURI) -> String? {
            var provider = provider()
            change(&provider)
            return registrations.client(for: provider, redirectURI: redirectURI, now: now)?.clientID
        }
        #expect(client() == "a")
        #expect(client({ $0.scopes = ["openid"] }) == "a")
        #expect(client(redirectURI: "http://127.0.0.1:7679/__/auth/handler") == nil)
        #expect(client({ $0.issuer = "https://other.example" }) == nil)
        #expect(client({ $0.id = "other" }) == nil)
        #expect(client({ $0.scopes.append("calendar") }) == nil)
        #expect(client({ $0.clientAuthentication = ClientAuthentication.none }) == nil)
        #expect(client({ $0.extensions.returnsFromEndSession = true }) == nil)
        let ending = ClientRegistrations([registered("a", expires: 3600), registered("b", redirectURI: "x")])
        #expect(ending.client(for: provider(), redirectURI: Self.redirectURI, now: now) == nil)
        #expect(
            ClientRegistrations([registered("a", expires: 3601)]).client(for: provider(), redirectURI: Self.redirectURI, now: now) != nil)
    }

    @Test("What was begun with an earlier client goes on with that one")
    func bound() {
        var registrations = ClientRegistrations([registered("old", redirectURI: "http://127.0.0.1:1/__/auth/handler")])
        let binding = provider().speaking(as: registered("old")).binding
        registrations.add(registered("new"))
        #expect(registrations.client(for: provider(), redirectURI: Self.redirectURI, now: now)?.clientID == "new")
        #expect(registrations.client(of: provider(), boundTo: binding)?.clientID == "old")
        var moved = provider()
        moved.issuer = "https://other.example"
        #expect(registrations.client(of: moved, boundTo: binding) == nil)
        let forgotten = (1...2).map { _ in registrations.forget("old", of: "work") }
        #expect(forgotten == [true, false])
        #expect(registrations.client(of: provider(), boundTo: binding) == nil)
    }

    @Test("A client that is given again is known once, with its new secret; another provider's of the same ID stays")
    func givenAgain() {
        var other = registered("a")
        other.providerID = "other"
        var registrations = ClientRegistrations([other, registered("a", redirectURI: "http://127.0.0.1:1/__/auth/handler")])
        var again = registered("a")
        again.clientSecret = Secret("new")
        registrations.add(again)
        #expect(registrations.all.map(\.providerID) == ["other", "work"])
        let binding = provider().speaking(as: again).binding
        #expect(registrations.client(of: provider(), boundTo: binding)?.clientSecret == Secret("new"))
    }

    @Test("Not more are kept than are of use, and none that the configuration does not want")
    func bounded() {
        var registrations = ClientRegistrations()
        for number in 1...9 { registrations.add(registered("c\(number)")) }
        #expect(registrations.all.map(\.clientID) == ["c6", "c7", "c8", "c9"])
        let forgotten = [[provider()], [], [.openID()]].map { registrations.forgetUnwanted(by: $0) }
        #expect(forgotten == [false, false, true])
        #expect(registrations.all.isEmpty)
    }

    @Test("A client that a credential needs is not evicted by others, unless all are needed")
    func used() {
        var registrations = ClientRegistrations()
        for number in 1...9 { registrations.add(registered("c\(number)")) { $0.clientID == "c1" } }
        #expect(registrations.all.map(\.clientID) == ["c1", "c7", "c8", "c9"])
        registrations.add(registered("c10")) { _ in true }
        #expect(registrations.all.map(\.clientID) == ["c7", "c8", "c9", "c10"])
    }

    @Test("A client is forgotten as the one that its registrar issued, where one is named")
    func forgottenByRegistrar() {
        var other = registered("a")
        other.registrar = "https://other.example"
        var registrations = ClientRegistrations([registered("a"), other])
        let forgotten = ["https://third.example", "https://other.example", "https://other.example"].map {
            registrations.forget("a", of: "work", by: $0)
        }
        #expect(forgotten == [false, true, false])
        #expect(registrations.all.map(\.registrar) == ["https://op.example"])
    }
}

extension ClientRegistrationRequest {
    /// For all scopes that the client may want.
    static func request(
        for provider: Provider, metadata: ProviderMetadata?, redirectURI: String, signedOutURI: String? = nil, namesDeviceFlow: Bool = false
    ) throws(ProviderProblem) -> ProviderRequest {
        try request(
            for: provider, metadata: metadata, redirectURI: redirectURI, signedOutURI: signedOutURI,
            scopes: ClientScopes.wanted(for: provider, metadata: metadata), namesDeviceFlow: namesDeviceFlow)
    }
}

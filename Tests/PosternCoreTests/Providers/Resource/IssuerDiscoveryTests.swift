@testable import PosternCore
import Testing

@Suite("The metadata of a resource's issuer")
struct IssuerDiscoveryTests {
    private static let issuer = "https://as.example/r"
    private static let place = "https://as.example/.well-known/oauth-authorization-server/r"
    private static let resource = "https://mcp.example/mcp"

    private static func document(issuer: String = Self.issuer, _ members: String = "") -> String {
        let origin = (try? EndpointURL(issuer))?.origin ?? ""
        return """
            {"issuer":"\(issuer)","authorization_endpoint":"\(origin)/authorize","token_endpoint":"\(origin)/token",
            "code_challenge_methods_supported":["S256"]\(members)}
            """
    }

    private func discovery(
        _ issuer: String = Self.issuer, of resource: String = Self.resource, isConfigured: Bool = false
    ) throws -> IssuerDiscovery {
        try IssuerDiscovery(issuer: issuer, of: EndpointURL(resource), isConfigured: isConfigured)
    }

    @Test(
        "are asked for in MCP's order, with a slash at the issuer's end left out",
        arguments: [
            ("https://as.example", ["/.well-known/oauth-authorization-server", "/.well-known/openid-configuration"]),
            ("https://as.example/", ["/.well-known/oauth-authorization-server", "/.well-known/openid-configuration"]),
            (
                "https://as.example/jwt",
                [
                    "/.well-known/oauth-authorization-server/jwt", "/.well-known/openid-configuration/jwt",
                    "/jwt/.well-known/openid-configuration",
                ]
            ),
            (
                "https://as.example:8443/a/b/",
                [
                    "/.well-known/oauth-authorization-server/a/b", "/.well-known/openid-configuration/a/b",
                    "/a/b/.well-known/openid-configuration",
                ]
            ),
        ])
    func places(issuer: String, paths: [String]) throws {
        let origin = try EndpointURL(issuer).origin
        var hosts = AnsweringHosts([String: ProviderResponse]())
        let error = hosts.discover(try discovery(issuer)).failure
        #expect(hosts.urls == paths.map { origin + $0 })
        #expect(error == .issuer(issuer, .withoutMetadata(hosts.urls.map { MissingDocument(url: $0, status: 404) })))
        for request in hosts.requests {
            #expect(request.addresses == .publicUnless(host: "mcp.example") && request.method == "GET")
            #expect(request.mostBodyBytes == 65536 && request.longestSeconds == 10)
            #expect(request.headers.contains { $0 == ("MCP-Protocol-Version", "2026-07-28") })
        }
        // Each of them will do.
        for (index, url) in hosts.urls.enumerated() {
            var one = AnsweringHosts([url: Self.document(issuer: issuer)])
            #expect(try one.discover(discovery(issuer)).get().issuer == issuer)
            #expect(one.requests.count == index + 1)
        }
    }

    @Test("are read as those of every provider, and what MCP needs of them as well")
    func complete() throws {
        let members = """
            ,"scopes_supported":["a","offline_access","b c","a"],"registration_endpoint":"https://as.example/register",
            "client_id_metadata_document_supported":true,"authorization_response_iss_parameter_supported":true
            """
        var hosts = AnsweringHosts([Self.place: Self.document(members)])
        let metadata = try hosts.discover(discovery()).get()
        #expect(metadata.scopesSupported == ["a", "offline_access"] && metadata.listsOfflineAccess)
        #expect(metadata.codeChallengeMethods == ["S256"] && metadata.takesClientDocuments && metadata.announcesResponseIssuer)
        #expect(metadata.registration?.text == "https://as.example/register" && !metadata.isAssumed)

        var least = AnsweringHosts([Self.place: Self.document()])
        let other = try least.discover(discovery()).get()
        #expect(other.scopesSupported == nil && !other.takesClientDocuments && !other.announcesResponseIssuer)
    }

    @Test(
        "name the issuer that was asked, as the same text; a refusal shows both",
        arguments: [
            "https://as.example/r/", "https://as.example", "https://AS.example/r", "https://as.example:443/r", "https://as.example/%72",
            "https://evil.example/r", "http://as.example/r", "r",
        ])
    func otherIssuer(found: String) throws {
        var hosts = AnsweringHosts([Self.place: Self.document(issuer: found)])
        let error = hosts.discover(try discovery()).failure
        #expect(error == .issuer(Self.issuer, .other(found: found)))
        #expect(
            error.map { "\($0)" }
                == "the issuer https://as.example/r calls itself \(found) in its metadata (issuer); the two must be identical")
        #expect(hosts.requests.count == 1, "the next place is not asked")
    }

    @Test(
        "that cannot be used are refused, and the sentence says why",
        arguments: [
            (
                #"{"issuer":"https://as.example/r","authorization_endpoint":"https://as.example/a","token_endpoint":"https://as.example/t"}"#,
                "does not announce PKCE, which MCP demands; its metadata must have code_challenge_methods_supported with S256"
            ),
            (
                #"{"issuer":"https://as.example/r","code_challenge_methods_supported":"S256"}"#,
                "does not announce PKCE, which MCP demands; its metadata must have code_challenge_methods_supported with S256"
            ),
            (
                #"{"issuer":"https://as.example/r","code_challenge_methods_supported":["plain","s256"]}"#,
                "announces no PKCE method that is safe: code_challenge_methods_supported is plain, s256, and must have S256"
            ),
            (
                #"{"issuer":"https://as.example/r","code_challenge_methods_supported":[]}"#,
                "announces no PKCE method that is safe: code_challenge_methods_supported is empty, and must have S256"
            ),
            (
                #"{"issuer":"https://as.example/r","code_challenge_methods_supported":["S256"],"token_endpoint":"https://as.example/t"}"#,
                "names no authorization_endpoint in its metadata"
            ),
            (
                #"{"issuer":"https://as.example/r","code_challenge_methods_supported":["S256"],"authorization_endpoint":"https://as.example/a"}"#,
                "names no token_endpoint in its metadata"
            ),
            (
                #"{"issuer":["https://as.example/r"]}"#,
                "is refused: in the provider's metadata issuer must be a string, but is an array"
            ),
            ("{}", "is refused: in the provider's metadata issuer is missing"),
            ("[]", "is refused: the provider's metadata must be an object, but are an array"),
            ("<html></html>", "is refused: the provider's metadata are a web page (HTML), not JSON; is the URL right?"),
        ])
    func refused(document: String, sentence: String) throws {
        var hosts = AnsweringHosts([Self.place: document])
        let error = hosts.discover(try discovery()).failure
        #expect(error.map { "\($0)" } == "the issuer \(Self.issuer) \(sentence)")
        #expect(error?.providerFailure(at: "work").reason == .providerNotConfigured)
        #expect(hosts.requests.count == 1)
    }

    @Test(
        "with an endpoint that nobody may be sent to are refused",
        arguments: ["authorization_endpoint", "token_endpoint", "revocation_endpoint"],
        [
            ("https://as.example/a#b", .fragment), ("http://as.example/a", .plainHTTP(host: "as.example")),
            ("http://127.0.0.1/a", .plainHTTP(host: "127.0.0.1")), ("https://localhost/a", .thisMachine(host: "localhost")),
            ("https://[::1]/a", .thisMachine(host: "::1")), ("javascript:alert(1)", .notAbsolute), ("file:///a", .unsupportedScheme),
            ("https://a:b@as.example/a", .userInformation), ("/authorize", .notAbsolute), ("https://as.example/a\\u0000", .forbiddenCharacter),
        ] as [(String, EndpointURLError)])
    func hostileEndpoint(member: String, value: (url: String, problem: EndpointURLError)) throws {
        let endpoints = ["authorization_endpoint", "token_endpoint", "revocation_endpoint"].map { name in
            "\"\(name)\":\"\(name == member ? value.url : "https://as.example/\(name)")\""
        }
        let text =
            #"{"issuer":"https://as.example/r","code_challenge_methods_supported":["S256"],\#(endpoints.joined(separator: ","))}"#
        var hosts = AnsweringHosts([Self.place: text])
        let expected = ResourceError.issuer(Self.issuer, .metadata(.endpointInvalid(member: member, value.problem)))
        #expect(hosts.discover(try discovery()).failure == expected)
    }

    @Test("without a usable registration endpoint are those of an issuer that registers nobody")
    func hostileRegistration() throws {
        var hosts = AnsweringHosts([Self.place: Self.document(#","registration_endpoint":"http://127.0.0.1:25/""#)])
        #expect(try hosts.discover(discovery()).get().registration == nil)
    }

    @Test(
        "are not asked of what is no issuer, or of one that a server elsewhere may not name",
        arguments: [
            ("http://as.example", .plainHTTP(host: "as.example")), ("https://as.example?a", .query), ("https://as.example#a", .fragment),
            ("https://u@as.example", .userInformation), ("https://as.example/a/..", .dotSegment), ("https://as.example/%2e", .dotSegment),
            ("data:,", .notAbsolute), ("", .notAbsolute), ("http://127.0.0.1:9000", .thisMachine(host: "127.0.0.1")),
            ("https://a.localhost", .thisMachine(host: "a.localhost")),
        ] as [(String, EndpointURLError)])
    func invalidIssuer(issuer: String, problem: EndpointURLError) {
        #expect(throws: ResourceError.issuer(issuer.isEmpty ? "nothing" : issuer, .invalid(problem))) { try discovery(issuer) }
    }

    @Test("on this machine are those of a server here, also without TLS")
    func here() throws {
        let place = "http://127.0.0.1:9000/.well-known/oauth-authorization-server"
        var hosts = AnsweringHosts([place: Self.document(issuer: "http://127.0.0.1:9000")])
        let metadata = try hosts.discover(discovery("http://127.0.0.1:9000", of: "http://localhost:4660/mcp")).get()
        #expect(metadata.token?.text == "http://127.0.0.1:9000/token")
        #expect(hosts.requests.map(\.addresses) == [.publicUnless(host: "localhost")])
    }

    @Test("of an issuer that the configuration names may be at any address, but not where that sends us")
    func configured() throws {
        let start = "http://127.0.0.1:9000/.well-known/oauth-authorization-server"
        var hosts = AnsweringHosts([
            start: .redirect("http://127.0.0.1:9001/a"), "http://127.0.0.1:9001/a": .redirect("https://cdn.example/a"),
            "https://cdn.example/a": .json(Self.document(issuer: "http://127.0.0.1:9000")),
        ])
        let begun = try discovery("http://127.0.0.1:9000", isConfigured: true)
        #expect(try hosts.discover(begun).get().issuer == "http://127.0.0.1:9000")
        #expect(hosts.requests.map(\.addresses) == [.any, .any, .publicUnless(host: "mcp.example")])

        hosts.answers["https://cdn.example/a"] = .redirect("http://127.0.0.1:9001/a")
        let away = ResourceError.search(.redirectInvalid(to: "http://127.0.0.1:9001/a", .thisMachine(host: "127.0.0.1"), at: "https://cdn.example/a"))
        #expect(hosts.discover(try discovery("http://127.0.0.1:9000", isConfigured: true)).failure == away)
    }

    @Test("are read up to 64 KiB")
    func large() throws {
        let document = Self.document()
        let padding = String(repeating: " ", count: 65536 - document.utf8.count)
        var hosts = AnsweringHosts([Self.place: document + padding])
        #expect(try hosts.discover(discovery()).get().issuer == Self.issuer)
        hosts.answers[Self.place] = .json(document + padding + " ")
        #expect(hosts.discover(try discovery()).failure == .search(.tooLarge(limit: 65536, at: Self.place)))
    }

    @Test("are not had while a place cannot answer, and not by redirects without end")
    func transient() throws {
        var busy = AnsweringHosts([Self.place: ProviderResponse(status: 503)])
        let error = busy.discover(try discovery()).failure
        #expect(error == .search(.transient(TransientFailure(status: 503), at: Self.place)))
        #expect(error?.providerFailure(at: "work").reason == .unreachable)

        var loop = AnsweringHosts([Self.place: .redirect(Self.place)])
        #expect(loop.discover(try discovery()).failure == .search(.tooManyRedirects(at: Self.place)))
        var plain = AnsweringHosts([Self.place: .redirect("http://as.example/r")])
        #expect(
            plain.discover(try discovery()).failure
                == .search(.redirectInvalid(to: "http://as.example/r", .plainHTTP(host: "as.example"), at: Self.place)))
    }

    @Test("are those of the issuer that the server names, or the configuration of several")
    func ofServer() throws {
        let document = #"{"resource":"https://mcp.example/mcp","authorization_servers":["https://as.example/r","https://b.example"]}"#
        var server = ResourceServer(url: try EndpointURL(Self.resource))
        server.document = try ResourceMetadata(parsing: Array(document.utf8), of: server.url)
        #expect(try server.issuer(configured: nil) == "https://as.example/r" && server.issuer(configured: "https://b.example") == "https://b.example")
        #expect(throws: ResourceError.self) { try server.issuer(configured: "https://c.example") }
        // A server without a document names nobody.
        server.document = nil
        #expect(try server.issuer(configured: nil) == "https://mcp.example" && server.issuer(configured: "https://c.example/x") == "https://c.example/x")

        var mcp = MCPServer(url: server.url)
        let origin = try IssuerDiscovery(of: mcp, issuer: "https://mcp.example").firstRequest
        #expect(origin.url == "https://mcp.example/.well-known/oauth-authorization-server")
        mcp.resource = Self.resource
        let own = try IssuerDiscovery(of: mcp, issuer: "https://as.example/r").firstRequest
        #expect(own.url == Self.place && own.addresses == .publicUnless(host: "mcp.example"))
        mcp.issuer = "https://b.example"
        let chosen = try IssuerDiscovery(of: mcp, issuer: "https://b.example").firstRequest
        #expect(chosen.url == "https://b.example/.well-known/oauth-authorization-server" && chosen.addresses == .any)
    }

    @Test(
        "of a server of 2025-03-26 are at its origin, with or without a slash at the issuer's end",
        arguments: ["https://mcp.example", "https://mcp.example/"])
    func origin(issuer: String) throws {
        let place = "https://mcp.example/.well-known/oauth-authorization-server"
        var hosts = AnsweringHosts([place: Self.document(issuer: issuer)])
        let metadata = try hosts.discover(IssuerDiscovery(originOf: EndpointURL("https://MCP.example/a/mcp"))).get()
        #expect(metadata.issuer == issuer && !metadata.isAssumed)

        hosts.answers[place] = .json(Self.document(issuer: "https://as.example"))
        let error = hosts.discover(try IssuerDiscovery(originOf: EndpointURL("https://mcp.example/mcp"))).failure
        #expect(error == .issuer("https://mcp.example", .other(found: "https://as.example")))
    }

    @Test("of a server of 2025-03-26 that has none are assumed, and said to be")
    func assumed() throws {
        var hosts = AnsweringHosts([String: ProviderResponse]())
        let metadata = try hosts.discover(IssuerDiscovery(originOf: EndpointURL("http://127.0.0.1:8000/mcp"))).get()
        #expect(hosts.urls == ["http://127.0.0.1:8000/.well-known/oauth-authorization-server"])
        #expect(metadata.isAssumed && metadata.issuer == "http://127.0.0.1:8000")
        #expect(metadata.authorization?.text == "http://127.0.0.1:8000/authorize" && metadata.token?.text == "http://127.0.0.1:8000/token")
        #expect(metadata.registration?.text == "http://127.0.0.1:8000/register")
    }
}

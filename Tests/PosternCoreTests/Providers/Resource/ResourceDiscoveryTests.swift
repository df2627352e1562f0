@testable import PosternCore
import StrictJSON
import Testing

@Suite("The server of a URL is found out")
struct ResourceDiscoveryTests {
    private static let url = "https://mcp.example/mcp"
    private static let document = #"{"resource":"https://mcp.example/mcp","authorization_servers":["https://as.example"]}"#
    private static let pathPlace = "https://mcp.example/.well-known/oauth-protected-resource/mcp"
    private static let rootPlace = "https://mcp.example/.well-known/oauth-protected-resource"

    private static func named(_ url: String) -> [String] { ["Bearer resource_metadata=\"\(url)\""] }

    @Test("with a request like an MCP client's first, without credentials, and with bounded ones for its documents")
    func requests() throws {
        var hosts = AnsweringHosts([Self.url: .challenge("Bearer"), Self.pathPlace: .json(Self.document)])
        _ = try hosts.discover(Self.url).get()
        #expect(hosts.urls == [Self.url, Self.pathPlace])
        for request in hosts.requests {
            #expect(request.addresses == .publicUnless(host: "mcp.example"))
            #expect(request.mostBodyBytes == 65536 && request.longestSeconds == 10)
            #expect(request.headers.contains { $0 == ("MCP-Protocol-Version", "2026-07-28") })
        }
        #expect(hosts.requests[0].method == "POST" && hosts.requests[1].method == "GET")
        let names = hosts.requests[0].headers.map { "\($0.name): \($0.value)" }
        #expect(
            names == [
                "Accept: application/json, text/event-stream", "Content-Type: application/json", "Mcp-Method: server/discover",
                "MCP-Protocol-Version: 2026-07-28",
            ])
        let message = try #require(try JSON(parsing: hosts.requests[0].body).objectValue)
        #expect(message["method"] == "server/discover" && message["jsonrpc"] == "2.0" && message["id"] == 1)
        let meta = message["params"]?.objectValue?["_meta"]?.objectValue
        #expect(meta?["io.modelcontextprotocol/protocolVersion"] == "2026-07-28")
        #expect(hosts.requests[1].headers.map(\.name) == ["Accept", "MCP-Protocol-Version"] && hosts.requests[1].body.isEmpty)
    }

    @Test("by its challenge, and by what the document says")
    func byChallenge() throws {
        let place = "https://meta.example/mcp.json"
        var hosts = AnsweringHosts([
            Self.url: .challenge("Bearer scope=\"a b a \\\\x\", resource_metadata=\"\(place)\""),
            place: .json(
                #"{"resource":"https://mcp.example/","authorization_servers":["https://as.example"],"scopes_supported":["c"],"resource_name":"X"}"#),
        ])
        let server = try hosts.discover(Self.url).get()
        #expect(hosts.urls == [Self.url, place])
        #expect(server.url.text == Self.url && server.resource == "https://mcp.example/" && !server.isIdentical)
        #expect(server.issuers == ["https://as.example"] && server.hasDocument)
        #expect(server.challengedScopes == ["a", "b"] && server.scopesSupported == ["c"] && server.name == "X" && !server.usesDPoP)
        #expect(server.documentSource == .challenge && server.documentURL?.text == place && server.status == 401 && server.missing.isEmpty)
    }

    @Test(
        "of whatever status its answer is: only the challenge counts",
        arguments: [200, 202, 302, 400, 401, 403, 404, 405, 406, 415, 429, 500, 503])
    func anyStatus(status: Int) throws {
        let place = "https://meta.example/mcp.json"
        var hosts = AnsweringHosts([
            Self.url: .challenge("DPoP resource_metadata=\"\(place)\"", status: status), place: .json(Self.document),
        ])
        let server = try hosts.discover(Self.url).get()
        #expect(server.documentSource == .challenge && server.status == status)
    }

    @Test("without asking it, if its challenge is given")
    func givenChallenge() throws {
        var hosts = AnsweringHosts([Self.pathPlace: Self.document])
        let server = try hosts.discover(Self.url, challenge: ["Basic realm=x", "Bearer scope=\"a\""]).get()
        #expect(hosts.urls == [Self.pathPlace] && server.status == nil && server.challengedScopes == ["a"])
        #expect(try hosts.discover(Self.url, challenge: []).get().challengedScopes == nil)
        #expect(hosts.urls == [Self.pathPlace, Self.pathPlace])
    }

    @Test(
        "at the challenge's place, then between host and path, then at the root",
        arguments: [
            ("https://mcp.example/mcp", ["/mcp", ""]), ("https://mcp.example/mcp/", ["/mcp/", ""]), ("https://mcp.example/a/b", ["/a/b", ""]),
            ("https://mcp.example/mcp?t=1", ["/mcp?t=1", ""]), ("https://mcp.example", [""]), ("https://mcp.example/", [""]),
            ("https://mcp.example:8443/mcp", ["/mcp", ""]), ("http://127.0.0.1:4660/mcp", ["/mcp", ""]), ("https://[2001:db8::1]/a", ["/a", ""]),
        ])
    func places(url: String, parts: [String]) throws {
        let origin = try EndpointURL(url).origin
        let wellKnown = parts.map { "\(origin)/.well-known/oauth-protected-resource\($0)" }
        var hosts = AnsweringHosts([String: ProviderResponse]())
        let server = try hosts.discover(url, challenge: Self.named("https://meta.example/a")).get()
        #expect(hosts.urls == ["https://meta.example/a"] + wellKnown)
        #expect(server.missing == hosts.urls.map { MissingDocument(url: $0, status: 404) })
        // A place that is named is not asked twice.
        var again = AnsweringHosts([String: ProviderResponse]())
        _ = try again.discover(url, challenge: Self.named(wellKnown[0])).get()
        #expect(again.urls == wellKnown)
    }

    @Test("at the first place that has the document", arguments: [ResourceServer.DocumentSource.challenge, .path, .root])
    func firstPlace(place: ResourceServer.DocumentSource) throws {
        let places = ["https://mcp.example/meta": ResourceServer.DocumentSource.challenge, Self.pathPlace: .path, Self.rootPlace: .root]
        let answers = places.mapValues { $0 == place ? ProviderResponse.json(Self.document) : ProviderResponse(status: 403) }
        var hosts = AnsweringHosts(answers)
        let server = try hosts.discover(Self.url, challenge: Self.named("https://mcp.example/meta")).get()
        #expect(server.documentSource == place && server.documentURL?.text == places.first { $0.value == place }?.key)
        #expect(server.missing.count == hosts.requests.count - 1)
    }

    @Test("as one of 2025-03-26 if it has no document: its issuer is its origin, and it has no resource")
    func withoutDocument() throws {
        var hosts = AnsweringHosts([String: ProviderResponse]())
        let server = try hosts.discover("https://MCP.example:8443/mcp").get()
        #expect(server.issuers == ["https://mcp.example:8443"])
        #expect(server.resource == nil && !server.hasDocument && !server.isIdentical && server.documentSource == nil && server.status == 404)
    }

    @Test("not at all while a place of its document cannot answer", arguments: [408, 429, 500, 502, 503])
    func transient(status: Int) throws {
        var hosts = AnsweringHosts([Self.pathPlace: ProviderResponse(status: status, headers: [("Retry-After", "7")])])
        let error = try hosts.discover(Self.url, challenge: []).failure
        #expect(error == .search(.transient(TransientFailure(status: status, retryAfterSeconds: 7), at: Self.pathPlace)))
        #expect(error?.providerFailure(at: "work").reason == .unreachable)
    }

    @Test(
        "not by a URL in its challenge that nobody may be sent to",
        arguments: [
            ("http://mcp.example/meta", .plainHTTP(host: "mcp.example")), ("javascript:alert(1)", .notAbsolute),
            ("data:application/json,{}", .forbiddenCharacter), ("data:application/json,x", .notAbsolute),
            ("file:///etc/passwd", .unsupportedScheme), ("https://user@mcp.example/meta", .userInformation),
            ("https://mcp.example@evil.example/meta", .userInformation), ("https://mcp.example/meta#a", .fragment),
            ("/.well-known/oauth-protected-resource", .notAbsolute), ("//evil.example/", .notAbsolute), ("", .notAbsolute),
            ("https://localhost/meta", .thisMachine(host: "localhost")), ("http://127.0.0.1:9/meta", .thisMachine(host: "127.0.0.1")),
            ("https://[::]/meta", .thisMachine(host: "::")), ("https://mcp.example/a b", .forbiddenCharacter),
            ("https://mcp.exämple/", .forbiddenCharacter), ("https://0x7f.1/", .invalidHost), ("https://127.1/", .invalidHost),
            ("https://2130706433/", .invalidHost), ("https:mcp.example", .notAbsolute), ("unix:///run/x", .unsupportedScheme),
        ] as [(String, EndpointURLError)])
    func hostileChallenge(url: String, problem: EndpointURLError) throws {
        var hosts = AnsweringHosts([String: ProviderResponse]())
        let error = try hosts.discover(Self.url, challenge: Self.named(url)).failure
        #expect(error == .metadataURLInvalid(url.isEmpty ? "nothing" : url, problem))
        #expect(hosts.requests.isEmpty)
        #expect(error?.providerFailure(at: "work").reason == .providerNotConfigured)
    }

    @Test("on this machine by documents here, if it is here itself")
    func here() throws {
        let place = "http://localhost:9/meta"
        let text = #"{"resource":"http://127.0.0.1:4660/mcp","authorization_servers":["http://127.0.0.1:4661"]}"#
        var hosts = AnsweringHosts([place: text])
        let server = try hosts.discover("http://127.0.0.1:4660/mcp", challenge: Self.named(place)).get()
        #expect(server.issuers == ["http://127.0.0.1:4661"])
        #expect(hosts.requests.map(\.addresses) == [.publicUnless(host: "127.0.0.1")])
    }

    @Test(
        "after its own redirect, which keeps the method and stays below the URL",
        arguments: [
            (307, "/mcp/", "https://mcp.example/mcp/"), (308, "https://mcp.example/mcp/v1", "https://mcp.example/mcp/v1"),
            (307, "https://MCP.example:443/mcp/?a=b", "https://MCP.example:443/mcp/?a=b"),
        ])
    func ownRedirect(status: Int, location: String, target: String) throws {
        var hosts = AnsweringHosts([
            Self.url: .redirect(location, status: status), target: .challenge("Bearer scope=\"a\""), Self.pathPlace: .json(Self.document),
        ])
        let server = try hosts.discover(Self.url).get()
        #expect(hosts.urls == [Self.url, target, Self.pathPlace] && hosts.requests[1].method == "POST")
        #expect(server.challengedScopes == ["a"] && server.url.text == Self.url)
    }

    @Test(
        "not elsewhere than below its URL",
        arguments: [
            ("https://evil.example/mcp", nil), ("https://mcp.example:444/mcp", nil), ("/mcpx", "https://mcp.example/mcpx"),
            ("/", "https://mcp.example/"), ("/other", "https://mcp.example/other"), ("/mcp/../other", "https://mcp.example/mcp/../other"),
            ("/mcp/%2e%2e/other", "https://mcp.example/mcp/%2e%2e/other"),
        ])
    func moved(location: String, target: String?) throws {
        var hosts = AnsweringHosts([Self.url: .redirect(location, status: 307)])
        #expect(try hosts.discover(Self.url).failure == .moved(to: target ?? location))
        #expect(hosts.urls == [Self.url])
    }

    @Test("not by redirects of a method that changes it, which are no challenge", arguments: [301, 302, 303])
    func otherOwnRedirect(status: Int) throws {
        var hosts = AnsweringHosts([Self.url: .redirect("https://evil.example/login", status: status)])
        #expect(try hosts.discover(Self.url).get().status == status)
        #expect(hosts.urls == [Self.url, Self.pathPlace, Self.rootPlace])
    }

    @Test("by a document that has moved, to another host as well", arguments: [301, 302, 303, 307, 308])
    func redirectedDocument(status: Int) throws {
        var hosts = AnsweringHosts([
            Self.pathPlace: .redirect("/meta", status: status),
            "https://mcp.example/meta": .redirect("https://cdn.example/meta", status: status), "https://cdn.example/meta": .json(Self.document),
        ])
        let server = try hosts.discover(Self.url, challenge: []).get()
        #expect(server.documentSource == .path && server.documentURL?.text == "https://cdn.example/meta")
        #expect(hosts.requests.allSatisfy { $0.addresses == .publicUnless(host: "mcp.example") })
    }

    @Test(
        "not by a redirect to what nobody may be sent to",
        arguments: [
            ("http://mcp.example/meta", .plainHTTP(host: "mcp.example")), ("http://127.0.0.1/", .thisMachine(host: "127.0.0.1")),
            ("https://localhost/", .thisMachine(host: "localhost")), ("https://a:b@mcp.example/", .userInformation),
            ("https://mcp.example/#a", .fragment), ("file:///etc/passwd", .unsupportedScheme), ("javascript:alert(1)", .notAbsolute),
            ("https://mcp.example/\u{1B}[31m", .forbiddenCharacter),
        ] as [(String, EndpointURLError)])
    func hostileRedirect(location: String, problem: EndpointURLError) throws {
        var hosts = AnsweringHosts([Self.pathPlace: .redirect(location)])
        let shown = location.replacing("\u{1B}", with: "")
        let error = try hosts.discover(Self.url, challenge: []).failure
        #expect(error == .search(.redirectInvalid(to: shown, problem, at: Self.pathPlace)))
        #expect(hosts.urls == [Self.pathPlace])
    }

    @Test("not by a redirect that leads nowhere", arguments: ["", "meta", "?a", "#a", "//evil.example/", " /meta"])
    func redirectWithoutTarget(location: String) throws {
        var hosts = AnsweringHosts([Self.pathPlace: .redirect(location)])
        #expect(try hosts.discover(Self.url, challenge: []).failure == .search(.redirectWithoutTarget(at: Self.pathPlace)))
        var own = AnsweringHosts([Self.url: ProviderResponse(status: 308)])
        #expect(try own.discover(Self.url).failure == .search(.redirectWithoutTarget(at: Self.url)))
    }

    @Test("with three redirects at most, its own among them")
    func redirectLoop() throws {
        var loop = AnsweringHosts([Self.pathPlace: .redirect(Self.pathPlace)])
        #expect(try loop.discover(Self.url, challenge: []).failure == .search(.tooManyRedirects(at: Self.pathPlace)))
        #expect(loop.requests.count == 4)

        var own = AnsweringHosts([Self.url: .redirect("/mcp", status: 307)])
        #expect(try own.discover(Self.url).failure == .search(.tooManyRedirects(at: Self.url)))
        #expect(own.requests.count == 4)

        var both = AnsweringHosts([
            Self.url: .redirect("/mcp/", status: 307), "https://mcp.example/mcp/": .redirect("/mcp/a", status: 307),
            Self.pathPlace: .redirect("/b"), "https://mcp.example/b": .redirect("/c"),
        ])
        #expect(try both.discover(Self.url).failure == .search(.tooManyRedirects(at: "https://mcp.example/b")))
    }

    @Test("not by a document that is there and wrong, even if the next place has another")
    func wrongDocument() throws {
        var hosts = AnsweringHosts([
            Self.pathPlace: .json(#"{"resource":"https://evil.example/mcp","authorization_servers":["https://as.example"]}"#),
            Self.rootPlace: .json(Self.document),
        ])
        let error = try hosts.discover(Self.url, challenge: []).failure
        #expect(error == .document(.otherResource(found: "https://evil.example/mcp", url: Self.url), at: Self.pathPlace))
        #expect(hosts.urls == [Self.pathPlace])
    }

    @Test("not by answers that are neither a document nor the lack of one", arguments: [100, 201, 204, 304, 600])
    func oddStatus(status: Int) throws {
        var hosts = AnsweringHosts([Self.pathPlace: ProviderResponse(status: status)])
        #expect(try hosts.discover(Self.url, challenge: []).failure == .search(.refused(status: status, at: Self.pathPlace)))
    }

    @Test("not by 10 MB, whatever the transport lets through")
    func large() throws {
        let body = [UInt8](repeating: UInt8(ascii: " "), count: 10 << 20)
        var hosts = AnsweringHosts([Self.pathPlace: ProviderResponse(status: 200, body: body)])
        #expect(try hosts.discover(Self.url, challenge: []).failure == .search(.tooLarge(limit: 65536, at: Self.pathPlace)))
    }

    @Test("not for a URL that leads elsewhere than it seems to")
    func dotSegments() throws {
        var hosts = AnsweringHosts([String: ProviderResponse]())
        #expect(try hosts.discover("https://mcp.example/a/../mcp").failure == .urlInvalid(.dotSegment))
        let long = "https://mcp.example/" + String(repeating: "a", count: 2020)
        #expect(try hosts.discover(long, challenge: []).failure == .urlInvalid(.tooLong(limit: 2048)))
        #expect(hosts.requests.isEmpty)
    }

    @Test(
        "with the scopes of its challenge",
        arguments: [
            (["Bearer scope=\"a b\""], ["a", "b"]), (["DPoP scope=a"], ["a"]), (["Bearer"], nil), (["Bearer scope=\"\""], nil),
            (["Basic scope=a", "Bearer scope=b"], ["b"]), (["Bearer error=x", "DPoP scope=\"c d\""], ["c", "d"]),
            (["Bearer scope=\"a  a \tb é \\\"\""], ["a"]), (["Bearer scope=\"a\u{1}\""], nil), (["Bearer scope=a, scope=b"], nil),
        ] as [([String], [String]?)])
    func challengedScopes(challenge: [String], scopes: [String]?) throws {
        var hosts = AnsweringHosts([Self.pathPlace: Self.document])
        #expect(try hosts.discover(Self.url, challenge: challenge).get().challengedScopes == scopes)
    }

    @Test("with a bounded number of scopes of its challenge")
    func manyChallengedScopes() throws {
        var hosts = AnsweringHosts([Self.pathPlace: Self.document])
        let scopes = (0..<1000).map { "s\($0)" }.joined(separator: " ")
        #expect(try hosts.discover(Self.url, challenge: ["Bearer scope=\"\(scopes)\""]).get().challengedScopes?.count == 128)
    }

    @Test("with the issuer that the configuration chooses of those that it names")
    func chosenIssuer() throws {
        let text = #"{"resource":"https://mcp.example/mcp","authorization_servers":["https://a.example","https://b.example"]}"#
        var hosts = AnsweringHosts([Self.pathPlace: text])
        let server = try hosts.discover(Self.url, challenge: []).get()
        #expect(try server.issuer(configured: nil) == "https://a.example")
        #expect(try server.issuer(configured: "https://b.example") == "https://b.example")
        let error = ResourceError.issuerNotNamed(configured: "https://b.example/", named: ["https://a.example", "https://b.example"])
        #expect(throws: error) { try server.issuer(configured: "https://b.example/") }
        hosts.answers = [:]
        #expect(try hosts.discover(Self.url, challenge: []).get().issuer(configured: "https://c.example") == "https://c.example")
    }
}

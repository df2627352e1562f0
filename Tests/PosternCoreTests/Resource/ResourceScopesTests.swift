@testable import PosternCore
import Testing

@Suite("The scopes of a sign-in for a resource")
struct ResourceScopesTests {
    private struct Case: CustomTestStringConvertible {
        var what: String
        var configured: [String]?
        var challenged: [String]?
        var document: [String]?
        /// The issuer's.
        var issuer: [String]?
        var source: ResourceScopes.Source
        var requested: [String]
        var registered: [String]

        var testDescription: String { what }
    }

    private static func server(challenged: [String]?, document: [String]?) throws -> ResourceServer {
        var server = ResourceServer(url: try EndpointURL("https://mcp.example/mcp"))
        server.challengedScopes = challenged
        let text = #"{"resource":"https://mcp.example/mcp","authorization_servers":["https://as.example"]}"#
        server.document = try ResourceMetadata(parsing: Array(text.utf8), of: server.url)
        server.document?.scopesSupported = document
        return server
    }

    private static func issuer(_ scopes: [String]?) throws -> ProviderMetadata {
        let list = scopes.map { ",\"scopes_supported\":[\($0.map { "\"\($0)\"" }.joined(separator: ","))]" } ?? ""
        return try ProviderMetadata(parsing: Array(#"{"issuer":"https://as.example"\#(list)}"#.utf8), expectedIssuer: "https://as.example")
    }

    @Test(
        "are chosen in this order, and a client is registered for all that may follow",
        arguments: [
            Case(
                what: "the configuration's, as written", configured: ["x"], challenged: ["a"], document: ["b"], issuer: ["c", "offline_access"],
                source: .configuration, requested: ["x"], registered: ["x", "a", "offline_access", "c"]),
            Case(
                what: "the configuration's, though they are none", configured: [], challenged: ["a"], document: ["b"], issuer: nil,
                source: .configuration, requested: [], registered: ["a", "b"]),
            Case(
                what: "the configuration's offline_access, though nobody lists it", configured: ["offline_access"], challenged: nil,
                document: nil, issuer: nil, source: .configuration, requested: ["offline_access"], registered: ["offline_access"]),
            Case(
                what: "the challenge's", configured: nil, challenged: ["a"], document: ["b"], issuer: nil, source: .challenge,
                requested: ["a"], registered: ["a", "b"]),
            Case(
                what: "the challenge's, and all of the issuer's for the client", configured: nil, challenged: ["a"], document: ["b"],
                issuer: ["c", "a", "d"], source: .challenge, requested: ["a"], registered: ["a", "c", "d"]),
            Case(
                what: "the document's", configured: nil, challenged: nil, document: ["a", "b"], issuer: ["c"], source: .document,
                requested: ["a", "b"], registered: ["a", "b", "c"]),
            Case(
                what: "with offline_access, where the issuer lists it", configured: nil, challenged: ["a"], document: nil,
                issuer: ["offline_access", "a"], source: .challenge, requested: ["a", "offline_access"], registered: ["a", "offline_access"]),
            Case(
                what: "without it, where only the server lists it", configured: nil, challenged: nil, document: ["a", "offline_access"],
                issuer: nil, source: .document, requested: ["a"], registered: ["a"]),
            Case(
                what: "without it, where only the challenge demands it", configured: nil, challenged: ["offline_access", "a"], document: nil,
                issuer: ["a"], source: .challenge, requested: ["a"], registered: ["a"]),
            Case(
                what: "none", configured: nil, challenged: nil, document: nil, issuer: nil, source: .nobody, requested: [], registered: []),
            Case(
                what: "none, and no offline_access alone", configured: nil, challenged: nil, document: nil, issuer: ["a", "offline_access"],
                source: .nobody, requested: [], registered: ["a", "offline_access"]),
            Case(
                what: "none, as the document has an empty list", configured: nil, challenged: nil, document: [], issuer: ["a"],
                source: .document, requested: [], registered: ["a"]),
        ])
    private func selection(_ test: Case) throws {
        let scopes = ResourceScopes(
            configured: test.configured, at: try Self.server(challenged: test.challenged, document: test.document),
            of: try Self.issuer(test.issuer))
        #expect(scopes.source == test.source)
        #expect(scopes.requested == test.requested)
        #expect(scopes.registered == test.registered)
        #expect(Set(scopes.requested).isSubset(of: scopes.registered))
    }

    @Test("of a challenge that came later stand for the server's own")
    func laterChallenge() throws {
        let scopes = ResourceScopes(
            configured: nil, challenged: ["later"], at: try Self.server(challenged: ["a"], document: ["b"]), of: try Self.issuer(nil))
        #expect(scopes.requested == ["later"] && scopes.registered == ["later", "b"])
    }

    @Test("that a client is registered for are bounded, and those that are requested are among them")
    func bounds() throws {
        let many = (0..<1000).map { "s\($0)" }
        let scopes = ResourceScopes(configured: nil, at: try Self.server(challenged: ["z"], document: nil), of: try Self.issuer(many))
        #expect(scopes.registered.count == 256 && scopes.registered.first == "z")
        let long = (0..<1000).map { String(repeating: "x", count: 200) + "\($0)" }
        let few = ResourceScopes(configured: nil, at: try Self.server(challenged: ["z"], document: nil), of: try Self.issuer(long))
        #expect(few.registered.joined(separator: " ").utf8.count <= 8192 && few.registered.count > 30)
    }
}

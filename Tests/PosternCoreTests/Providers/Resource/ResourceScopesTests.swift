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
        "are chosen in this order",
        arguments: [
            Case(
                what: "the configuration's, as written", configured: ["x"], challenged: ["a"], document: ["b"], issuer: ["c", "offline_access"],
                source: .configuration, requested: ["x"]),
            Case(
                what: "the configuration's, though they are none", configured: [], challenged: ["a"], document: ["b"], issuer: nil,
                source: .configuration, requested: []),
            Case(
                what: "the configuration's offline_access, though nobody lists it", configured: ["offline_access"], challenged: nil,
                document: nil, issuer: nil, source: .configuration, requested: ["offline_access"]),
            Case(
                what: "the challenge's", configured: nil, challenged: ["a"], document: ["b"], issuer: nil, source: .challenge,
                requested: ["a"]),
            Case(
                what: "the challenge's, and all of the issuer's for the client", configured: nil, challenged: ["a"], document: ["b"],
                issuer: ["c", "a", "d"], source: .challenge, requested: ["a"]),
            Case(
                what: "the document's", configured: nil, challenged: nil, document: ["a", "b"], issuer: ["c"], source: .document,
                requested: ["a", "b"]),
            Case(
                what: "with offline_access, where the issuer lists it", configured: nil, challenged: ["a"], document: nil,
                issuer: ["offline_access", "a"], source: .challenge, requested: ["a", "offline_access"]),
            Case(
                what: "without it, where only the server lists it", configured: nil, challenged: nil, document: ["a", "offline_access"],
                issuer: nil, source: .document, requested: ["a"]),
            Case(
                what: "without it, where only the challenge demands it", configured: nil, challenged: ["offline_access", "a"], document: nil,
                issuer: ["a"], source: .challenge, requested: ["a"]),
            Case(
                what: "none", configured: nil, challenged: nil, document: nil, issuer: nil, source: .nobody, requested: []),
            Case(
                what: "none, and no offline_access alone", configured: nil, challenged: nil, document: nil, issuer: ["a", "offline_access"],
                source: .nobody, requested: []),
            Case(
                what: "none, as the document has an empty list", configured: nil, challenged: nil, document: [], issuer: ["a"],
                source: .document, requested: []),
        ])
    private func selection(_ test: Case) throws {
        let scopes = ResourceScopes(
            configured: test.configured, at: try Self.server(challenged: test.challenged, document: test.document),
            of: try Self.issuer(test.issuer))
        #expect(scopes.source == test.source)
        #expect(scopes.requested == test.requested)
    }
}

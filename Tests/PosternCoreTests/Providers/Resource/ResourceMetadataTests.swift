@testable import PosternCore
import Testing

@Suite("A resource's document")
struct ResourceMetadataTests {
    private func read(_ text: String, of url: String = "https://mcp.example/mcp") throws -> ResourceMetadata {
        try ResourceMetadata(parsing: Array(text.utf8), of: EndpointURL(url))
    }

    private func text(with members: String) -> String {
        #"{"resource":"https://mcp.example/mcp","authorization_servers":["https://as.example"]\#(members.isEmpty ? "" : ",")\#(members)}"#
    }

    @Test("is read as far as it is used")
    func complete() throws {
        let document = try read(
            """
            {"resource":"https://mcp.example/mcp","authorization_servers":["https://as.example/","https://other.example/a"],
            "scopes_supported":["read","write","read"],"bearer_methods_supported":["body","header"],"resource_name":" An\\u001b[31m MCP\\u202e  server ",
            "resource_documentation":17,"dpop_bound_access_tokens_required":true,"dpop_signing_alg_values_supported":["RS256","ES256"],
            "tls_client_certificate_bound_access_tokens":true,"signed_metadata":"e30.e30."}
            """)
        #expect(document.resource == "https://mcp.example/mcp" && document.isIdentical)
        #expect(document.issuers == ["https://as.example/", "https://other.example/a"])
        #expect(document.scopesSupported == ["read", "write"])
        #expect(document.name == "An[31m MCP server")
        #expect(document.usesDPoP && document.omissions.isEmpty)

        let least = try read(text(with: ""))
        #expect(least.scopesSupported == nil && least.name == nil && !least.usesDPoP)
        #expect(try read(text(with: #""scopes_supported":[],"resource_name":null"#)).scopesSupported == [])
    }

    @Test(
        "is for the URL itself, however that is written",
        arguments: [
            ("https://mcp.example/mcp", "https://mcp.example/mcp"), ("https://mcp.example/mcp/", "https://mcp.example/mcp"),
            ("https://mcp.example/mcp", "https://mcp.example/mcp/"), ("HTTPS://MCP.Example:443/mcp", "https://mcp.example/mcp"),
            ("https://mcp.example/mcp", "https://MCP.example:443/mcp"), ("https://mcp.example", "https://mcp.example/"),
            ("https://mcp.example/", "https://mcp.example"), ("https://mcp.example/m%63p", "https://mcp.example/%6dcp"),
            ("https://mcp.example/a%2Fb", "https://mcp.example/a%2fb"), ("https://mcp.example/mcp?a=b", "https://mcp.example/mcp?a=b"),
            ("http://127.0.0.1:80/mcp", "http://127.0.0.1/mcp"), ("http://[::1]:9/mcp", "http://[::1]:9/mcp"),
        ])
    func identical(resource: String, url: String) throws {
        let document = try read(#"{"resource":"\#(resource)","authorization_servers":["https://as.example"]}"#, of: url)
        #expect(document.isIdentical)
        #expect(document.resource == resource, "it is sent as written")
    }

    @Test(
        "may be for more than the URL, by whole segments on the same origin, which is noted",
        arguments: [
            ("https://mcp.example", "https://mcp.example/mcp"), ("https://mcp.example/", "https://mcp.example/a/b"),
            ("https://mcp.example/a", "https://mcp.example/a/b"), ("https://mcp.example/a/", "https://mcp.example/a/b"),
            ("https://mcp.example/%61", "https://mcp.example/a/b/"), ("https://mcp.example/mcp", "https://mcp.example/mcp?a=b"),
            ("https://mcp.example", "https://mcp.example//"),
        ])
    func wider(resource: String, url: String) throws {
        let document = try read(#"{"resource":"\#(resource)","authorization_servers":["https://as.example"]}"#, of: url)
        #expect(!document.isIdentical)
    }

    @Test(
        "is not for another URL",
        arguments: [
            // Another origin's.
            ("https://evil.example/mcp", "https://mcp.example/mcp"), ("https://mcp.example.evil.example/mcp", "https://mcp.example/mcp"),
            ("https://mcp.example:8443/mcp", "https://mcp.example/mcp"), ("https://mcp.example/mcp", "https://mcp.example:8443/mcp"),
            ("https://127.0.0.1/mcp", "http://127.0.0.1/mcp"), ("http://127.0.0.1/mcp", "http://127.0.0.1:81/mcp"),
            ("http://localhost/mcp", "http://127.0.0.1/mcp"),
            // No whole segment.
            ("https://mcp.example/mc", "https://mcp.example/mcp"), ("https://mcp.example/api/v1", "https://mcp.example/api/v10"),
            // Below the URL, or beside it.
            ("https://mcp.example/mcp/a", "https://mcp.example/mcp"), ("https://mcp.example/MCP", "https://mcp.example/mcp"),
            ("https://mcp.example/mcp//", "https://mcp.example/mcp"), ("https://mcp.example//mcp", "https://mcp.example/mcp"),
            // An encoded slash is none, and escapes are decoded once.
            ("https://mcp.example/a/b", "https://mcp.example/a%2Fb"), ("https://mcp.example/a%2Fb", "https://mcp.example/a/b/c"),
            ("https://mcp.example/%2561", "https://mcp.example/a"), ("https://mcp.example/a;x", "https://mcp.example/a"),
            // A query is a part of it.
            ("https://mcp.example/mcp?a=c", "https://mcp.example/mcp?a=b"), ("https://mcp.example/?a=b", "https://mcp.example/mcp?a=b"),
            ("https://mcp.example/mcp?", "https://mcp.example/mcp"),
        ])
    func other(resource: String, url: String) {
        #expect(throws: ResourceMetadataError.otherResource(found: resource, url: url)) {
            try read(#"{"resource":"\#(resource)","authorization_servers":["https://as.example"]}"#, of: url)
        }
    }

    @Test(
        "whose resource is no URL that a token can be for is refused",
        arguments: [
            ("https://mcp.example/mcp#a", .fragment), ("https://a:b@mcp.example/mcp", .userInformation), ("mcp.example/mcp", .notAbsolute),
            ("javascript:alert(1)", .notAbsolute), ("ftp://mcp.example/mcp", .unsupportedScheme),
            ("http://mcp.example/mcp", .plainHTTP(host: "mcp.example")), ("https://mcp.example/a/../mcp", .dotSegment),
            ("https://mcp.example/%2e%2e/mcp", .dotSegment), ("https://mcp.example/a%2F..%2Fmcp", .dotSegment),
            ("https://mcp.example/%252e/mcp", .dotSegment), ("https://mcp.example/mcp mcp", .forbiddenCharacter),
            ("https://mcp.example/%mcp", .forbiddenCharacter), ("https://mcp.exämple/mcp", .forbiddenCharacter),
            ("https:///mcp", .invalidHost), ("https://mcp.example:0/mcp", .invalidPort),
        ] as [(String, EndpointURLError)])
    func invalidResource(resource: String, error: EndpointURLError) {
        #expect(throws: ResourceMetadataError.resourceInvalid(resource, error)) {
            try read(#"{"resource":"\#(resource)","authorization_servers":["https://as.example"]}"#)
        }
    }

    @Test(
        "that is not one is refused, and the sentence says what is wrong with it",
        arguments: [
            ("", "it is not valid JSON"), ("<!DOCTYPE html><html></html>", "it is a web page"), ("[]", "it must be an object, but is an array"),
            (#""https://mcp.example/mcp""#, "it must be an object, but is a string"), ("{}", "resource is missing"),
            (#"{"resource":null}"#, "resource is missing"),
            (#"{"resource":["https://mcp.example/mcp"]}"#, "resource must be a string, but is an array"),
            (#"{"resource":"https://mcp.example/mcp"}"#, "authorization_servers names no issuer"),
            (#"{"resource":"https://mcp.example/mcp","authorization_servers":[]}"#, "authorization_servers names no issuer"),
            (
                #"{"resource":"https://mcp.example/mcp","authorization_servers":"https://as.example"}"#,
                "authorization_servers must be an array, but is a string"
            ),
            (
                #"{"resource":"https://mcp.example/mcp","authorization_servers":[{"issuer":"https://as.example"}]}"#,
                "authorization_servers[0] must be a string, but is an object"
            ),
            (
                #"{"resource":"https://mcp.example/mcp","resource":"https://evil.example","authorization_servers":["https://as.example"]}"#,
                "it is not valid JSON"
            ),
            (
                #"{"resource":"https://mcp.example/mcp","authorization_servers":["http://as.example"]}"#,
                "authorization_servers names no issuer that can be used: http://as.example is plain http to as.example"
            ),
        ])
    func refused(text: String, sentence: String) {
        let error = #expect(throws: ResourceMetadataError.self) { try read(text) }
        let description = error.map { "\($0)" } ?? ""
        #expect(description.hasPrefix(sentence), "\(description)")
    }

    @Test(
        "with a member of another kind, or a demand that cannot be met, is refused",
        arguments: [
            (#""scopes_supported":"read write""#, "scopes_supported must be an array, but is a string"),
            (#""scopes_supported":["read",["write"]]"#, "scopes_supported[1] must be a string, but is an array"),
            (#""resource_name":{"en":"A server"}"#, "resource_name must be a string, but is an object"),
            (#""dpop_bound_access_tokens_required":"true""#, "dpop_bound_access_tokens_required must be a boolean, but is a string"),
            (#""bearer_methods_supported":"header""#, "bearer_methods_supported must be an array, but is a string"),
            (
                #""bearer_methods_supported":["query","bo\u001bdy"]"#,
                "bearer_methods_supported is query, body, but a token is sent in the header alone; add header, or leave the list out"
            ),
            (
                #""bearer_methods_supported":[]"#,
                "bearer_methods_supported is empty, but a token is sent in the header alone; add header, or leave the list out"
            ),
            (
                #""dpop_bound_access_tokens_required":true,"dpop_signing_alg_values_supported":["RS256"]"#,
                "it takes DPoP proofs signed with RS256 only (dpop_signing_alg_values_supported), but Postern signs them with ES256"
            ),
        ])
    func refusedMember(members: String, sentence: String) {
        let error = #expect(throws: ResourceMetadataError.self) { try read(text(with: members)) }
        #expect(error.map { "\($0)" } == sentence)
    }

    @Test("that lists no proof algorithm of ours is refused only if it demands proofs")
    func proofsOnDemand() throws {
        #expect(try !read(text(with: #""dpop_signing_alg_values_supported":["RS256"]"#)).usesDPoP)
    }

    @Test("with scopes that nobody can request is used without them")
    func invalidScopes() throws {
        let document = try read(text(with: #""scopes_supported":["read","a b","","\u0000","re\u001bad","a\r\nb","quo\"te","back\\slash","é","write"]"#))
        #expect(document.scopesSupported == ["read", "write"])
        #expect(document.omissions == [.invalidScopes(8)])
    }

    @Test("has a bounded number of scopes, and they have a bounded length together")
    func manyScopes() throws {
        let many = (0..<300).map { "\"s\($0)\"" }.joined(separator: ",")
        let first = try read(text(with: #""scopes_supported":[\#(many)]"#))
        #expect(first.scopesSupported?.count == 128)
        #expect(first.scopesSupported?.first == "s0" && first.scopesSupported?.last == "s127")
        #expect(first.omissions == [.furtherScopes(172)])

        let long = (0..<100).map { "\"\(String(repeating: "x", count: 200))\($0)\"" }.joined(separator: ",")
        let second = try read(text(with: #""scopes_supported":[\#(long)]"#))
        #expect(second.scopesSupported?.count == 40)
        #expect(second.omissions == [.furtherScopes(60)])
    }

    @Test(
        "names issuers, of which those are left out that nobody may ask",
        arguments: [
            ("http://as.example", .plainHTTP(host: "as.example")), ("https://as.example?a=b", .query), ("https://as.example/#a", .fragment),
            ("https://a@as.example", .userInformation), ("javascript:alert(1)", .notAbsolute), ("data:text/plain,a", .notAbsolute),
            ("file:///etc/passwd", .unsupportedScheme), ("", .notAbsolute), ("as.example", .notAbsolute), ("/as", .notAbsolute),
            ("https://as.example/../a", .dotSegment), ("https://as.example/a b", .forbiddenCharacter),
            ("https://localhost/as", .thisMachine(host: "localhost")), ("http://127.0.0.1:9000", .thisMachine(host: "127.0.0.1")),
            ("https://[::ffff:7f00:1]", .thisMachine(host: "::ffff:7f00:1")), ("https://0.0.0.0", .thisMachine(host: "0.0.0.0")),
        ] as [(String, EndpointURLError)])
    func invalidIssuers(issuer: String, error: EndpointURLError) throws {
        let shown = issuer.isEmpty ? "nothing" : issuer
        let other = #"{"resource":"https://mcp.example/mcp","authorization_servers":["\#(issuer)","https://as.example","\#(issuer)"]}"#
        let document = try read(other)
        #expect(document.issuers == ["https://as.example"])
        #expect(document.omissions == [.issuer(shown, error)])
        #expect(throws: ResourceMetadataError.issuerInvalid(shown, error)) {
            try read(#"{"resource":"https://mcp.example/mcp","authorization_servers":["\#(issuer)"]}"#)
        }
    }

    @Test("of a server on this machine may name an issuer here, and one elsewhere")
    func issuersHere() throws {
        let text = #"{"resource":"http://127.0.0.1:4660/mcp","authorization_servers":["http://localhost:9000","https://as.example"]}"#
        #expect(try read(text, of: "http://127.0.0.1:4660/mcp").issuers == ["http://localhost:9000", "https://as.example"])
    }

    @Test("has a bounded number of issuers")
    func manyIssuers() throws {
        let issuers = (0..<2000).map { "\"https://a\($0).example\"" }.joined(separator: ",")
        let document = try read(#"{"resource":"https://mcp.example/mcp","authorization_servers":[\#(issuers)]}"#)
        #expect(document.issuers.count == 16 && document.issuers.first == "https://a0.example")
        #expect(document.omissions == [.furtherIssuers(1984)])
    }

    @Test("has a bounded length and depth")
    func bounds() {
        let issuers = Array(repeating: "\"https://as.example\"", count: 100_000).joined(separator: ",")
        #expect(throws: ResourceMetadataError.tooLarge(limit: 65536)) {
            try read(#"{"resource":"https://mcp.example/mcp","authorization_servers":[\#(issuers)]}"#)
        }
        let url = try? EndpointURL("https://mcp.example/mcp")
        #expect(throws: ResourceMetadataError.tooLarge(limit: 65536)) {
            try url.map { _ = try ResourceMetadata(parsing: [UInt8](repeating: UInt8(ascii: " "), count: 10 << 20), of: $0) }
        }
        let deep = String(repeating: "[", count: 10_000) + String(repeating: "]", count: 10_000)
        let error = #expect(throws: ResourceMetadataError.self) { try read(text(with: #""x":\#(deep)"#)) }
        guard case .notJSON? = error else {
            Issue.record("\(error.map { "\($0)" } ?? "read")")
            return
        }
    }
}

@testable import PosternCore
import StrictJSON
import Testing

@Suite("What metadata list, and Postern does not support")
struct MetadataComparisonTests {
    private func metadata(_ members: String) throws -> ProviderMetadata {
        try ProviderMetadata(
            parsing: Array(
                """
                {"issuer":"https://op.example","authorization_endpoint":"https://op.example/a","token_endpoint":"https://op.example/t",
                "jwks_uri":"https://op.example/k",\(members)}
                """.utf8), expectedIssuer: "https://op.example")
    }

    @Test(
        "A list with nothing of ours is told with what it has and what Postern supports",
        arguments: [
            (
                #""response_types_supported":["id_token","code id_token"]"#,
                "the provider's response types are id_token, code id_token (response_types_supported), but Postern supports only code", true
            ),
            (
                #""response_modes_supported":["query.jwt"]"#,
                "the provider's response modes are query.jwt (response_modes_supported), but Postern supports only query, fragment, form_post", true
            ),
            (
                #""code_challenge_methods_supported":["plain"]"#,
                "the provider's PKCE methods are plain (code_challenge_methods_supported), but Postern supports only S256", false
            ),
            (
                #""id_token_signing_alg_values_supported":["HS256","none\u001b"]"#,
                "the provider's signature algorithms of ID tokens are HS256, none (id_token_signing_alg_values_supported), but Postern supports "
                    + "only RS256, RS384, RS512, PS256, PS384, PS512, ES256, ES384, ES512, EdDSA", false
            ),
        ])
    func gap(members: String, sentence: String, stopsPages: Bool) throws {
        let metadata = try metadata(members)
        #expect(metadata.gaps.map(\.description) == [sentence])
        var provider = Provider.openID()
        provider.endpoints = ProviderEndpoints()
        #expect((try ResolvedProvider(provider, metadata: metadata).pageProblem != nil) == stopsPages)
    }

    @Test(
        "A list that has something of ours, says nothing, or is none stops nobody",
        arguments: [
            #""response_types_supported":["id_token","code"],"response_modes_supported":["jwt","fragment"]"#,
            #""code_challenge_methods_supported":["plain","S256"],"id_token_signing_alg_values_supported":["HS256","EdDSA"]"#,
            #""response_types_supported":[],"response_modes_supported":null,"code_challenge_methods_supported":17"#,
            #""response_types_supported":{"code":1},"id_token_signing_alg_values_supported":[]"#,
        ])
    func noGap(members: String) {
        // Of another type are some of them, which others refuse.
        #expect((try? metadata(members))?.gaps ?? [] == [])
    }

    @Test("No more of a long list is kept than can be shown")
    func longList() throws {
        let names = (0..<1000).map { "\"\(String(repeating: "x", count: 100))\($0)\"" }.joined(separator: ",")
        let gap = try #require(try metadata(#""code_challenge_methods_supported":[\#(names)]"#).gaps.first)
        #expect(gap.offered.count == 8 && gap.offered.allSatisfy { $0.count <= 65 })
    }

    @Test(
        "What is demanded is true, or a list",
        arguments: [
            (#""require_signed_request_object":true"#, [MetadataDemand.signedRequests]), (#""require_signed_request_object":false"#, []),
            (#""require_signed_request_object":"true""#, []), (#""require_request_uri_registration":true"#, [.registeredRequestURIs]),
            (#""tls_client_certificate_bound_access_tokens":true"#, [.certificateBoundTokens]),
            (#""id_token_encryption_alg_values_supported":["RSA-OAEP"]"#, [.encryptedIDTokens]),
            (#""userinfo_encryption_alg_values_supported":["RSA-OAEP"],"id_token_encryption_alg_values_supported":[]"#, [.encryptedUserinfo]),
            (#""require_pushed_authorization_requests":true,"pushed_authorization_request_endpoint":"https://op.example/p""#, []),
        ] as [(String, [MetadataDemand])])
    func demands(members: String, demands: [MetadataDemand]) throws {
        #expect(try metadata(members).demands == Set(demands))
    }

    @Test("A way to send the secret that is none of ours is told with ours, and a secret that is too much as such")
    func clientAuthentication() {
        let problem = "\(ProviderProblem.noCommonClientAuthentication(offered: ["private_key_jwt", "tls_client_auth"]))"
        #expect(
            problem
                == "its token endpoint takes only private_key_jwt, tls_client_auth (token_endpoint_auth_methods_supported), but Postern sends a "
                + "client secret only by client_secret_basic or client_secret_post")
        #expect("\(ProviderProblem.noCommonClientAuthentication(offered: ["none"]))".hasSuffix("; for a public client remove client-secret"))
    }
}

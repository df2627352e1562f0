@testable import PosternCore
import PosternCrypto
import StrictJSON
import Testing

/// Whatever comes from outside ends in a value or an error: right inputs with a few bytes changed, the same in every run.
@Suite struct MutationTests {
    private static let rounds = 3000

    private func each(_ seed: [UInt8], _ body: ([UInt8]) throws -> Void) rethrows {
        var generator = SeededGenerator(seed: 7636)
        for _ in 0..<Self.rounds { try body(seed.mutated(by: &generator)) }
    }

    @Test("A changed ID token is never believed")
    func idTokens() throws {
        let token = try TokenForge().token().revealBytes()
        let keys = try TestKeys.providerKeys()
        try each(token) { bytes in
            guard bytes != token else { return }
            let outcome = try judge(Secret(bytes), keys: keys)
            #expect(outcome != "verified")
        }
    }

    @Test("Changed claims under a right signature are judged")
    func claims() throws {
        let keys = try TestKeys.providerKeys()
        var forge = try TokenForge(changes: ["aud": ["client"], "azp": "client", "auth_time": .decimal("1.5"), "email_verified": "true", "at_hash": "x"])
        var generator = SeededGenerator(seed: 7519)
        let right = Array(forge.claims.utf8)
        for _ in 0..<300 {
            forge.claims = String(decoding: right.mutated(by: &generator), as: UTF8.self)
            _ = try judge(try forge.token(), keys: keys)
        }
    }

    @Test("Changed answers of a token endpoint are read or refused")
    func tokenAnswers() throws {
        let provider = try ResolvedProvider(.gitHub())
        let json = #"{"access_token":"gho_aaaa","expires_in":28800,"refresh_token":"ghr_bbbb","token_type":"bearer","scope":"a,b","error":""}"#
        let form = "access_token=gho_aaaa&scope=read%3Auser%2Cuser%3Aemail&token_type=bearer&expires_in=1e3"
        for answer in [ProviderResponse.json(json), .form(form)] {
            each(answer.body) { bytes in
                var answer = answer
                answer.body = bytes
                _ = try? TokenResponse.grant(from: answer, to: .exchange, at: provider, scopes: [], sentAt: now, now: now)
            }
        }
    }

    @Test("Changed key sets, metadata, profiles and endpoints are read or refused")
    func documents() throws {
        try each(TestKeys.document([try TestKeys.jwk("es", kid: "es"), try TestKeys.jwk("ed", kid: "ed")])) { bytes in
            guard let keys = try? KeySet(parsing: bytes) else { return }
            _ = try judge(try TokenForge().token(), keys: keys.keys.count > 1 ? KeySet(parsing: TestKeys.document([])) : keys)
        }
        let metadata = #"{"issuer":"https://op.example","token_endpoint":"https://op.example/t?x=1","token_endpoint_auth_methods_supported":["none"]}"#
        each(Array(metadata.utf8)) { _ = try? ProviderMetadata(parsing: $0, expectedIssuer: "https://op.example") }
        each(Array("https://login.example.com:8443/a/b?c=%20#d".utf8)) { _ = try? EndpointURL(String(decoding: $0, as: UTF8.self)) }
        each(Array("http://[2001:db8::1]:80/".utf8)) { _ = try? EndpointURL(String(decoding: $0, as: UTF8.self)) }
        let context = ProfileContext(
            provider: try ResolvedProvider(.gitHub()), grant: .sample(), idToken: nil, keys: nil, cryptography: OpenSSLCryptography(), now: now)
        let user = ProviderResponse.json(#"{"login":"octo","id":583231,"avatar_url":"https://a.example/u","name":null,"email":"o@example.com"}"#)
        each(Array(#"[{"email":"o@example.com","primary":true,"verified":true}]"#.utf8)) { bytes in
            _ = try? GitHub().profile(from: [user, ProviderResponse(status: 200, body: bytes)], in: context)
            _ = try? GitHub().profile(from: [ProviderResponse(status: 200, body: bytes)], in: context)
        }
    }
}

import PosternCore
import StrictJSON
import Testing

/// The rows of the FAPI 2.0 client tests whose rules hold for every provider (prefix `fapi2-security-profile-final-client-`).
@Suite struct FAPIConformanceTests {
    private func outcome(_ changes: JSONObject, tokenAnswer: JSONObject = [:]) throws -> String {
        var fake = try FakeOpenIDProvider()
        fake.claims = changes
        fake.tokenAnswer = tokenAnswer
        var party = RelyingParty(fake)
        do {
            _ = try party.signIn()
            return "accepted"
        } catch let error as IDTokenRejection {
            #expect(party.fake.requested("https://op.example/userinfo").isEmpty)
            return error.reason
        }
    }

    @Test(
        "ID tokens of the FAPI rows",
        arguments: [
            ("test-happy-path", [:], "accepted"),
            ("test-invalid-aud", ["aud": "x"], "the ID token is for another client (aud)"),
            ("test-invalid-secondary-aud", ["aud": ["client", "x"], "azp": "client"], "the ID token is also for x, which is not known here (aud)"),
            ("test-invalid-missing-aud", ["aud": nil], "in the ID token aud is missing"),
            ("test-valid-aud-as-array", ["aud": ["client"]], "accepted"),
            ("test-invalid-iss", ["iss": "https://x.example"], "the ID token is from https://x.example, not from the configured issuer"),
            ("test-invalid-missing-iss", ["iss": nil], "in the ID token iss is missing"),
            ("test-invalid-nonce", ["nonce": "x"], "the ID token belongs to another sign-in (its nonce differs)"),
            ("test-invalid-missing-nonce", ["nonce": nil], "the ID token does not repeat the nonce of this sign-in"),
            (
                "test-invalid-expired-exp", ["exp": 1_799_999_700, "iat": 1_799_999_600],
                "the ID token has expired at 2027-01-15T07:55:00Z; if that is wrong, check this machine's clock"
            ),
            ("test-invalid-missing-exp", ["exp": nil], "in the ID token exp is missing"),
        ] as [(String, JSONObject, String)])
    func idTokens(name: String, changes: JSONObject, expected: String) throws {
        #expect(try outcome(changes) == expected)
    }

    @Test("test-token-type-case-insensitivity", arguments: ["bearer", "Bearer", "BEARER", "bEARER"])
    func tokenType(type: String) throws {
        #expect(try outcome([:], tokenAnswer: ["token_type": .string(type)]) == "accepted")
    }

    @Test("test-token-endpoint-response-without-expires_in")
    func withoutLifetime() throws {
        #expect(try outcome([:], tokenAnswer: ["expires_in": nil]) == "accepted")
    }

    @Test("test-invalid-null-alg and test-invalid-alternate-alg")
    func algorithms() throws {
        for (algorithm, key) in [("none", "rs"), ("ES256K", "rs"), ("HS256", "rs")] {
            var fake = try FakeOpenIDProvider()
            fake.header = ["alg": .string(algorithm), "kid": .string(key)]
            var party = RelyingParty(fake)
            #expect(throws: IDTokenRejection.algorithmNotAllowed(algorithm)) { try party.signIn() }
        }
    }

    @Test("An algorithm that the provider does not announce is not taken from it")
    func unannouncedAlgorithm() throws {
        var fake = try FakeOpenIDProvider()
        fake.metadata["id_token_signing_alg_values_supported"] = ["ES256"]
        var party = RelyingParty(fake)
        #expect(throws: IDTokenRejection.algorithmNotAllowed("RS256")) { try party.signIn() }
    }

    @Test("test-invalid-authorization-response-iss and test-remove-authorization-response-iss")
    func responseIssuer() throws {
        var fake = try FakeOpenIDProvider()
        fake.metadata["authorization_response_iss_parameter_supported"] = true
        var party = RelyingParty(fake)
        let rule = try party.resolve().responseIssuer
        #expect(rule.verdict(on: "https://op.example") == .accepted)
        #expect(rule.verdict(on: "https://op.example/x") == .mismatch)
        #expect(rule.verdict(on: nil) == .missing)
    }
}

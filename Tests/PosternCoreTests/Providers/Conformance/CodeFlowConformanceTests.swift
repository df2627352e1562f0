import PosternCore
import StrictJSON
import Testing

/// The rows of the OpenID conformance suite's relying-party tests that concern the code flow, and those of the FAPI 2.0 client tests that
/// hold for every provider, by their names there.
@Suite struct CodeFlowConformanceTests {
    /// What becomes of a sign-in at a provider with one fault: "accepted", or why the ID token was refused, before userinfo was asked for.
    private func outcome(_ fault: (inout FakeOpenIDProvider) throws -> Void) throws -> String {
        var fake = try FakeOpenIDProvider()
        try fault(&fake)
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
        "Rows about the claims of the ID token",
        arguments: [
            ("invalid-aud", ["aud": "client-other"], "the ID token is for another client (aud)"),
            ("invalid-secondary-aud", ["aud": ["client", "x"], "azp": "client"], "the ID token is also for x, which is not known here (aud)"),
            ("missing-aud", ["aud": nil], "in the ID token aud is missing"),
            ("valid-aud-as-array", ["aud": ["client"]], "accepted"),
            ("invalid-iss", ["iss": "https://op.example/1"], "the ID token is from https://op.example/1, not from the configured issuer"),
            ("invalid-missing-iss", ["iss": nil], "in the ID token iss is missing"),
            ("missing-iat", ["iat": nil], "in the ID token iat is missing"),
            ("missing-sub", ["sub": nil], "in the ID token sub is missing"),
            ("nonce-invalid", ["nonce": "other"], "the ID token belongs to another sign-in (its nonce differs)"),
            ("invalid-missing-nonce", ["nonce": nil], "the ID token does not repeat the nonce of this sign-in"),
            (
                "invalid-expired-exp", ["exp": 1_799_999_700, "iat": 1_799_999_600],
                "the ID token has expired at 2027-01-15T07:55:00Z; if that is wrong, check this machine's clock"
            ),
            ("invalid-missing-exp", ["exp": nil], "in the ID token exp is missing"),
            (
                "invalid-athash", ["at_hash": "77QmUPtjPfzWtF2AnpK9RQ"],
                "the access token is not the one that the ID token was made with (at_hash)"
            ),
        ] as [(String, JSONObject, String)])
    func claims(name: String, changes: JSONObject, expected: String) throws {
        #expect(try outcome { $0.claims = changes } == expected)
    }

    @Test("at_hash is compared where it is given, and no fault where the token endpoint gives both tokens without it")
    func accessTokenHash() throws {
        let outcome = try outcome { fake in
            fake.accessTokens = ["jHkWEdUXMU1BwAsC4vtUsZwnNvTIxEl0z9K3vx5KF0Y"]
            fake.claims = ["at_hash": "77QmUPtjPfzWtF2AnpK9RQ"]
        }
        #expect(outcome == "accepted")
    }

    @Test(
        "Rows about the signature of the ID token: idtoken-sig-none (which the suite calls skipped), invalid-null-alg, invalid-sig-hs256 and more",
        arguments: ["none", "ES256K", "HS256"])
    func algorithms(algorithm: String) throws {
        let refused = try outcome { fake in
            fake.header = ["alg": .string(algorithm), "kid": "rs"]
            if algorithm == "none" { fake.tamper = { Secret($0.reveal().split(separator: ".").prefix(2).joined(separator: ".") + ".") } }
        }
        #expect(refused == IDTokenRejection.algorithmNotAllowed(algorithm).reason)
    }

    @Test("An algorithm that the provider does not announce is not taken from it")
    func unannouncedAlgorithm() throws {
        let refused = try outcome { $0.metadata["id_token_signing_alg_values_supported"] = ["ES256"] }
        #expect(refused == IDTokenRejection.algorithmNotAllowed("RS256").reason)
    }

    @Test("invalid-sig-rs256 and invalid-sig-es256", arguments: ["rs", "es"])
    func invalidSignature(key: String) throws {
        let refused = try outcome { fake in
            fake.signingKey = key
            fake.keys = [try TestKeys.jwk(key, kid: key)]
            fake.tamper = { token in
                var parts = token.reveal().split(separator: ".").map(String.init)
                let first = parts[2].removeFirst()
                parts[2] = (first == "A" ? "B" : "A") + parts[2]
                return Secret(parts.joined(separator: "."))
            }
        }
        #expect(refused == IDTokenRejection.invalidSignature.reason)
    }

    @Test("kid-absent-single-jwks and kid-absent-multiple-jwks: one key without a key ID is used, of several none")
    func keyIDAbsent() throws {
        let single = try outcome { fake in
            fake.header = ["alg": "RS256"]
            fake.keys = [try TestKeys.jwk("rs")]
        }
        #expect(single == "accepted")
        let several = try outcome { fake in
            fake.header = ["alg": "ES256"]
            fake.signingKey = "es"
            fake.keys = [try TestKeys.jwk("es", kid: "a"), try TestKeys.jwk("es-2", kid: "b")]
        }
        #expect(several == IDTokenRejection.ambiguousKey.reason)
    }

    @Test("signing-key-rotation: a second sign-in after the keys have changed")
    func rotation() throws {
        var party = RelyingParty(try FakeOpenIDProvider())
        _ = try party.signIn()
        party.fake.signingKey = "es"
        party.fake.keys = [try TestKeys.jwk("es", kid: "es")]
        _ = try party.signIn()
        #expect(party.fake.requested("https://op.example/jwks/1234").count == 2)
    }

    @Test("signing-key-rotation-just-before-signing: the keys were read a moment ago and do not have it yet")
    func rotationJustBefore() throws {
        var fake = try FakeOpenIDProvider()
        var party = RelyingParty(fake)
        _ = try party.keys.fetched(.json(JSON.object(["keys": .array(fake.keys)]).text), now: now)
        fake.signingKey = "ed"
        fake.keys = [try TestKeys.jwk("ed", kid: "ed")]
        party.fake = fake
        _ = try party.signIn()
        #expect(party.fake.requested("https://op.example/jwks/1234").count == 1)
    }

    @Test("A key that is in no set is looked for once and then refused")
    func unknownKey() throws {
        var fake = try FakeOpenIDProvider()
        fake.signingKey = "es"
        var party = RelyingParty(fake)
        #expect(throws: IDTokenRejection.unknownKey(kid: "es")) { try party.signIn() }
        #expect(party.fake.requested("https://op.example/jwks/1234").count == 2)
    }

    @Test("oidcc-client-test, idtoken-sig-rs256, client-secret-basic: authorization, token with Basic where the metadata are silent, userinfo")
    func happyPath() throws {
        var party = RelyingParty(try FakeOpenIDProvider(), secret: "s")
        let result = try party.signIn()
        #expect(result.grant.idToken != nil && result.profile.identity.subject == "248289761001")
        #expect(result.profile.identity.email == "jane@example.com")
        #expect(
            party.fake.requests.map(\.url) == [
                "https://op.example/.well-known/openid-configuration", "https://op.example/token", "https://op.example/jwks/1234",
                "https://op.example/userinfo",
            ])
        #expect(party.fake.requested("https://op.example/token").first?.headers("Authorization") == ["Basic Y2xpZW50OnM="])
    }

    @Test("token-type-case-insensitivity, token-endpoint-response-without-expires_in", arguments: [["token_type": "bEARER"], ["expires_in": nil]] as [JSONObject])
    func tokenAnswer(changes: JSONObject) throws {
        #expect(try outcome { $0.tokenAnswer = changes } == "accepted")
    }

    @Test("discovery-openid-config, discovery-jwks-uri-keys, remove-authorization-response-iss: what the metadata say is used")
    func discovery() throws {
        var fake = try FakeOpenIDProvider()
        fake.metadata.apply([
            "authorization_endpoint": "https://op.example/somewhere/else", "jwks_uri": "https://op.example/jwks/of-this-run",
            "authorization_response_iss_parameter_supported": true,
        ])
        var party = RelyingParty(fake)
        let resolved = try party.resolve()
        #expect(resolved.authorization.text == "https://op.example/somewhere/else")
        #expect(resolved.responseIssuer.expected == "https://op.example" && resolved.responseIssuer.isRequired)
        _ = try party.signIn()
        #expect(party.fake.requested("https://op.example/jwks/of-this-run").count == 1)
    }

    @Test("discovery-issuer-mismatch: metadata of another issuer are refused")
    func issuerMismatch() throws {
        var fake = try FakeOpenIDProvider()
        fake.metadata["issuer"] = "https://op.example/INVALID"
        var party = RelyingParty(fake)
        #expect(throws: MetadataError.issuerMismatch(expected: "https://op.example", found: "https://op.example/INVALID")) { try party.signIn() }
        #expect(party.fake.requests.count == 1)
    }

    @Test("scope-userinfo-claims: the claims behind the standard scopes are read")
    func scopeClaims() throws {
        var fake = try FakeOpenIDProvider()
        fake.userinfo = .json(
            #"{"sub":"248289761001","given_name":"Jane","family_name":"Doe","nickname":"jd","picture":"https://op.example/p","email":"j@example.com","email_verified":"true","phone_number":"+1","address":{"country":"IT"}}"#
        )
        var party = RelyingParty(fake)
        let profile = try party.signIn().profile
        #expect(profile.identity.displayName == "Jane Doe")
        #expect(profile.identity.username == "jd")
        #expect(profile.identity.photoURL == "https://op.example/p")
        #expect(profile.identity.email == "j@example.com" && profile.identity.emailVerified == true)
        #expect(profile.document["address"] == ["country": "IT"])
    }
}

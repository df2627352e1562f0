import PosternCore
import StrictJSON
import Testing

/// The rows of the OpenID conformance suite's relying-party tests that concern the code flow, by their names there. A row that is to
/// fail passes when no userinfo is asked for after the bad token.
@Suite struct CodeFlowConformanceTests {
    /// Signs in at a provider with one fault.
    private func rejection(secret: String? = nil, _ fault: (inout FakeOpenIDProvider) throws -> Void) throws -> IDTokenRejection? {
        var fake = try FakeOpenIDProvider()
        try fault(&fake)
        var party = RelyingParty(fake, secret: secret)
        let error = #expect(throws: IDTokenRejection.self) { try party.signIn() }
        #expect(party.fake.requested("https://op.example/userinfo").isEmpty)
        return error
    }

    @Test("oidcc-client-test: authorization, token, userinfo")
    func happyPath() throws {
        var party = RelyingParty(try FakeOpenIDProvider())
        let result = try party.signIn()
        #expect(result.profile.identity.subject == "248289761001")
        #expect(result.profile.identity.email == "jane@example.com")
        #expect(
            party.fake.requests.map(\.url) == [
                "https://op.example/.well-known/openid-configuration", "https://op.example/token", "https://op.example/jwks/1234",
                "https://op.example/userinfo",
            ])
    }

    @Test("client-secret-basic: Basic at the token endpoint where the metadata are silent")
    func clientSecretBasic() throws {
        var party = RelyingParty(try FakeOpenIDProvider(), secret: "s")
        _ = try party.signIn()
        #expect(party.fake.requested("https://op.example/token").first?.headers("Authorization") == ["Basic Y2xpZW50OnM="])
    }

    @Test("idtoken-sig-none: an unsigned ID token is refused, which the suite calls skipped")
    func unsigned() throws {
        let error = try rejection { fake in
            fake.header = ["alg": "none"]
            fake.tamper = { Secret($0.reveal().split(separator: ".").prefix(2).joined(separator: ".") + ".") }
        }
        #expect(error == .algorithmNotAllowed("none"))
    }

    @Test("idtoken-sig-rs256")
    func rs256() throws {
        var party = RelyingParty(try FakeOpenIDProvider())
        #expect(try party.signIn().grant.idToken != nil)
    }

    @Test("invalid-aud")
    func invalidAudience() throws { #expect(try rejection { $0.claims = ["aud": "client-other"] } == .audienceMismatch) }

    @Test("missing-aud")
    func missingAudience() throws {
        #expect(try rejection { $0.claims = ["aud": nil] } == .claim(JSONMemberError(path: "aud", reason: .missing)))
    }

    @Test("invalid-iss")
    func invalidIssuer() throws {
        #expect(try rejection { $0.claims = ["iss": "https://op.example/1"] } == .issuerMismatch(found: "https://op.example/1"))
    }

    @Test("missing-iat")
    func missingIssuedAt() throws {
        #expect(try rejection { $0.claims = ["iat": nil] } == .claim(JSONMemberError(path: "iat", reason: .missing)))
    }

    @Test("missing-sub")
    func missingSubject() throws {
        #expect(try rejection { $0.claims = ["sub": nil] } == .claim(JSONMemberError(path: "sub", reason: .missing)))
    }

    @Test("nonce-invalid")
    func invalidNonce() throws { #expect(try rejection { $0.claims = ["nonce": "other"] } == .nonceMismatch) }

    private func flipping(_ token: Secret) -> Secret {
        var parts = token.reveal().split(separator: ".").map(String.init)
        let first = parts[2].removeFirst()
        parts[2] = (first == "A" ? "B" : "A") + parts[2]
        return Secret(parts.joined(separator: "."))
    }

    @Test("invalid-sig-rs256")
    func invalidRS256() throws { #expect(try rejection { $0.tamper = flipping } == .invalidSignature) }

    @Test("invalid-sig-es256")
    func invalidES256() throws {
        let error = try rejection { fake in
            fake.signingKey = "es"
            fake.keys = [try TestKeys.jwk("es", kid: "es")]
            fake.tamper = flipping
        }
        #expect(error == .invalidSignature)
    }

    @Test("invalid-sig-hs256: no HMAC is accepted, so no bad one is either")
    func invalidHS256() throws {
        #expect(try rejection(secret: "secret") { $0.header = ["alg": "HS256"] } == .algorithmNotAllowed("HS256"))
    }

    @Test("kid-absent-single-jwks: one key, no key ID")
    func keyIDAbsentSingle() throws {
        var fake = try FakeOpenIDProvider()
        fake.header = ["alg": "RS256"]
        fake.keys = [try TestKeys.jwk("rs")]
        var party = RelyingParty(fake)
        #expect(try party.signIn().profile.identity.subject == "248289761001")
    }

    @Test("kid-absent-multiple-jwks: several keys, no key ID, is refused")
    func keyIDAbsentMultiple() throws {
        let error = try rejection { fake in
            fake.header = ["alg": "ES256"]
            fake.signingKey = "es"
            fake.keys = [try TestKeys.jwk("es", kid: "a"), try TestKeys.jwk("es-2", kid: "b")]
        }
        #expect(error == .ambiguousKey)
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

    @Test("invalid-athash and the vector for a right one; missing-athash is no fault where the token endpoint gives both")
    func accessTokenHash() throws {
        #expect(try rejection { $0.claims = ["at_hash": "77QmUPtjPfzWtF2AnpK9RQ"] } == .accessTokenHashMismatch)
        var fake = try FakeOpenIDProvider()
        fake.accessTokens = ["jHkWEdUXMU1BwAsC4vtUsZwnNvTIxEl0z9K3vx5KF0Y"]
        fake.claims = ["at_hash": "77QmUPtjPfzWtF2AnpK9RQ"]
        var party = RelyingParty(fake)
        _ = try party.signIn()
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

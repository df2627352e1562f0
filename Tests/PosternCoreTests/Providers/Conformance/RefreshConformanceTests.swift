import PosternCore
import StrictJSON
import Testing

/// The suite's rows on refreshing (OpenID Connect Core section 12.2).
@Suite struct RefreshConformanceTests {
    private func signedIn(_ change: (inout FakeOpenIDProvider) -> Void = { _ in }) throws -> (RelyingParty, StoredCredential) {
        var fake = try FakeOpenIDProvider()
        change(&fake)
        var party = RelyingParty(fake)
        let credential = try party.signIn().credential
        return (party, credential)
    }

    private func rejection(_ claims: JSONObject, first: JSONObject = [:]) throws -> IDTokenRejection? {
        var (party, credential) = try signedIn { $0.claims = first }
        party.fake.claims = claims
        return #expect(throws: IDTokenRejection.self) { try party.refresh(credential) }
    }

    @Test("refresh-token: refresh, then userinfo with the new token")
    func refresh() throws {
        var (party, credential) = try signedIn()
        party.fake.tokenAnswer = ["refresh_token": "rotated"]
        let result = try party.refresh(credential)
        #expect(result.credential.grant.accessToken == Secret("ya29.second"))
        #expect(result.credential.grant.refreshToken == Secret("rotated"))
        #expect(result.credential.generation == 2)
        #expect(party.fake.requested("https://op.example/userinfo").last?.headers("Authorization") == ["Bearer ya29.second"])
    }

    @Test("A refresh may bring no ID token, one without the nonce, or one whose time is later")
    func variants() throws {
        for (claims, answer) in [([:], ["id_token": nil]), (["nonce": nil], [:]), (["iat": 1_800_000_030, "exp": 1_800_009_000], [:])] as [(JSONObject, JSONObject)] {
            var (party, credential) = try signedIn()
            party.fake.claims = claims
            party.fake.tokenAnswer = answer
            #expect(try party.refresh(credential).credential.grant.idToken != nil)
        }
    }

    @Test("refresh-token-invalid-issuer")
    func invalidIssuer() throws {
        #expect(try rejection(["iss": "https://op.example/other"]) == .issuerMismatch(found: "https://op.example/other"))
    }

    @Test("refresh-token-invalid-sub")
    func invalidSubject() throws { #expect(try rejection(["sub": "other"]) == .differsFromEarlier(claim: "sub")) }

    @Test("Audience, nonce, time of authentication and time of issue go on where they were")
    func continuity() throws {
        #expect(try rejection(["aud": "other"]) == .audienceMismatch)
        #expect(try rejection(["aud": ["client", "client"], "azp": "client", "auth_time": 2], first: ["auth_time": 1]) == .differsFromEarlier(claim: "auth_time"))
        // Refused, but no reason to forget the refresh token: it is the same person at the same provider.
        #expect(!IDTokenRejection.differsFromEarlier(claim: "auth_time").isAnotherIdentity)
        #expect(IDTokenRejection.differsFromEarlier(claim: "sub").isAnotherIdentity)
        #expect(try rejection(["nonce": "other"]) == .nonceMismatch)
        #expect(try rejection(["iat": 1_799_999_999]) == .olderThanEarlier)
        #expect(try rejection(["exp": 1_799_999_000]) == .expired(at: Timestamp(seconds: 1_799_999_000)))
        #expect(try rejection(["at_hash": "77QmUPtjPfzWtF2AnpK9RQ"]) == .accessTokenHashMismatch)
    }

    @Test("A refresh token that is older than the last sign-in goes on where its own sign-in was, with that one's nonce and time")
    func olderRefreshToken() throws {
        var (party, credential) = try signedIn { $0.claims = ["auth_time": 1] }
        let first = credential.grant
        party.fake.claims = ["auth_time": 2, "nonce": "second"]
        credential.grant = try party.signIn(nonce: Secret("second")).grant
        credential.grant.keepRefreshToken(of: first)
        #expect(credential.grant.idTokenOfRefreshToken == first.idToken && credential.grant.idToken != first.idToken)

        for (claims, rejection) in [
            (["auth_time": 2], .differsFromEarlier(claim: "auth_time")), (["auth_time": 0], .differsFromEarlier(claim: "auth_time")),
            (["auth_time": 1, "nonce": "second"], .nonceMismatch), (["auth_time": 1, "sub": "other"], .differsFromEarlier(claim: "sub")),
        ] as [(JSONObject, IDTokenRejection)] {
            party.fake.claims = claims
            #expect(throws: rejection) { try party.refresh(credential) }
        }

        party.fake.claims = ["auth_time": 1]
        let renewed = try party.refresh(credential).credential
        #expect(renewed.grant.idToken != credential.grant.idToken && renewed.grant.idTokenOfRefreshToken == nil)
        party.fake.tokenAnswer = ["id_token": nil]
        let silent = try party.refresh(credential).credential
        #expect(silent.grant.idToken == credential.grant.idToken && silent.grant.idTokenOfRefreshToken == first.idToken)
        #expect(silent.withoutRefreshToken(now: now).grant.idTokenOfRefreshToken == nil)
        // A third sign-in without a refresh token.
        var third = credential.grant
        third.keepRefreshToken(of: silent.grant)
        #expect(third.idTokenOfRefreshToken == first.idToken)
    }

    @Test("Where the ID token before was not kept, its subject is")
    func withoutEarlier() throws {
        var (party, credential) = try signedIn()
        credential.grant.idToken = nil
        party.fake.claims = ["sub": "other", "nonce": nil]
        #expect(throws: IDTokenRejection.differsFromEarlier(claim: "sub")) { try party.refresh(credential) }
        party.fake.claims = ["nonce": nil]
        _ = try party.refresh(credential)
    }
}

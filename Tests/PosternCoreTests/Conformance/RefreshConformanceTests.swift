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
        #expect(try rejection(["nonce": "other"]) == .nonceMismatch)
        #expect(try rejection(["iat": 1_799_999_999]) == .olderThanEarlier)
        #expect(try rejection(["exp": 1_799_999_000]) == .expired(at: Timestamp(seconds: 1_799_999_000)))
        #expect(try rejection(["at_hash": "77QmUPtjPfzWtF2AnpK9RQ"]) == .accessTokenHashMismatch)
    }

    @Test("A refresh token that is older than the last sign-in brings the time of its own")
    func olderRefreshToken() throws {
        var (party, credential) = try signedIn { $0.claims = ["auth_time": 2] }
        party.fake.claims = ["auth_time": 1]
        #expect(try party.refresh(credential).credential.grant.idToken != nil)
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

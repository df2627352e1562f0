@testable import PosternCore
import Testing

@Suite struct RefreshDecisionTests {
    private func credential(
        expiresIn: Int64? = 3600, refreshToken: String? = "rt", refreshExpiresIn: Int64? = nil, scopes: [String] = ["a", "b"]
    ) -> StoredCredential {
        var grant = Grant.sample(refreshToken: refreshToken, expiresIn: expiresIn, scopes: scopes)
        grant.refreshTokenExpiresAt = refreshExpiresIn.map { now.adding(seconds: $0) }
        return StoredCredential(providerID: "work", subject: "1", displayName: nil, binding: ProviderBinding(clientID: "c", authority: "a"), grant: grant, generation: 1)
    }

    private func decide(
        _ credential: StoredCredential, minimumValidity: Int64 = 60, force: Bool = false, scopes: [String] = []
    ) -> RefreshDecision {
        RefreshDecision(
            for: credential, TokenDemand(scopes: scopes, minimumValidity: minimumValidity, forceRefresh: force),
            dialect: StandardDialect(), now: now)
    }

    @Test("A token that is good for long enough is used")
    func stored() {
        #expect(decide(credential()) == .useStored)
        #expect(decide(credential(expiresIn: 60)) == .useStored)
        #expect(decide(credential(expiresIn: nil, refreshToken: nil)) == .useStored)
        #expect(decide(credential(expiresIn: nil), minimumValidity: .max) == .useStored)
        #expect(decide(credential(expiresIn: 1, refreshToken: nil), minimumValidity: 0) == .useStored)
        #expect(decide(credential(expiresIn: 1, refreshToken: nil), minimumValidity: -100) == .useStored)
    }

    @Test("Any other token is renewed")
    func refresh() {
        #expect(decide(credential(expiresIn: 59)) == .refresh)
        #expect(decide(credential(expiresIn: 0), minimumValidity: 0) == .refresh)
        #expect(decide(credential(expiresIn: -5)) == .refresh)
        #expect(decide(credential(), minimumValidity: 3601) == .refresh)
        #expect(decide(credential(), force: true) == .refresh)
        #expect(decide(credential(expiresIn: nil), force: true) == .refresh)
        #expect(decide(credential(), minimumValidity: .max) == .refresh)
        #expect(decide(credential(expiresIn: 0, refreshExpiresIn: 1)) == .refresh)
    }

    @Test("One that was obtained while the clock was ahead is renewed if it can be: its end was reckoned with that clock")
    func clockSetBack() {
        func decide(ahead: Int64, expiresIn: Int64? = 3600, refreshToken: String? = "rt") -> RefreshDecision {
            var credential = credential(expiresIn: expiresIn.map { ahead + $0 }, refreshToken: refreshToken)
            credential.grant.obtainedAt = now.adding(seconds: ahead)
            return self.decide(credential)
        }
        #expect(decide(ahead: 60) == .useStored)
        #expect(decide(ahead: 61) == .refresh)
        #expect(decide(ahead: 315_360_000) == .refresh)
        #expect(decide(ahead: 61, expiresIn: nil) == .useStored, "it has no end")
        #expect(decide(ahead: 61, refreshToken: nil) == .useStored, "nothing better is to be had without the user")
    }

    @Test("Where there is nothing to renew it with, the user is needed")
    func signInRequired() {
        #expect(
            decide(credential(expiresIn: 10, refreshToken: nil))
                == .signInRequired(.noRefreshToken(expiresAt: now.adding(seconds: 10))))
        #expect(decide(credential(expiresIn: nil, refreshToken: nil), force: true) == .signInRequired(.noRefreshToken(expiresAt: nil)))
        #expect(
            decide(credential(expiresIn: 10, refreshExpiresIn: 0)) == .signInRequired(.refreshTokenExpired(at: now)))
    }

    @Test("A token that renews itself is renewed in the second half of its life, as it cannot be once that is over")
    func renewsItself() {
        func decide(age: Int64, left: Int64?, minimumValidity: Int64 = 60, force: Bool = false) -> RefreshDecision {
            var credential = credential(expiresIn: left, refreshToken: nil)
            credential.grant.obtainedAt = now.adding(seconds: -age)
            return RefreshDecision(
                for: credential, TokenDemand(minimumValidity: minimumValidity, forceRefresh: force), dialect: Facebook(), now: now)
        }
        let day: Int64 = 86_400
        #expect(decide(age: 0, left: 60 * day) == .useStored)
        #expect(decide(age: 30 * day, left: 30 * day) == .useStored)
        #expect(decide(age: 31 * day, left: 29 * day) == .useStoredAndRenew)
        #expect(decide(age: 31 * day, left: 29 * day, minimumValidity: 30 * day) == .refresh)
        #expect(decide(age: 0, left: 60 * day, force: true) == .refresh)
        #expect(decide(age: 60 * day, left: 30) == .refresh)
        #expect(decide(age: 61 * day, left: -1) == .signInRequired(.noRefreshToken(expiresAt: now.adding(seconds: -1))))
        #expect(decide(age: 61 * day, left: 0, force: true) == .signInRequired(.noRefreshToken(expiresAt: now)))
        #expect(decide(age: 400 * day, left: nil) == .useStored)
        #expect(decide(age: 400 * day, left: nil, force: true) == .refresh)
    }

    @Test("A scope that was not granted is named before anything is renewed")
    func scopes() {
        #expect(decide(credential(), scopes: ["b", "a"]) == .useStored)
        #expect(decide(credential(expiresIn: 0), scopes: ["b", "c", "d"]) == .scopeNotGranted(missing: ["c", "d"]))
        let many = credential(scopes: (0..<1000).map { "scope-\($0)" })
        #expect(decide(many, scopes: ["scope-999", "scope-0"]) == .useStored)
        #expect(decide(many, scopes: ["scope-999", "scope-1000"]) == .scopeNotGranted(missing: ["scope-1000"]))
    }

    @Test("GitHub's wide scopes hold its narrow ones")
    func gitHubScopes() {
        let granted = credential(scopes: ["repo", "user", "admin:org", "write:packages"])
        let asked = ["public_repo", "repo:status", "read:user", "user:email", "write:org", "read:org", "read:packages", "repo"]
        #expect(RefreshDecision(for: granted, TokenDemand(scopes: asked), dialect: GitHub(), now: now) == .useStored)
        let more = ["gist", "admin:packages", "delete_repo", "read:public_key", "write"]
        #expect(RefreshDecision(for: granted, TokenDemand(scopes: more), dialect: GitHub(), now: now) == .scopeNotGranted(missing: more))
    }

    @Test("The reasons are sentences")
    func reasons() {
        #expect(
            SignInRequirement.noRefreshToken(expiresAt: now).description
                == "the access token ends at 2027-01-15T08:00:00Z, and there is no refresh token to renew it with")
        #expect(SignInRequirement.refreshTokenExpired(at: now).description == "the refresh token has expired at 2027-01-15T08:00:00Z")
        #expect(
            SignInRequirement.refreshRefused(OAuthRefusal(status: 400, error: "invalid_grant")).description
                == "the provider refused the refresh token (invalid_grant)")
    }
}

@Suite struct RefreshedCredentialTests {
    private var old: StoredCredential {
        var grant = Grant.sample(accessToken: "old", refreshToken: "rt-old", scopes: ["a", "b"])
        grant.refreshTokenExpiresAt = now.adding(seconds: 9000)
        grant.idToken = Secret("id-old")
        return StoredCredential(providerID: "work", subject: "1", displayName: "Ex", binding: ProviderBinding(clientID: "c", authority: "a"), grant: grant, generation: 7)
    }

    @Test("Without a new refresh token the old one stays, and so does its end")
    func keeps() {
        let new = old.refreshed(with: .sample(accessToken: "new", scopes: ["a", "b"]))
        #expect(new.grant.accessToken == Secret("new"))
        #expect(new.grant.refreshToken == Secret("rt-old"))
        #expect(new.grant.refreshTokenExpiresAt == now.adding(seconds: 9000))
        #expect(new.grant.idToken == Secret("id-old"))
        #expect(new.generation == 8)
        #expect(new.subject == "1" && new.displayName == "Ex")
    }

    @Test("A new refresh token takes the old one's place, with its own end or none")
    func rotates() {
        var fresh = Grant.sample(accessToken: "new", refreshToken: "rt-new", scopes: ["a"])
        fresh.idToken = Secret("id-new")
        let new = old.refreshed(with: fresh)
        #expect(new.grant.refreshToken == Secret("rt-new"))
        #expect(new.grant.refreshTokenExpiresAt == nil)
        #expect(new.grant.idToken == Secret("id-new"))
    }

    @Test("Scopes can become fewer, never more (RFC 6749 section 6)")
    func scopes() {
        #expect(old.refreshed(with: .sample(scopes: ["b"])).grant.scopes == ["b"])
        #expect(old.refreshed(with: .sample(scopes: ["b", "admin"])).grant.scopes == ["b"])
        #expect(old.refreshed(with: .sample(scopes: [])).grant.scopes == [])
    }
}

@Suite struct TokenRestrictionTests {
    @Test("Of the providers that are built in, Microsoft alone gives tokens for single services, and names them in its scopes")
    func resources() {
        #expect(Catalogue.providers.filter(\.givesTokensForResources).map(\.id) == ["microsoft.com"])
        #expect(Catalogue.providers.filter { $0.dialect.narrowsScopes(of: $0) }.map(\.id) == ["google.com", "microsoft.com"])
        func parameters(_ resource: String?, _ scopes: [String]) -> [String]? {
            Catalogue.provider("microsoft.com")?.dialect.parameters(of: TokenRestriction(resource: resource, scopes: scopes))
                .map { "\($0.name)=\($0.value)" }
        }
        #expect(parameters("https://vault.azure.net", []) == ["scope=https://vault.azure.net/.default"])
        #expect(parameters("https://vault.azure.net", ["user", "https://a.example/b"]) == ["scope=https://a.example/b https://vault.azure.net/user"])
        #expect(parameters(nil, ["Mail.Read", "Files.Read"]) == ["scope=Files.Read Mail.Read"])
    }
}

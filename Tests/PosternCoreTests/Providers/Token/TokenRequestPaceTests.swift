import Testing

@testable import PosternCore

/// One credential whose provider answers each request at once, with another token.
private struct Owner {
    var renewal = CredentialRenewal<String>()
    var credential = StoredCredential(
        providerID: "work", subject: "1", displayName: nil, binding: ProviderBinding(clientID: "c", authority: "a"),
        grant: .sample(refreshToken: "rt-1", scopes: ["a", "b"]), generation: 1)
    var clock = now
    var tokenLife: Int64? = 3600
    var requests = 0

    @discardableResult
    mutating func wanted(_ restriction: TokenRestriction?, minimumValidity: Int64 = 60, force: Bool = false) -> TokenVerdict? {
        let demand = TokenDemand(resource: restriction?.resource, minimumValidity: minimumValidity, forceRefresh: force)
        let asked = renewal.wanted(demand, restriction, by: "p", of: credential, dialect: StandardDialect(), now: clock)
        guard case .renew = asked else { return told(asked) }
        return told(answer(restriction))
    }

    @discardableResult
    mutating func wanted(_ resource: String, minimumValidity: Int64 = 60, force: Bool = false) -> TokenVerdict? {
        wanted(TokenRestriction(resource: resource), minimumValidity: minimumValidity, force: force)
    }

    private mutating func answer(_ restriction: TokenRestriction?) -> CredentialRenewal<String>.Action {
        requests += 1
        var grant = Grant.sample(accessToken: "at-\(requests)", expiresIn: nil, scopes: ["a", "b"])
        grant.obtainedAt = clock
        grant.expiresAt = tokenLife.map { clock.adding(seconds: $0) }
        if restriction != nil { return renewal.restricted(grant, of: credential, dialect: StandardDialect(), now: clock) }
        credential = credential.refreshed(with: grant)
        return renewal.renewed(credential, hasNewIDToken: true, dialect: StandardDialect(), now: clock)
    }

    private func told(_ action: CredentialRenewal<String>.Action) -> TokenVerdict? {
        switch action {
        case .tell(_, let verdict): verdict
        case .tellAll(let all, askAgain: _): all.first?.verdict
        default: nil
        }
    }

    var revocable: Set<String> { Set(renewal.restrictedGrants(now: clock).map { $0.accessToken.reveal() }) }
}

/// As many at once as a credential's pace allows.
private let most = 33

@Suite("The pace of one credential's requests")
struct TokenRequestPaceTests {
    private func used() -> Owner {
        var owner = Owner()
        for number in 0..<most { owner.wanted("urn:\(number)") }
        #expect(owner.requests == most)
        return owner
    }

    @Test("is the same for ever other services and scopes, for who insists, and for both")
    func onePace() {
        let demands: [(inout Owner, Int) -> Void] = [
            { $0.wanted("urn:\($1)") }, { $0.wanted(TokenRestriction(scopes: ["s\($1)"])) },
            { $0.wanted(TokenRestriction(resource: "urn:\($1)", scopes: ["a"]), force: true) },
            { $0.wanted(nil, minimumValidity: 3601 + Int64($1), force: true) },
        ]
        for demand in demands {
            var owner = Owner()
            for number in 0..<500 { demand(&owner, number) }
            #expect(owner.requests <= most)
        }
        var owner = Owner()
        for number in 0..<500 { demands[number % 4](&owner, number) }
        #expect(owner.requests == most)
    }

    @Test("leaves the tokens that are there to those who want no other")
    func stored() {
        var owner = used()
        guard case .token? = owner.wanted(nil), case .token? = owner.wanted("urn:\(most - 1)") else {
            Issue.record("a token that is there was not returned")
            return
        }
        #expect(owner.wanted(nil, force: true) == .tooMany(.requests(seconds: 10)))
    }

    @Test("gives one request every ten seconds, and says when")
    func refills() {
        var owner = used()
        #expect(owner.wanted("urn:new") == .tooMany(.requests(seconds: 10)))
        owner.clock = owner.clock.adding(seconds: 7)
        #expect(owner.wanted("urn:new") == .tooMany(.requests(seconds: 3)))
        owner.clock = owner.clock.adding(seconds: 3)
        owner.wanted("urn:new")
        owner.wanted("urn:other")
        #expect(owner.requests == most + 1)
    }

    @Test("goes on whatever happens to the credential")
    func survives() {
        let events: [(inout CredentialRenewal<String>) -> Void] = [
            { $0.signedIn() }, { $0.forgotten() }, { $0.configurationRead() }, { _ = $0.revoked() },
        ]
        for event in events {
            var owner = used()
            event(&owner.renewal)
            owner.wanted("urn:new")
            #expect(owner.requests == most)
            #expect(owner.renewal.hasAsked)
        }
    }

    @Test("goes on when an answer comes too late", arguments: ["superseded", "gone"])
    func late(event: String) {
        var owner = used()
        owner.clock = owner.clock.adding(seconds: 10)
        _ = owner.renewal.wanted(TokenDemand(forceRefresh: true), by: "p", of: owner.credential, dialect: StandardDialect(), now: owner.clock)
        if event == "gone" {
            _ = owner.renewal.gone(owner.credential)
        } else {
            _ = owner.renewal.superseded(by: owner.credential, dialect: StandardDialect())
        }
        owner.wanted("urn:new")
        #expect(owner.requests == most)
    }

    @Test("does not count what never reached the provider")
    func notSent() {
        var owner = Owner()
        for _ in 0..<100 {
            _ = owner.renewal.wanted(TokenDemand(forceRefresh: true), by: "p", of: owner.credential, dialect: StandardDialect(), now: owner.clock)
            _ = owner.renewal.failed(.unreachable(message: "no network").after(.notSent), now: owner.clock)
            owner.clock = owner.clock.adding(seconds: 1)
        }
        owner.wanted("urn:new")
        #expect(owner.requests == 1)
    }

    @Test("lets who wants a longer token than there is have the last one, until it expires")
    func tooShort() {
        var owner = Owner()
        owner.tokenLife = 8
        while owner.wanted("urn:short") != .tooMany(.requests(seconds: 1)), owner.requests < 1000 {
            let before = owner.requests
            guard case .token(let credential)? = owner.wanted("urn:short") else { break }
            #expect(credential.grant.expiresAt.map { $0 > owner.clock } == true && owner.requests == before)
            owner.clock = owner.clock.adding(seconds: 1)
        }
        #expect(owner.requests > most)
        guard case .tooMany(.requests)? = owner.wanted("urn:short") else {
            Issue.record("the pace allowed \(owner.requests) requests")
            return
        }
    }
}

@Suite("Restricted tokens that are no longer handed out")
struct OutlivedTokenTests {
    @Test("are revoked with the rest, for as long as they are valid")
    func revocable() {
        var owner = Owner()
        for number in 0..<100 {
            owner.wanted("urn:\(number)")
            owner.clock = owner.clock.adding(seconds: 10)
        }
        #expect(owner.requests == 100 && owner.revocable.count == 100)
        // The first ones have expired.
        owner.clock = now.adding(seconds: 3600 + 5 * 10)
        #expect(owner.revocable.count == 94)
    }

    @Test("include those that were replaced, because a program wanted another for the same service")
    func replaced() {
        var owner = Owner()
        for _ in 0..<5 {
            owner.wanted("urn:mail", force: true)
            owner.clock = owner.clock.adding(seconds: 10)
        }
        #expect(owner.revocable == ["at-1", "at-2", "at-3", "at-4", "at-5"])
    }

    @Test("are so few that all can be revoked: no others are requested until some expire")
    func bounded() {
        var owner = Owner()
        owner.tokenLife = 10_000
        for number in 0..<500 {
            owner.wanted("urn:\(number)")
            owner.clock = owner.clock.adding(seconds: 10)
        }
        #expect(owner.requests == 288 && owner.revocable.count == 288)
        #expect(owner.wanted("urn:new") == .tooMany(.validTokens(seconds: 5000)))
        guard case .token? = owner.wanted(nil, force: true) else {
            Issue.record("the credential's own token is not affected")
            return
        }
        owner.clock = now.adding(seconds: 10_000)
        owner.wanted("urn:new")
        #expect(owner.requests == 290)
    }

    @Test("count for ever if they do not expire")
    func endless() {
        var owner = Owner()
        owner.tokenLife = nil
        for number in 0..<500 {
            owner.wanted("urn:\(number)")
            owner.clock = owner.clock.adding(seconds: 86_400)
        }
        #expect(owner.requests == 288 && owner.revocable.count == 288)
        #expect(owner.wanted("urn:new") == .tooMany(.validTokens(seconds: nil)))
    }

    @Test("are gone after a lock, like all that was in memory")
    func locked() {
        var owner = Owner()
        for number in 0..<most { owner.wanted("urn:\(number)") }
        owner.renewal.forgotten()
        #expect(owner.revocable.isEmpty)
    }
}

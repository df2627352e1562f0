import Testing

@testable import PosternCore

/// One credential's renewal as its owner lives through it: a clock that stands where a test puts it, and waiters that are names.
private struct Owner {
    var renewal = CredentialRenewal<String>()
    var credential: StoredCredential
    var dialect: any ProviderDialect = StandardDialect()
    var clock = now

    init(expiresIn: Int64? = 3600, refreshToken: String? = "rt-1", scopes: [String] = ["a", "b"]) {
        credential = StoredCredential(
            providerID: "work", subject: "1", displayName: nil, binding: ProviderBinding(clientID: "c", authority: "a"),
            grant: .sample(refreshToken: refreshToken, expiresIn: expiresIn, scopes: scopes), generation: 1)
    }

    mutating func wanted(_ waiter: String = "p", minimumValidity: Int64 = 60, force: Bool = false, scopes: [String] = []) -> String {
        let demand = TokenDemand(scopes: scopes, minimumValidity: minimumValidity, forceRefresh: force)
        return told(renewal.wanted(demand, by: waiter, of: credential, dialect: dialect, now: clock))
    }

    mutating func forced(_ waiter: String = "p") -> String { wanted(waiter, force: true) }

    /// The provider gave another access token, and it is on disk.
    mutating func renewed(_ accessToken: String, expiresIn: Int64? = 3600, scopes: [String]? = nil) -> String {
        var fresh = Grant.sample(accessToken: accessToken, expiresIn: nil, scopes: scopes ?? credential.grant.scopes)
        fresh.obtainedAt = clock
        fresh.expiresAt = expiresIn.map { clock.adding(seconds: $0) }
        credential = credential.refreshed(with: fresh)
        return told(renewal.renewed(credential, hasNewIDToken: false, dialect: dialect, now: clock))
    }

    mutating func failed(
        _ failure: ProviderFailure = .unreachable(message: "down"), _ progress: ProviderFailure.Progress = .answered, retryAfter: Int64? = nil
    ) -> String {
        told(renewal.failed(failure.after(progress, retryAfterSeconds: retryAfter), now: clock))
    }

    /// The next refresh token, which is not on disk.
    func rotation(_ token: String, whole: Bool = false) throws -> RenewedCredential {
        RenewedCredential(
            try #require(credential.rotated(by: RotatedToken(token: Secret(token)))), spent: credential.grant.refreshToken, isWhole: whole)
    }

    mutating func notSaved(_ renewed: RenewedCredential) -> String { told(renewal.notSaved(renewed, StoreError(.full, file: "postern.db", reason: "is full"), now: clock)) }

    mutating func gone() throws -> String { told(renewal.gone(try rotation("rt-2").credential)) }

    mutating func signedIn(_ accessToken: String) {
        credential.grant.accessToken = Secret(accessToken)
        credential.generation += 1
        renewal.signedIn()
    }

    mutating func pass(seconds: Int64) { clock = clock.adding(seconds: seconds) }

    /// An action as one line.
    func told(_ action: CredentialRenewal<String>.Action) -> String {
        switch action {
        case .wait: "wait"
        case .tell(let waiter, let verdict): "tell \(waiter): \(Self.told(verdict))"
        case .tellAll(let all, askAgain: let waiting):
            "tell \(Self.told(all))" + (waiting.isEmpty ? "" : ", again " + waiting.map(\.waiter).joined(separator: " "))
        case .renew: "renew"
        case .tellAndRenew(let waiter, let verdict, _): "tell \(waiter): \(Self.told(verdict)), and renew"
        case .save(let held): "save \(held.credential.grant.refreshToken?.reveal() ?? "nothing")"
        case .askAgain(let waiting): "again " + waiting.map { $0.demand.forceRefresh ? "\($0.waiter)!" : $0.waiter }.joined(separator: " ")
        case .discard(let credential, let all):
            "discard \(credential?.grant.refreshToken?.reveal() ?? "nothing"), tell " + Self.told(all)
        }
    }

    private static func told(_ all: [(waiter: String, verdict: TokenVerdict)]) -> String {
        all.map { "\($0.waiter): \(told($0.verdict))" }.joined(separator: ", ")
    }

    static func told(_ verdict: TokenVerdict) -> String {
        switch verdict {
        case .token(let credential): credential.grant.accessToken.reveal()
        case .signInRequired: "sign in"
        case .scopeNotGranted(let missing): "not granted \(missing.joined(separator: " "))"
        case .failed(let failure):
            failure.message + (failure.followsLostAnswer ? " after a lost answer" : "")
                + (failure.pauseSeconds.map { ", \($0) s" } ?? "")
        case .tooMany(.requests(let seconds)): "too many, \(seconds) s"
        case .tooMany(.validTokens): "too many valid"
        case .noIDToken: "no ID token"
        case .notSaved: "not saved"
        case .takenBack: "taken back"
        }
    }
}

private let refused = ProviderFailure.denied(error: "invalid_grant", description: nil)

// MARK: A token is wanted

@Suite struct CredentialRenewalTests {
    @Test("A valid token is returned, and no request is made")
    func cached() {
        var owner = Owner()
        #expect(owner.wanted() == "tell p: at-1")
        #expect(!owner.renewal.isUnderWay && !owner.renewal.holdsUnsaved)
    }

    @Test("A hundred callers cause one renewal, and each gets its result")
    func joined() {
        var owner = Owner(expiresIn: 5)
        #expect(owner.wanted("0") == "renew")
        for number in 1..<100 { #expect(owner.wanted("\(number)", force: number.isMultiple(of: 2)) == "wait") }
        #expect(owner.renewal.isUnderWay)
        #expect(owner.renewed("at-2") == "tell " + (0..<100).map { "\($0): at-2" }.joined(separator: ", "))
        #expect(!owner.renewal.isUnderWay)
    }

    @Test("Who needs no more than what is kept does not wait for a renewal that another one asked for")
    func notHeldUp() {
        var owner = Owner()
        #expect(owner.forced("a") == "renew")
        #expect(owner.wanted("b") == "tell b: at-1")
        #expect(owner.renewed("at-2") == "tell a: at-2")
    }

    @Test("A caller that waited for a renewal gets no scope that it did not bring")
    func scopes() {
        var owner = Owner(expiresIn: 5)
        #expect(owner.wanted("a", scopes: ["a"]) == "renew")
        #expect(owner.wanted("b", scopes: ["a", "b"]) == "wait")
        #expect(owner.wanted("c", scopes: ["c"]) == "tell c: not granted c")
        #expect(owner.renewed("at-2", scopes: ["a"]) == "tell a: at-2, b: not granted b")
    }

    @Test("Without a way to renew it, a sign-in is needed")
    func noRefreshToken() {
        var owner = Owner(expiresIn: 5, refreshToken: nil)
        #expect(owner.wanted() == "tell p: sign in")
        #expect(owner.forced() == "tell p: sign in")
    }

    @Test("A token that renews itself is renewed ahead once in an hour, for whoever asks next")
    func ahead() {
        let day: Int64 = 86_400
        var owner = Owner(expiresIn: 60 * day, refreshToken: nil)
        owner.dialect = Facebook()
        owner.pass(seconds: 31 * day)
        #expect(owner.wanted() == "tell p: at-1, and renew")
        #expect(owner.wanted() == "tell p: at-1")
        #expect(owner.failed() == "tell ")
        owner.pass(seconds: 3599)
        #expect(owner.wanted() == "tell p: at-1")
        owner.pass(seconds: 1)
        #expect(owner.wanted() == "tell p: at-1, and renew")
        #expect(owner.renewed("at-2", expiresIn: 60 * day) == "tell ")
        #expect(owner.wanted() == "tell p: at-2")
    }

    @Test("A program can wait for a renewal that began ahead of need")
    func joinsAhead() {
        var owner = Owner(expiresIn: 1000, refreshToken: nil)
        owner.dialect = Facebook()
        owner.pass(seconds: 600)
        #expect(owner.wanted("a") == "tell a: at-1, and renew")
        #expect(owner.wanted("b", minimumValidity: 900) == "wait")
        #expect(owner.renewed("at-2") == "tell b: at-2")
    }
}

// MARK: Who comes too soon

@Suite struct RenewalPaceTests {
    @Test("A forced renewal too soon returns the token just fetched")
    func forced() {
        var owner = Owner()
        #expect(owner.forced() == "renew")
        #expect(owner.renewed("at-2") == "tell p: at-2")
        for _ in 0..<1000 {
            #expect(owner.forced() == "tell p: at-2")
            owner.clock = owner.clock.adding(milliseconds: 9)
        }
        owner.clock = owner.clock.adding(milliseconds: 999)
        #expect(owner.forced() == "tell p: at-2")
        owner.clock = owner.clock.adding(milliseconds: 1)
        #expect(owner.forced() == "renew")
    }

    @Test("A token fetched because it was needed counts as well")
    func fetchedAnyway() {
        var owner = Owner(expiresIn: 5)
        _ = owner.wanted()
        _ = owner.renewed("at-2")
        #expect(owner.forced() == "tell p: at-2")
    }

    @Test("A sign-in's token was fetched by a user, who may want another one at once")
    func afterSignIn() {
        var owner = Owner()
        _ = owner.forced()
        _ = owner.renewed("at-2")
        owner.signedIn("at-3")
        #expect(owner.forced() == "renew")
    }

    @Test(
        "A token that lasts hardly longer is the newest for half its life, and for a second at least",
        arguments: [(expiresIn: 12, fresh: 6000), (expiresIn: 1, fresh: 1000), (expiresIn: 0, fresh: 1000), (expiresIn: nil, fresh: 10_000)]
            as [(Int64?, Int64)])
    func short(expiresIn: Int64?, fresh: Int64) {
        var owner = Owner()
        _ = owner.forced()
        _ = owner.renewed("at-2", expiresIn: expiresIn)
        let fetched = owner.clock
        owner.clock = fetched.adding(milliseconds: fresh - 1)
        #expect(owner.forced() == "tell p: at-2")
        owner.clock = fetched.adding(milliseconds: fresh)
        #expect(owner.forced() == "renew")
    }

    @Test("Whoever needs a longer one than was just fetched for another one gets it, where there is one")
    func longer() {
        var owner = Owner()
        _ = owner.forced()
        _ = owner.renewed("at-2", expiresIn: 30)
        #expect(owner.wanted(minimumValidity: 5) == "tell p: at-2")
        #expect(owner.wanted(minimumValidity: 60) == "renew")
        #expect(owner.renewed("at-3", expiresIn: 30) == "tell p: at-3")
        #expect(owner.wanted(minimumValidity: 60) == "tell p: at-3")
    }

    @Test("Where tokens have run out when they come, the provider is asked once a second")
    func runOut() {
        var owner = Owner()
        _ = owner.wanted(minimumValidity: 5000)
        #expect(owner.renewed("at-2", expiresIn: 0) == "tell p: at-2")
        owner.clock = owner.clock.adding(milliseconds: 999)
        #expect(owner.wanted() == "tell p: at-2")
        owner.clock = owner.clock.adding(milliseconds: 1)
        #expect(owner.wanted() == "renew")
    }

    @Test("A clock that was set back keeps nobody waiting")
    func clockSetBack() {
        var owner = Owner()
        _ = owner.forced()
        _ = owner.renewed("at-2")
        owner.pass(seconds: -5)
        #expect(owner.forced() == "renew")
        _ = owner.failed()
        owner.pass(seconds: -5)
        #expect(owner.forced() == "renew")
    }

    @Test("Where a provider gives no longer tokens, it is not asked for one by each who wants one")
    func asLongAsItGets() {
        var owner = Owner(expiresIn: 1000)
        #expect(owner.wanted(minimumValidity: 5000) == "renew")
        #expect(owner.renewed("at-2", expiresIn: 1000) == "tell p: at-2")
        owner.pass(seconds: 499)
        #expect(owner.wanted(minimumValidity: 5000) == "tell p: at-2")
        #expect(owner.wanted(minimumValidity: 1001) == "tell p: at-2")
        #expect(owner.wanted(minimumValidity: 502) == "renew")
        #expect(owner.renewed("at-3", expiresIn: 1000) == "tell p: at-3")
        owner.pass(seconds: 500)
        #expect(owner.wanted(minimumValidity: 5000) == "renew")
    }

    @Test("A forced renewal returns a new one even there")
    func insistsThere() {
        var owner = Owner(expiresIn: 1000)
        _ = owner.wanted(minimumValidity: 5000)
        _ = owner.renewed("at-2", expiresIn: 1000)
        owner.pass(seconds: 11)
        #expect(owner.wanted(minimumValidity: 5000) == "tell p: at-2")
        #expect(owner.forced() == "renew")
    }

    @Test("After a second failure a provider is left alone, for twice as long after each further one, up to a minute")
    func pauses() {
        var owner = Owner()
        _ = owner.forced()
        #expect(owner.failed() == "tell p: down")
        for pause: Int64 in [1, 2, 4, 8, 16, 32, 60, 60, 60] {
            #expect(owner.forced() == "renew")
            #expect(owner.failed() == "tell p: down")
            #expect(owner.forced() == "tell p: down, \(pause) s")
            #expect(owner.wanted() == "tell p: at-1")
            owner.pass(seconds: pause - 1)
            owner.clock = owner.clock.adding(milliseconds: 999)
            #expect(owner.forced() == "tell p: down, 1 s")
            owner.clock = owner.clock.adding(milliseconds: 1)
        }
        #expect(owner.forced() == "renew")
        _ = owner.renewed("at-2")
        owner.pass(seconds: 10)
        #expect(owner.forced() == "renew")
        #expect(owner.failed() == "tell p: down")
        #expect(owner.forced() == "renew")
        #expect(owner.failed() == "tell p: down")
        #expect(owner.forced() == "tell p: down, 1 s")
    }

    @Test("A provider is left alone for as long as it says")
    func retryAfter() {
        var owner = Owner()
        _ = owner.forced()
        #expect(owner.failed(retryAfter: 120) == "tell p: down")
        #expect(owner.forced() == "renew")
        #expect(owner.failed(retryAfter: 120) == "tell p: down")
        owner.pass(seconds: 119)
        #expect(owner.forced() == "tell p: down, 1 s")
        owner.pass(seconds: 1)
        #expect(owner.forced() == "renew")
        _ = owner.failed(retryAfter: 0)
        #expect(owner.forced() == "tell p: down, 2 s")
    }

    @Test("Where nothing reached the provider, the network may be back in a second")
    func notSent() {
        var owner = Owner()
        _ = owner.forced()
        _ = owner.failed(.unreachable(message: "no network"), .notSent)
        for _ in 0..<5 {
            #expect(owner.forced() == "renew")
            _ = owner.failed(.unreachable(message: "no network"), .notSent)
            #expect(owner.forced() == "tell p: no network, 1 s")
            owner.pass(seconds: 1)
        }
    }

    @Test("Another configuration may have mended it, but reading it in a loop asks nobody more than once a second")
    func configurationRead() {
        var owner = Owner()
        _ = owner.forced()
        _ = owner.failed()
        for _ in 0..<9 {
            #expect(owner.forced() == "renew")
            _ = owner.failed()
            owner.renewal.configurationRead()
            #expect(owner.forced() == "tell p: down, 1 s")
            owner.pass(seconds: 1)
        }
        _ = owner.forced()
        _ = owner.renewed("at-2")
        owner.renewal.configurationRead()
        #expect(owner.forced() == "tell p: at-2")
    }

    @Test("What is renewed ahead of need is left alone after a failure, too")
    func aheadAfterFailure() {
        var owner = Owner(expiresIn: 1000, refreshToken: nil)
        owner.dialect = Facebook()
        owner.pass(seconds: 600)
        for _ in 0..<2 {
            #expect(owner.forced() == "renew")
            _ = owner.failed()
        }
        #expect(owner.wanted() == "tell p: at-1")
        owner.pass(seconds: 1)
        #expect(owner.wanted() == "tell p: at-1, and renew")
    }
}

// MARK: Answers that never came

@Suite struct LostAnswerTests {
    private func refusedAfter(_ failures: (ProviderFailure, ProviderFailure.Progress)..., then event: (inout Owner) -> Void = { _ in }) -> String {
        var owner = Owner()
        for (failure, progress) in failures {
            #expect(owner.forced() == "renew")
            _ = owner.failed(failure, progress)
            owner.pass(seconds: 60)
        }
        event(&owner)
        #expect(owner.forced() == "renew")
        return owner.failed(refused)
    }

    private let down = ProviderFailure.unreachable(message: "down")

    @Test("It is told where the provider may have got the request before")
    func unanswered() {
        #expect(refusedAfter((down, .unanswered)) == "tell p: invalid_grant after a lost answer")
    }

    @Test("It is not told where nothing was sent, or all was answered")
    func notSent() {
        #expect(refusedAfter() == "tell p: invalid_grant")
        #expect(refusedAfter((down, .notSent)) == "tell p: invalid_grant")
        #expect(refusedAfter((down, .answered)) == "tell p: invalid_grant")
    }

    @Test("A failure that says nothing of the refresh token does not clear it")
    func inBetween() {
        #expect(refusedAfter((down, .unanswered), (down, .notSent), (down, .answered)) == "tell p: invalid_grant after a lost answer")
    }

    @Test("A refusal, a new token, a sign-in, a lock and a revocation clear it")
    func cleared() {
        #expect(refusedAfter((down, .unanswered), (refused, .answered)) == "tell p: invalid_grant")
        #expect(refusedAfter((down, .unanswered), then: { $0.signedIn("at-2") }) == "tell p: invalid_grant")
        #expect(refusedAfter((down, .unanswered), then: { $0.renewal.forgotten() }) == "tell p: invalid_grant")
        #expect(refusedAfter((down, .unanswered), then: { _ = $0.renewal.revoked() }) == "tell p: invalid_grant")
        let renewed: (inout Owner) -> Void = {
            _ = $0.forced()
            _ = $0.renewed("at-2")
            $0.pass(seconds: 10)
        }
        #expect(refusedAfter((down, .unanswered), then: renewed) == "tell p: invalid_grant")
    }

    @Test("Whoever is told again during the pause hears no more than the failure")
    func again() {
        var owner = Owner()
        _ = owner.forced()
        _ = owner.failed(down, .unanswered)
        owner.pass(seconds: 1)
        _ = owner.forced()
        #expect(owner.failed(refused) == "tell p: invalid_grant after a lost answer")
        #expect(owner.forced() == "tell p: invalid_grant, 1 s")
    }
}

// MARK: What could not be written

@Suite struct UnsavedGrantTests {
    private func holding(whole: Bool = false) throws -> Owner {
        var owner = Owner()
        #expect(owner.forced("a") == "renew")
        #expect(owner.forced("b") == "wait")
        #expect(owner.notSaved(try owner.rotation("rt-2", whole: whole)) == "tell a: not saved, b: not saved")
        #expect(owner.renewal.holdsUnsaved && !owner.renewal.isUnderWay)
        return owner
    }

    @Test("It is written before anything else is handed out or asked")
    func savedFirst() throws {
        var owner = try holding()
        #expect(owner.wanted("c") == "save rt-2")
        #expect(owner.forced("d") == "wait")
        #expect(owner.renewal.holdsUnsaved && owner.renewal.isUnderWay)
        owner.credential = try owner.rotation("rt-2").credential
        #expect(owner.told(owner.renewal.saved()) == "again c d!")
        #expect(!owner.renewal.holdsUnsaved && !owner.renewal.isUnderWay)
        #expect(owner.wanted("c") == "tell c: at-1")
        #expect(owner.forced("d") == "renew")
    }

    @Test("A token that is only waiting to be written is the one just fetched")
    func whole() throws {
        var owner = try holding(whole: true)
        #expect(owner.forced("c") == "save rt-2")
        _ = owner.renewal.saved()
        #expect(owner.forced("c") == "tell c: at-1")
    }

    @Test("It is held for as long as the disk is full")
    func stillFull() throws {
        var owner = try holding()
        for _ in 0..<3 {
            #expect(owner.wanted("c") == "save rt-2")
            #expect(owner.notSaved(try owner.rotation("rt-2")) == "tell c: not saved")
            #expect(owner.renewal.holdsUnsaved)
        }
    }

    @Test("It is written when its time comes, though nobody asks")
    func timer() throws {
        var owner = Owner()
        #expect(owner.told(owner.renewal.timeToSave()) == "wait")
        owner = try holding()
        #expect(owner.told(owner.renewal.timeToSave()) == "save rt-2")
        #expect(owner.told(owner.renewal.timeToSave()) == "wait")
        #expect(owner.told(owner.renewal.saved()) == "again ")
    }

    @Test("A sign-in leaves it alone: it may have brought no refresh token of its own")
    func signedIn() throws {
        var owner = try holding()
        owner.signedIn("at-2")
        #expect(owner.wanted("c") == "save rt-2")
        #expect(owner.told(owner.renewal.saved()) == "again c")
    }

    @Test("A lock releases it")
    func locked() throws {
        var owner = try holding()
        owner.renewal.forgotten()
        #expect(!owner.renewal.holdsUnsaved)
        owner = try holding()
        _ = owner.wanted("c")
        owner.renewal.forgotten()
        #expect(owner.notSaved(try owner.rotation("rt-2")) == "tell c: not saved")
        #expect(!owner.renewal.holdsUnsaved && !owner.renewal.isUnderWay)
    }

    @Test("A revocation takes it along, once")
    func revoked() throws {
        var owner = try holding()
        #expect(owner.renewal.revoked()?.grant.refreshToken == Secret("rt-2"))
        #expect(owner.renewal.revoked() == nil && !owner.renewal.holdsUnsaved)
        owner = try holding()
        _ = owner.wanted("c")
        #expect(owner.renewal.revoked()?.grant.refreshToken == Secret("rt-2"))
        #expect(owner.renewal.revoked() == nil)
        #expect(try owner.gone() == "discard nothing, tell c: taken back")
        owner = try holding()
        _ = owner.wanted("c")
        _ = owner.renewal.revoked()
        #expect(owner.notSaved(try owner.rotation("rt-2")) == "discard nothing, tell c: taken back")
        #expect(!owner.renewal.holdsUnsaved)
    }

    @Test("A user who was deleted while it was written takes it along")
    func deleted() throws {
        var owner = try holding()
        _ = owner.wanted("c")
        #expect(try owner.gone() == "discard rt-2, tell c: taken back")
    }
}

// MARK: What else may happen meanwhile

@Suite struct RenewalRaceTests {
    private func renewing() -> Owner {
        var owner = Owner()
        #expect(owner.forced("a") == "renew")
        #expect(owner.forced("b") == "wait")
        return owner
    }

    @Test("A sign-in meanwhile is newer than any answer")
    func superseded() {
        var owner = renewing()
        owner.signedIn("at-2")
        #expect(owner.told(owner.renewal.superseded(by: owner.credential, dialect: owner.dialect)) == "tell a: at-2, b: at-2")
    }

    @Test("A failed renewal is not reported once a sign-in has replaced the credential")
    func failedAfterSignIn() {
        var owner = renewing()
        owner.signedIn("at-2")
        #expect(owner.failed(refused) == "again a! b!")
        #expect(owner.wanted("a") == "tell a: at-2")
        #expect(owner.forced("b") == "renew")
        owner = renewing()
        owner.signedIn("at-2")
        _ = owner.failed(.unreachable(message: "down"), .unanswered)
        #expect(owner.forced() == "renew")
        #expect(owner.failed(refused) == "tell p: invalid_grant")
    }

    @Test("A grant that comes for a credential that was revoked is revoked too")
    func revoked() throws {
        var owner = renewing()
        #expect(owner.renewal.revoked() == nil)
        #expect(try owner.gone() == "discard rt-2, tell a: taken back, b: taken back")
        #expect(!owner.renewal.isUnderWay)
    }

    @Test("A failure after the credential was revoked is told as that")
    func failedAfterRevocation() {
        var owner = renewing()
        _ = owner.renewal.revoked()
        #expect(owner.failed() == "tell a: taken back, b: taken back")
    }

    @Test("A grant that was revoked and cannot be written is not held")
    func notSavedAfterRevocation() throws {
        var owner = renewing()
        _ = owner.renewal.revoked()
        #expect(owner.notSaved(try owner.rotation("rt-2")) == "discard rt-2, tell a: taken back, b: taken back")
        #expect(!owner.renewal.holdsUnsaved)
    }

    @Test("A lock undoes no revocation: what comes afterwards is revoked, and nothing twice")
    func lockedAfterRevocation() throws {
        var owner = renewing()
        _ = owner.renewal.revoked()
        owner.renewal.forgotten()
        #expect(try owner.notSaved(owner.rotation("rt-2")) == "discard rt-2, tell a: taken back, b: taken back")
        owner = renewing()
        _ = owner.renewal.revoked()
        owner.renewal.forgotten()
        #expect(owner.failed() == "tell a: taken back, b: taken back")
        owner = renewing()
        _ = try owner.notSaved(owner.rotation("rt-2"))
        _ = owner.wanted("c")
        #expect(owner.renewal.revoked()?.grant.refreshToken == Secret("rt-2"))
        owner.renewal.forgotten()
        #expect(try owner.gone() == "discard nothing, tell c: taken back")
    }

    @Test("An answer after the lock is told, and leaves nothing behind")
    func forgotten() throws {
        var owner = renewing()
        owner.renewal.forgotten()
        #expect(owner.renewal.isUnderWay)
        #expect(owner.notSaved(try owner.rotation("rt-2")) == "tell a: not saved, b: not saved")
        #expect(!owner.renewal.holdsUnsaved && !owner.renewal.isUnderWay)
        owner = renewing()
        owner.renewal.forgotten()
        #expect(owner.failed() == "tell a: down, b: down")
        #expect(owner.forced() == "renew")
    }

    @Test("Someone who signs in again after a revocation is not told of it")
    func signedInAfterRevocation() {
        var owner = renewing()
        _ = owner.renewal.revoked()
        owner.signedIn("at-2")
        #expect(owner.failed() == "again a! b!")
    }
}

// MARK: What is on disk decides

@Suite struct RenewedCredentialTests {
    private func credential(refreshToken: String?, accessToken: String = "at-1", generation: Int64 = 1) -> StoredCredential {
        StoredCredential(
            providerID: "work", subject: "1", displayName: nil, binding: ProviderBinding(clientID: "c", authority: "a"),
            grant: .sample(accessToken: accessToken, refreshToken: refreshToken), generation: generation)
    }

    private func renewed() throws -> RenewedCredential {
        let rotated = try #require(credential(refreshToken: "rt-1").rotated(by: RotatedToken(token: Secret("rt-2"), expiresAt: now)))
        return RenewedCredential(rotated, spent: Secret("rt-1"), isWhole: false)
    }

    @Test("A sign-in that brought its own refresh token stays as it is")
    func newer() throws {
        let current = credential(refreshToken: "rt-9", accessToken: "at-9", generation: 5)
        #expect(try renewed().precedence(beside: current) == .newer(current))
        let none = credential(refreshToken: nil, accessToken: "at-9", generation: 5)
        #expect(try renewed().precedence(beside: none) == .newer(none))
    }

    @Test("One that kept the refresh token that the renewal spent gets the renewal's")
    func completes() throws {
        let current = credential(refreshToken: "rt-1", accessToken: "at-9", generation: 5)
        guard case .completes(let completed) = try renewed().precedence(beside: current) else { Issue.record("not completed"); return }
        #expect(completed.grant.accessToken == Secret("at-9") && completed.grant.refreshToken == Secret("rt-2"))
        #expect(completed.grant.refreshTokenExpiresAt == now && completed.generation == 6)
    }

    @Test("One with another client keeps its own, and what is gone is gone")
    func others() throws {
        var other = credential(refreshToken: "rt-1", generation: 5)
        other.binding = ProviderBinding(clientID: "other", authority: "a")
        #expect(try renewed().precedence(beside: other) == .newer(other))
        #expect(try renewed().precedence(beside: nil) == .gone)
        var unspent = try renewed()
        unspent.spent = nil
        let current = credential(refreshToken: "rt-1", generation: 5)
        #expect(unspent.precedence(beside: current) == .newer(current))
    }

    @Test("The refresh token that is kept already is no new one")
    func same() {
        #expect(credential(refreshToken: "rt-1").rotated(by: RotatedToken(token: Secret("rt-1"))) == nil)
        #expect(credential(refreshToken: nil).rotated(by: RotatedToken(token: Secret("rt-1")))?.grant.refreshToken == Secret("rt-1"))
    }

    @Test("A refused refresh token goes; where there was none, the access token has run out")
    func refused() {
        let with = credential(refreshToken: "rt-1").withoutRefreshToken(now: now)
        #expect(with.grant.refreshToken == nil && with.grant.expiresAt == now.adding(seconds: 3600) && with.generation == 2)
        #expect(credential(refreshToken: nil).withoutRefreshToken(now: now).grant.expiresAt == now)
    }
}

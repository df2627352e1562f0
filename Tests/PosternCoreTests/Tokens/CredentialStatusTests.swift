@testable import PosternCore
import Testing

private let day: Int64 = 86_400

/// Whether the user is needed, as it is read off a credential and what was learnt of it.
@Suite struct CredentialStatusTests {
    private func credential(
        expiresIn: Int64? = 3600, refreshToken: String? = "rt", refreshExpiresIn: Int64? = nil, age: Int64 = 0, since: Int64? = nil,
        scopes: [String] = ["a", "b"]
    ) -> StoredCredential {
        var grant = Grant.sample(refreshToken: refreshToken, expiresIn: expiresIn, scopes: scopes)
        grant.refreshTokenExpiresAt = refreshExpiresIn.map { now.adding(seconds: $0) }
        grant.obtainedAt = now.adding(seconds: -age)
        grant.refreshTokenSince = since.map { now.adding(seconds: -$0) }
        return StoredCredential(
            providerID: "work", subject: "1", displayName: nil, binding: ProviderBinding(clientID: "c", authority: "a"), grant: grant,
            generation: 7)
    }

    private func status(
        _ credential: StoredCredential, trouble: CredentialTrouble = CredentialTrouble(), wanted: [String] = [],
        dialect: (any ProviderDialect)? = StandardDialect(), warnBefore: Int64 = 3 * day
    ) -> CredentialStatus {
        CredentialStatus(of: credential, trouble: trouble, wanted: wanted, provider: dialect, now: now, warnBefore: warnBefore)
    }

    @Test("A credential that can be renewed, or never ends, is good")
    func good() {
        #expect(status(credential()) == .good)
        #expect(status(credential(expiresIn: -3600)) == .good)
        #expect(status(credential(expiresIn: nil, refreshToken: nil)) == .good)
        #expect(status(credential(refreshExpiresIn: 3 * day + 1, age: 10 * day)) == .good)
        // Its access token has no end, whatever becomes of the refresh token.
        #expect(status(credential(expiresIn: nil, refreshExpiresIn: -1)) == .good)
    }

    @Test("The end of its refresh token is told as long before as is configured")
    func refreshTokenEnds() {
        let soon = credential(refreshExpiresIn: 3 * day, age: 10 * day)
        #expect(status(soon) == .endsSoon(at: now.adding(seconds: 3 * day)))
        #expect(status(soon, warnBefore: 2 * day) == .good)
        #expect(status(soon, warnBefore: 0) == .good)
        #expect(status(credential(expiresIn: -1, refreshExpiresIn: 1, age: 10 * day)) == .endsSoon(at: now.adding(seconds: 1)))
        let over = now.adding(seconds: -5)
        #expect(status(credential(expiresIn: -10, refreshExpiresIn: -5)) == .signInNeeded(.refreshTokenExpired(at: over)))
    }

    @Test("An access token that outlives its refresh token is good until its own end")
    func accessTokenOutlives() {
        #expect(status(credential(expiresIn: 60, refreshExpiresIn: -5, age: 10 * day)) == .endsSoon(at: now.adding(seconds: 60)))
    }

    @Test("An access token alone is never good if its life is short, and told to end in the last tenth of it")
    func accessTokenAlone() {
        func alone(_ left: Int64, of life: Int64) -> CredentialStatus {
            status(credential(expiresIn: left, refreshToken: nil, age: life - left))
        }
        let fresh = alone(8 * 3600, of: 8 * 3600)
        #expect(fresh == .endsSoon(at: now.adding(seconds: 8 * 3600), fromBeginning: true) && !fresh.isNews)
        #expect(alone(2881, of: 8 * 3600) == .endsSoon(at: now.adding(seconds: 2881), fromBeginning: true))
        #expect(alone(2880, of: 8 * 3600) == .endsSoon(at: now.adding(seconds: 2880)))
        #expect(alone(3 * day, of: 3 * day) == .endsSoon(at: now.adding(seconds: 3 * day), fromBeginning: true))
        #expect(alone(3 * day + 1, of: 3 * day + 1) == .good)
        // Of a long life, no more than what is configured.
        #expect(alone(4 * day, of: 60 * day) == .good)
        #expect(alone(3 * day, of: 60 * day) == .endsSoon(at: now.adding(seconds: 3 * day)))
        #expect(alone(0, of: 3600) == .signInNeeded(.accessTokenExpired(at: now)))
    }

    @Test("A session that never had longer than the warning is no news")
    func fromBeginning() {
        let short = status(credential(expiresIn: 60, refreshExpiresIn: 1800))
        #expect(short == .endsSoon(at: now.adding(seconds: 1800), fromBeginning: true) && !short.isNews)
        // Its access token is young, its refresh token is not.
        let old = status(credential(expiresIn: 60, refreshExpiresIn: 1800, since: 10 * day))
        #expect(old == .endsSoon(at: now.adding(seconds: 1800)) && old.isNews)
    }

    @Test("A refusal makes the user needed until there is another generation")
    func refused() {
        let trouble = CredentialTrouble(refusal: .init(generation: 7, reason: "invalid_grant: revoked"))
        #expect(status(credential(), trouble: trouble) == .signInNeeded(.refused("invalid_grant: revoked")))
        #expect(status(credential(expiresIn: -5, refreshToken: nil), trouble: trouble) == .signInNeeded(.refused("invalid_grant: revoked")))
        let older = CredentialTrouble(refusal: .init(generation: 6, reason: "invalid_grant"))
        #expect(status(credential(), trouble: older) == .good)
    }

    @Test("Scopes that a renewal did not bring, or that the account wants, are missed")
    func scopes() {
        var trouble = CredentialTrouble()
        let before = credential(scopes: ["a", "b", "openid", "offline_access"]).grant
        trouble.renewed(from: before, to: credential(scopes: ["a"]).grant, dialect: StandardDialect())
        #expect(trouble.lostScopes == ["b"])
        #expect(status(credential(scopes: ["a"]), trouble: trouble) == .signInNeeded(.scopesMissing(["b"])))
        // The next renewal does not bring it either, and one does at last.
        trouble.renewed(from: credential(scopes: ["a"]).grant, to: credential(scopes: ["a"]).grant, dialect: StandardDialect())
        #expect(trouble.lostScopes == ["b"])
        trouble.renewed(from: credential(scopes: ["a"]).grant, to: credential(scopes: ["a", "b"]).grant, dialect: StandardDialect())
        #expect(trouble.isEmpty)
        #expect(status(credential(), wanted: ["a"]) == .good)
        #expect(status(credential(), wanted: ["a", "c"]) == .signInNeeded(.scopesMissing(["c"])))
    }

    @Test("A credential of another provider than the one that has its name is of no use")
    func providerChanged() { #expect(status(credential(), dialect: nil) == .signInNeeded(.providerChanged)) }

    @Test("Since when the end of a refresh token is known outlives renewals that do not put it off")
    func since() throws {
        let signedIn = credential(refreshExpiresIn: 7 * day, age: 5 * day)
        func renewal(_ token: String?, refreshExpiresIn: Int64?) throws -> Grant {
            var fresh = credential(refreshToken: token, refreshExpiresIn: refreshExpiresIn).grant
            fresh.refreshToken = token.map { Secret($0) }
            return fresh
        }
        let begin = now.adding(seconds: -5 * day)
        // No new refresh token; a new one with the same end; a new one that lasts longer.
        #expect(try signedIn.refreshed(with: renewal(nil, refreshExpiresIn: nil)).grant.refreshTokenSince == begin)
        #expect(try signedIn.refreshed(with: renewal("rt-2", refreshExpiresIn: 7 * day + 2)).grant.refreshTokenSince == begin)
        #expect(try signedIn.refreshed(with: renewal("rt-2", refreshExpiresIn: 12 * day)).grant.refreshTokenSince == nil)
        // The same where the refresh token is kept before the rest.
        func rotated(_ refreshExpiresIn: Int64) throws -> Timestamp? {
            let token = RotatedToken(token: Secret("rt-2"), expiresAt: now.adding(seconds: refreshExpiresIn), obtainedAt: now)
            let held = try #require(signedIn.rotated(by: token))
            return try held.refreshed(with: renewal("rt-2", refreshExpiresIn: refreshExpiresIn)).grant.refreshTokenSince
        }
        #expect(try rotated(7 * day) == begin)
        #expect(try rotated(12 * day) == now)
        // And a sign-in that brings no refresh token.
        var later = credential(refreshToken: nil).grant
        later.keepRefreshToken(of: signedIn.grant)
        #expect(later.refreshTokenSince == begin && later.refreshTokenExpiresAt == signedIn.grant.refreshTokenExpiresAt)
    }
}

/// What is reported of a credential, and when.
@Suite struct AttentionLedgerTests {
    private let account = CredentialKey(providerID: "work", subject: "1")
    private let needed = CredentialStatus.signInNeeded(.refused("invalid_grant"))
    private let soon = CredentialStatus.endsSoon(at: now.adding(seconds: 2 * day))
    private let pace = AttentionLedger.Pace(notifies: true, remindEvery: day)

    private func look(
        _ ledger: inout AttentionLedger, _ status: CredentialStatus?, after seconds: Int64 = 0, pace: AttentionLedger.Pace? = nil
    ) -> [AttentionLedger.Action] {
        ledger.looked(
            at: status.map { [(account, $0)] } ?? [], pace: pace ?? self.pace, now: now.adding(seconds: seconds))
    }

    @Test("A change is reported once, and reminded of once a day")
    func once() {
        var ledger = AttentionLedger()
        #expect(look(&ledger, .good) == [])
        #expect(look(&ledger, needed) == [.changed(account, needed), .notify(account, needed)])
        #expect(look(&ledger, needed, after: 1) == [])
        #expect(look(&ledger, needed, after: day - 1) == [])
        #expect(ledger.nextNotice(pace: pace) == now.adding(seconds: day))
        #expect(look(&ledger, needed, after: day) == [.notify(account, needed)])
        #expect(look(&ledger, needed, after: day + 1) == [])
        #expect(look(&ledger, .good, after: day + 2) == [.changed(account, .good), .withdraw(account)])
        #expect(ledger.nextNotice(pace: pace) == nil)
    }

    @Test("That it ended is shown at once, though it was told that it will")
    func escalation() {
        var ledger = AttentionLedger()
        #expect(look(&ledger, soon) == [.changed(account, soon), .notify(account, soon)])
        #expect(look(&ledger, needed, after: 1) == [.changed(account, needed), .notify(account, needed)])
        #expect(look(&ledger, needed, after: 2) == [])
    }

    @Test("One that recovers and fails over and over is shown once an hour")
    func flapping() {
        var ledger = AttentionLedger()
        #expect(look(&ledger, needed) == [.changed(account, needed), .notify(account, needed)])
        #expect(look(&ledger, .good, after: 10) == [.changed(account, .good), .withdraw(account)])
        #expect(look(&ledger, needed, after: 20) == [.changed(account, needed)])
        #expect(ledger.nextNotice(pace: pace) == now.adding(seconds: 3600))
        #expect(look(&ledger, needed, after: 3600) == [.notify(account, needed)])
        #expect(ledger.nextNotice(pace: pace) == now.adding(seconds: 3600 + day))
    }

    @Test("What is no news, or not to be shown, is told to programs alone")
    func silent() {
        var ledger = AttentionLedger()
        let short = CredentialStatus.endsSoon(at: now, fromBeginning: true)
        #expect(look(&ledger, short) == [.changed(account, short)])
        let mute = AttentionLedger.Pace(notifies: false, remindEvery: day)
        #expect(look(&ledger, needed, pace: mute) == [.changed(account, needed)])
        #expect(ledger.nextNotice(pace: mute) == nil)
        // Switched on again, what was never shown is.
        #expect(look(&ledger, needed, after: 1) == [.notify(account, needed)])
        // A new sign-in to as short a session takes the notice away.
        #expect(look(&ledger, short, after: 2) == [.changed(account, short), .withdraw(account)])
    }

    @Test("A removed credential needs no attention, and nothing is remembered of it")
    func gone() {
        var ledger = AttentionLedger()
        _ = look(&ledger, needed)
        #expect(look(&ledger, nil, after: 1) == [.withdraw(account)])
        #expect(ledger == AttentionLedger())
    }

    @Test("A clock that was set back does not silence reminders")
    func clockSetBack() {
        var ledger = AttentionLedger()
        _ = look(&ledger, needed)
        #expect(look(&ledger, needed, after: -10) == [.notify(account, needed)])
    }

    @Test("A sign-in ends what was learnt before it")
    func signedIn() {
        var ledger = AttentionLedger()
        ledger.refused(account, .init(generation: 1, reason: "invalid_grant"))
        #expect(ledger.trouble(of: account).refusal?.generation == 1)
        ledger.signedIn(account)
        #expect(ledger == AttentionLedger())
    }
}

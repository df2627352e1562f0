@testable import PosternCore
import StrictJSON
import Testing

@Suite("What a credential shows of the user")
struct ProofTests {
    static let now = Timestamp(seconds: 1_800_000_000)
    static let longAgo = Timestamp(milliseconds: 0)
    static let minuteAgo = now.adding(seconds: -60)
    static let hourAgo = now.adding(seconds: -3600)

    let ada = Identity(providerID: "work", subject: "1", email: "ada@example.com", emailVerified: true)
    let factor = SecondFactor(kind: .totp, uid: "factor", enrolledAt: now)

    private func user(factors: [SecondFactor] = []) -> User {
        User(uid: "uid", email: "ada@example.com", identities: [ada], secondFactors: factors, createdAt: Self.now, lastSignInAt: Self.now)
    }

    private func signIn(
        _ proof: Proof, _ intent: Intent = .signIn, current: AppSignIn? = nil, owner: User?, secondFactor: String? = nil
    ) throws(AccountRefusal) -> AccountRules.Decision {
        let request = IdentityRequest(
            identity: ada, isAuthority: false, intent: intent, app: "app", oneAccountPerEmail: true, proof: proof,
            secondFactor: secondFactor, newUID: "new", newSignIn: "sign-in",
            isRecent: { $0.isRecent(now: Self.now) }, now: Self.now)
        return try AccountRules.decide(request, AccountFacts(current: current.map { ($0, owner ?? user()) }, owner: owner))
    }

    private func before(_ moment: Timestamp = hourAgo, uid: String = "uid") -> AppSignIn {
        AppSignIn(id: "sign-in", app: "app", uid: uid, authenticatedAt: moment, providerID: "work")
    }

    // MARK: Recent

    @Test("a page, an ID token and a password show the user; an access token alone does not")
    func kinds() {
        #expect(Proof.Way.allCases.filter { Proof($0, seenAt: Self.now).showsPerson } == [.page, .idToken, .password])
    }

    @Test("a sign-in counts from the moment at which the user was there", arguments: [Proof.Way.page, .idToken])
    func moment(way: Proof.Way) throws {
        for moment in [Self.now, Self.minuteAgo, Self.hourAgo] {
            let proof = Proof(way, seenAt: moment)
            #expect(try signIn(proof, owner: user()).changes.signIn?.authenticatedAt == moment)
            #expect(try signIn(proof, owner: nil).changes.signIn?.authenticatedAt == moment)
            // What the same user showed in the same app later than that stays.
            #expect(try signIn(proof, current: before(Self.minuteAgo), owner: user()).changes.signIn?.authenticatedAt == max(moment, Self.minuteAgo))
        }
    }

    private func claims(_ further: JSONObject) throws -> IDTokenClaims {
        var document: JSONObject = ["iss": "i", "sub": "s", "aud": "a", "exp": 2_000_000_000]
        for member in further.members { document[member.key] = member.value }
        return try IDTokenClaims(document)
    }

    @Test("a moment in the future, of a clock that was wrong, keeps nothing from being recent")
    func future() throws {
        let tomorrow = Self.now.adding(seconds: 86_400)
        let proof = Proof(.page, seenAt: Self.minuteAgo)
        #expect(try signIn(proof, current: before(tomorrow), owner: user()).changes.signIn?.authenticatedAt == Self.minuteAgo)
        // And what the app knows from before is no proof of a reauthentication.
        #expect(throws: AccountRefusal.personNotSeen(providerID: "work")) {
            try signIn(Proof(.page, seenAt: nil), .reauthenticate, current: before(Self.minuteAgo), owner: user())
        }
    }

    @Test("a page counts from when the provider last asked the person, by the provider's clock, or else from its answer")
    func page() throws {
        func seenAt(_ further: JSONObject?, mayAsk: Bool = true) throws -> Timestamp? {
            Proof.page(answeredAt: Self.now, try further.map(claims), mayAsk: mayAsk, at: nil).seenAt
        }
        let iat = Self.now.seconds - 7200  // its clock is two hours behind
        #expect(try seenAt(nil) == Self.now && seenAt(nil, mayAsk: false) == nil)
        #expect(try seenAt(["iat": .integer(iat)]) == Self.now && seenAt(["iat": .integer(iat)], mayAsk: false) == nil)
        for mayAsk in [true, false] {
            #expect(try seenAt(["iat": .integer(iat), "auth_time": .integer(iat)], mayAsk: mayAsk) == Self.now)
            #expect(try seenAt(["iat": .integer(iat), "auth_time": .integer(iat - 60)], mayAsk: mayAsk) == Self.minuteAgo)
            #expect(try seenAt(["iat": .integer(iat), "auth_time": .integer(iat + 60)], mayAsk: mayAsk) == Self.now)
            #expect(try seenAt(["iat": .integer(iat), "auth_time": .integer(-5)], mayAsk: mayAsk) == (mayAsk ? Self.now : nil))
            #expect(try seenAt(["iat": .integer(iat), "auth_time": 0], mayAsk: mayAsk) == (mayAsk ? Self.now : nil))
        }
        // Told to ask nobody, a provider shows whom it asked a moment ago, and nobody else.
        for (seconds, isSeen) in [(300, true), (301, false), (86_400, false)] as [(Int64, Bool)] {
            let claims: JSONObject = ["iat": .integer(iat), "auth_time": .integer(iat - seconds)]
            let (silent, ordinary) = (try seenAt(claims, mayAsk: false), try seenAt(claims))
            #expect((silent != nil) == isSeen && ordinary != nil)
        }
        #expect(try seenAt(["iat": 8_000_000_000, "auth_time": 1]) == Timestamp(milliseconds: 0))
    }

    @Test("a presented ID token counts from when its user was asked, or else from when it was issued, never from its arrival")
    func presented() throws {
        func seenAt(_ further: JSONObject, isRenewed: Bool = false) throws -> Timestamp? { Proof.presented(try claims(further), isRenewed: isRenewed, now: Self.now, at: nil).seenAt }
        let now = Self.now.seconds
        #expect(try seenAt(["iat": .integer(now - 60)]) == Self.minuteAgo)
        #expect(try seenAt(["iat": .integer(now - 60), "auth_time": .integer(now - 3600)]) == Self.hourAgo)
        #expect(try seenAt(["iat": .integer(now - 60), "auth_time": .integer(now)]) == Self.minuteAgo)
        #expect(try seenAt(["iat": .integer(now + 30)]) == Self.now)
        #expect(try seenAt(["iat": .integer(now - 60), "auth_time": 0]) == Self.minuteAgo)
        #expect(try seenAt(["iat": .integer(now - 60)], isRenewed: true) == nil)
        #expect(try seenAt(["iat": .integer(now - 60), "auth_time": 0], isRenewed: true) == nil)
        #expect(try seenAt(["iat": .integer(now - 60), "auth_time": .integer(now - 3600)], isRenewed: true) == nil)
        #expect(try seenAt(["iat": .integer(now - 60), "auth_time": .integer(now - 60)], isRenewed: true) == Self.minuteAgo)
    }

    @Test("an access token makes nothing recent, not even for a new user, and takes nothing away")
    func accessToken() throws {
        let proof = Proof.accessToken(at: nil)
        #expect(try signIn(proof, owner: user()).changes.signIn?.authenticatedAt == Self.longAgo)
        #expect(try signIn(proof, owner: nil).changes.signIn?.authenticatedAt == Self.longAgo)
        #expect(try signIn(proof, current: before(Self.minuteAgo), owner: user()).changes.signIn?.authenticatedAt == Self.minuteAgo)
        // Another user's moment is not this one's.
        let request = IdentityRequest(
            identity: ada, isAuthority: false, intent: .signIn, app: "app", oneAccountPerEmail: true, proof: proof, newUID: "new",
            newSignIn: "sign-in", isRecent: { $0.isRecent(now: Self.now) }, now: Self.now)
        let other = User(uid: "other", createdAt: Self.now, lastSignInAt: Self.now)
        let facts = AccountFacts(current: (before(Self.now, uid: "other"), other), owner: user())
        #expect(try AccountRules.decide(request, facts).changes.signIn?.authenticatedAt == Self.longAgo)
    }

    @Test("nor does it with a second factor, whose code shows the user of any other credential again")
    func secondFactor() throws {
        let user = user(factors: [factor])
        func authenticatedAt(_ way: Proof.Way) throws -> Timestamp? {
            try signIn(Proof(way, seenAt: way.showsPerson ? Self.minuteAgo : nil), owner: user, secondFactor: "factor").changes.signIn?.authenticatedAt
        }
        #expect(try authenticatedAt(.accessToken) == Self.longAgo)
        #expect(try authenticatedAt(.page) == Self.now)
        #expect(try authenticatedAt(.idToken) == Self.now)
    }

    @Test("an access token of the authority joins and recovers nobody")
    func authority() throws {
        for isPasswordOnly in [false, true] {
            let namesake = User(
                uid: "uid", email: "ada@example.com", addressProof: isPasswordOnly ? .none : .authority, hasPassword: true, createdAt: Self.now,
                lastSignInAt: Self.now)
            let request = IdentityRequest(
                identity: ada, isAuthority: true, intent: .signIn, app: "app", oneAccountPerEmail: true,
                proof: Proof.accessToken(at: nil), newUID: "new", newSignIn: "sign-in",
                isRecent: { $0.isRecent(now: Self.now) }, now: Self.now)
            #expect(throws: AccountRefusal.accountExists(email: "ada@example.com", providerIDs: ["password"])) {
                try AccountRules.decide(request, AccountFacts(namesakes: [namesake]))
            }
        }
    }

    // MARK: Reauthentication

    @Test("an access token does not reauthenticate")
    func reauthentication() {
        let proof = Proof.accessToken(at: nil)
        #expect(throws: AccountRefusal.personNotShown) { try signIn(proof, .reauthenticate, current: before(), owner: user()) }
        // It is said before anything of the account is.
        #expect(throws: AccountRefusal.personNotShown) { try signIn(proof, .reauthenticate, owner: nil) }
        // Linked to a user of somebody else's, the account would be theirs as well.
        #expect(throws: AccountRefusal.personNotShown) { try signIn(proof, .link, current: before(), owner: nil) }
        for intent in [Intent.signIn, .credential] { #expect(throws: Never.self) { try proof.way.require(for: intent) } }
        #expect(AccountRefusal.personNotShown.leavesCredential)
    }

    @Test("whoever was seen too long ago, or not at all, is not reauthenticated, and the credential stays; a second factor shows them again")
    func notSeen() throws {
        for way in [Proof.Way.page, .idToken] {
            for seenAt in [Self.hourAgo, nil] {
                let proof = Proof(way, seenAt: seenAt)
                let absence: AccountRefusal.Absence = way == .idToken ? .oldIDToken : seenAt == nil ? .nobodyAsked : .longAgo
                #expect(throws: AccountRefusal.personNotSeen(providerID: "work", absence)) { try signIn(proof, .reauthenticate, current: before(), owner: user()) }
                let factored = try signIn(proof, .reauthenticate, current: before(), owner: user(factors: [factor]), secondFactor: "factor")
                #expect(factored.changes.signIn?.authenticatedAt == Self.now)
            }
            let seen = try signIn(Proof(way, seenAt: Self.minuteAgo), .reauthenticate, current: before(), owner: user())
            #expect(seen.changes.signIn?.authenticatedAt == Self.minuteAgo)
        }
        #expect(AccountRefusal.personNotSeen(providerID: "work").leavesCredential)
    }

    // MARK: Where a Firebase project has the accounts

    private func session(_ presentAt: Timestamp, uid: String = "uid", anonymous: Bool = false) -> FirebaseSession {
        FirebaseSession(
            id: "1", app: "app", project: "project",
            user: User(uid: uid, isAnonymous: anonymous, createdAt: Self.now, lastSignInAt: Self.now),
            tokens: FirebaseTokens(
                idToken: Secret("id"), refreshToken: Secret("refresh"), expiresAt: Self.now, uid: uid, audience: "project",
                authenticatedAt: Self.minuteAgo, signInProvider: "google.com", secondFactor: nil), presentAt: presentAt)
    }

    private func presence(
        _ way: Proof.Way, at moment: Timestamp = now, _ intent: Intent = .signIn, after before: FirebaseSession? = nil,
        withSecondFactor: Bool = false
    ) -> Timestamp {
        FirebaseSession.presence(
            of: "uid", by: Proof(way, seenAt: way.showsPerson ? moment : nil), withSecondFactor: withSecondFactor, intent: intent, after: before,
            now: Self.now)
    }

    @Test("a project's sign-in counts from when the user was there, too")
    func project() {
        #expect(presence(.page) == Self.now && presence(.password) == Self.now && presence(.idToken, at: Self.hourAgo) == Self.hourAgo)
        #expect(presence(.accessToken) == Self.longAgo)
        #expect(presence(.accessToken, after: session(Self.hourAgo)) == Self.hourAgo)
        #expect(presence(.accessToken, after: session(Self.hourAgo, uid: "other")) == Self.longAgo)
        #expect(presence(.accessToken, withSecondFactor: true) == Self.longAgo)
        #expect(presence(.page, at: Self.hourAgo, withSecondFactor: true) == Self.now)
        #expect(presence(.page, .reauthenticate, after: session(Self.hourAgo)) == Self.now)
        #expect(presence(.page, .link, after: session(Self.hourAgo)) == Self.hourAgo)
        #expect(presence(.page, at: Self.hourAgo, after: session(Self.minuteAgo)) == Self.minuteAgo)
    }

    @Test("and what it takes a recent sign-in for is asked of it here as well, but of anonymous users")
    func projectRecent() {
        let isRecent: (AppSignIn) -> Bool = { $0.isRecent(now: Self.now) }
        #expect(throws: Never.self) { try session(Self.minuteAgo).requireRecent(isRecent) }
        #expect(throws: Never.self) { try session(Self.hourAgo, anonymous: true).requireRecent(isRecent) }
        #expect(throws: AccountFailure.refused(.requiresRecentSignIn)) { try session(Self.hourAgo).requireRecent(isRecent) }
    }
}

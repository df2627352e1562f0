@testable import PosternCore
import Testing

/// Every row of the decision table for identities, for both settings of one account per address.
@Suite("What becomes of an identity")
struct IdentityRulesTests {
    private static let now = Timestamp(seconds: 1_800_000_000)
    private static let address = "ada@example.com"

    private static func identity(
        _ providerID: String = "google.com", _ subject: String = "g1", email: String? = address, verified: Bool = true
    ) -> Identity {
        Identity(
            providerID: providerID, subject: subject, displayName: "Ada of \(providerID)", email: email, emailVerified: verified)
    }

    private static func user(
        _ uid: String, email: String? = address, proof: AddressProof = .none, identities: [Identity] = [], password: Bool = false,
        factors: [String] = []
    ) -> User {
        User(
            uid: uid, displayName: "Name of \(uid)", email: email, addressProof: proof, photoURL: "https://example.com/\(uid)",
            identities: identities, hasPassword: password,
            secondFactors: factors.map { SecondFactor(kind: .totp, uid: $0, enrolledAt: now) }, createdAt: now, lastSignInAt: now)
    }

    private static func signedIn(_ user: User, factor: String? = nil) -> (signIn: AppSignIn, user: User) {
        (AppSignIn(id: "sign-in", app: "app", uid: user.uid, authenticatedAt: now, providerID: "password", secondFactor: factor), user)
    }

    /// Short for what a decision came to.
    enum Outcome: Equatable, Sendable {
        case refused(AccountRefusal)
        case user(String, isNew: Bool, email: String?, verified: Bool, providers: [String])
    }

    struct Case: Sendable, CustomTestStringConvertible {
        var name: String
        var intent: Intent = .signIn
        var identity = IdentityRulesTests.identity()
        var isAuthority = false
        var facts: AccountFacts
        var given: String?
        /// With one account per address.
        var one: Outcome
        /// Without; nil: the same.
        var many: Outcome?
        var testDescription: String { name }
    }

    private static let facebook = identity("facebook.com", "f1", verified: false)
    private static let password = user("P", password: true)
    private static let proven = user("P", proof: .authority, identities: [facebook], password: true)
    /// A provider says that it has checked the address, and is not an authority for it.
    private static let squatter = identity("plain", "s1")
    private static let claimed = user("P", proof: .provider, identities: [squatter], password: true, factors: ["t"])
    private static let squatted = user("P", identities: [facebook], password: true)
    private static let exists = Outcome.refused(.accountExists(email: address, providerIDs: ["facebook.com", "password"]))

    private static func made(_ identity: Identity = identity(), email: String? = address, verified: Bool = true) -> Outcome {
        .user("new", isNew: true, email: email, verified: verified, providers: [identity.providerID])
    }

    static let cases: [Case] = [
        // 1
        Case(
            name: "1: linking what belongs to another user", intent: .link,
            facts: AccountFacts(current: signedIn(user("U", email: nil)), owner: user("O", identities: [identity()])),
            one: .refused(.credentialAlreadyInUse(email: address))),
        Case(
            name: "1: linking what belongs to the user itself changes nothing, and ends well", intent: .link,
            facts: AccountFacts(current: signedIn(user("U", identities: [identity()])), owner: user("U", identities: [identity()])),
            one: .user("U", isNew: false, email: address, verified: false, providers: ["google.com"])),
        Case(
            name: "1: linking a second account of one provider", intent: .link, identity: identity("google.com", "g2"),
            facts: AccountFacts(current: signedIn(user("U", identities: [identity()]))),
            one: .refused(.providerAlreadyLinked(providerID: "google.com", account: address))),
        // 2
        Case(
            name: "2: linking with another user's address, vouched for or not", intent: .link, isAuthority: true,
            facts: AccountFacts(current: signedIn(user("U", email: nil)), namesakes: [password]),
            one: .refused(.emailAlreadyInUse(email: address)),
            many: .user("U", isNew: false, email: nil, verified: false, providers: ["google.com"])),
        // 3
        Case(
            name: "3: who has no address gets the identity's", intent: .link,
            facts: AccountFacts(current: signedIn(user("U", email: nil))),
            one: .user("U", isNew: false, email: address, verified: true, providers: ["google.com"]),
            many: .user("U", isNew: false, email: nil, verified: false, providers: ["google.com"])),
        Case(
            name: "3: and it is as verified as the provider says", intent: .link, identity: facebook,
            facts: AccountFacts(current: signedIn(user("U", email: nil))),
            one: .user("U", isNew: false, email: address, verified: false, providers: ["facebook.com"]),
            many: .user("U", isNew: false, email: nil, verified: false, providers: ["facebook.com"])),
        Case(
            name: "3: the same address is verified by the way", intent: .link,
            facts: AccountFacts(current: signedIn(password), namesakes: [password]),
            one: .user("P", isNew: false, email: address, verified: true, providers: ["google.com", "password"])),
        Case(
            name: "3: another address is not taken over", intent: .link, identity: identity(email: "countess@example.com"),
            facts: AccountFacts(current: signedIn(password)),
            one: .user("P", isNew: false, email: address, verified: false, providers: ["google.com", "password"])),
        Case(
            name: "3: nobody's app links nothing", intent: .link, facts: AccountFacts(), one: .refused(.noCurrentUser)),
        Case(
            name: "3: linking past a second factor that the app has not given", intent: .link,
            facts: AccountFacts(current: signedIn(user("U", factors: ["t"]))),
            one: .refused(.secondFactorRequired(uid: "U", hints: user("U", factors: ["t"]).secondFactors))),
        Case(
            name: "3: linking with the second factor that signed the app in", intent: .link,
            facts: AccountFacts(current: signedIn(user("U", email: nil, factors: ["t"]), factor: "t")),
            one: .user("U", isNew: false, email: address, verified: true, providers: ["google.com"]),
            many: .user("U", isNew: false, email: nil, verified: false, providers: ["google.com"])),
        // 4
        Case(
            name: "4: a known identity, whatever its address says now", identity: identity(email: "new@example.com"),
            facts: AccountFacts(owner: user("O", identities: [identity()]), namesakes: [password]),
            one: .user("O", isNew: false, email: address, verified: false, providers: ["google.com"])),
        Case(
            name: "4: with a second factor to come",
            facts: AccountFacts(owner: user("O", identities: [identity()], factors: ["t"])),
            one: .refused(.secondFactorRequired(uid: "O", hints: user("O", factors: ["t"]).secondFactors))),
        Case(
            name: "4: with a second factor given",
            facts: AccountFacts(owner: user("O", identities: [identity()], factors: ["t"])), given: "t",
            one: .user("O", isNew: false, email: address, verified: false, providers: ["google.com"])),
        Case(
            name: "4: with another user's second factor",
            facts: AccountFacts(owner: user("O", identities: [identity()], factors: ["t"])), given: "other",
            one: .refused(.secondFactorRequired(uid: "O", hints: user("O", factors: ["t"]).secondFactors))),
        // 5
        Case(
            name: "5: the authority joins a user who proved the address", isAuthority: true, facts: AccountFacts(namesakes: [proven]),
            one: .user("P", isNew: false, email: address, verified: true, providers: ["facebook.com", "google.com", "password"]),
            many: made(email: nil, verified: false)),
        Case(
            name: "5: the second factor first", isAuthority: true,
            facts: AccountFacts(namesakes: [user("P", proof: .authority, password: true, factors: ["t"])]),
            one: .refused(.secondFactorRequired(uid: "P", hints: user("P", factors: ["t"]).secondFactors)),
            many: made(email: nil, verified: false)),
        Case(
            name: "5: of several, the one who proved it", isAuthority: true,
            facts: AccountFacts(namesakes: [user("S", password: true), user("C", proof: .provider), proven]),
            one: .user("P", isNew: false, email: address, verified: true, providers: ["facebook.com", "google.com", "password"]),
            many: made(email: nil, verified: false)),
        // 6
        Case(
            name: "6: the authority shuts the other ways in where nobody proved the address", isAuthority: true,
            facts: AccountFacts(namesakes: [squatted]),
            one: .user("P", isNew: false, email: address, verified: true, providers: ["google.com"]),
            many: made(email: nil, verified: false)),
        Case(
            name: "6: the squatter's second factors among them", isAuthority: true,
            facts: AccountFacts(namesakes: [user("P", password: true, factors: ["t"])]),
            one: .user("P", isNew: false, email: address, verified: true, providers: ["google.com"]),
            many: made(email: nil, verified: false)),
        Case(
            name: "6: though another provider said that it had checked it", isAuthority: true, facts: AccountFacts(namesakes: [claimed]),
            one: .user("P", isNew: false, email: address, verified: true, providers: ["google.com"]),
            many: made(email: nil, verified: false)),
        // 7
        Case(
            name: "7: a recycled address at the same provider, proved before: it changed hands", identity: identity("google.com", "g2"), isAuthority: true,
            facts: AccountFacts(namesakes: [user("P", proof: .authority, identities: [identity(), facebook])]),
            one: .user("P", isNew: false, email: address, verified: true, providers: ["google.com"]),
            many: made(email: nil, verified: false)),
        // 8
        Case(
            name: "8: who is no authority is asked to sign in otherwise", facts: AccountFacts(namesakes: [proven]), one: exists,
            many: made(email: nil, verified: false)),
        Case(
            name: "8: also where the address is not verified", identity: identity("github.com", "h1", verified: false),
            facts: AccountFacts(namesakes: [squatted]), one: exists,
            many: made(identity("github.com"), email: nil, verified: false)),
        // 9
        Case(name: "9: a new user", facts: AccountFacts(), one: made(), many: made(email: nil, verified: false)),
        Case(
            name: "9: a new user whose address nobody verified", identity: facebook, facts: AccountFacts(),
            one: made(facebook, verified: false), many: made(facebook, email: nil, verified: false)),
        Case(
            name: "9: a new user without an address", identity: identity(email: nil), isAuthority: true, facts: AccountFacts(),
            one: made(email: nil, verified: false)),
        // Reauthentication
        Case(
            name: "C: reauthentication by the same user", intent: .reauthenticate,
            facts: AccountFacts(
                current: signedIn(user("O", identities: [identity()])), owner: user("O", identities: [identity()])),
            one: .user("O", isNew: false, email: address, verified: false, providers: ["google.com"])),
        Case(
            name: "C: reauthentication by another user", intent: .reauthenticate,
            facts: AccountFacts(current: signedIn(password), owner: user("O", identities: [identity()])), one: .refused(.userMismatch)),
        Case(
            name: "C: reauthentication by an unknown identity of the same address, though vouched for", intent: .reauthenticate,
            isAuthority: true, facts: AccountFacts(current: signedIn(proven), namesakes: [proven]), one: .refused(.userMismatch)),
        Case(
            name: "C: reauthentication where nobody is signed in", intent: .reauthenticate,
            facts: AccountFacts(owner: user("O", identities: [identity()])), one: .refused(.noCurrentUser)),
    ]

    private func decide(_ request: Case, oneAccountPerEmail: Bool) throws(AccountRefusal) -> AccountRules.Decision {
        try AccountRules.decide(
            IdentityRequest(
                identity: request.identity, isAuthority: request.isAuthority, intent: request.intent, app: "app",
                oneAccountPerEmail: oneAccountPerEmail, proof: Proof(.page, seenAt: Self.now.adding(seconds: 60)),
                secondFactor: request.given, newUID: "new", newSignIn: "new sign-in",
                isRecent: { $0.isRecent(now: Self.now.adding(seconds: 60)) }, now: Self.now.adding(seconds: 60)),
            request.facts)
    }

    private func outcome(_ request: Case, oneAccountPerEmail: Bool) -> Outcome {
        do throws(AccountRefusal) {
            let decision = try decide(request, oneAccountPerEmail: oneAccountPerEmail)
            let user = decision.user
            #expect(decision.changes.upsertUser == user)
            #expect(decision.changes.signIn?.uid == user.uid)
            #expect(decision.changes.signIn?.providerID == request.identity.providerID)
            // Only proving who one is makes a sign-in recent.
            #expect((decision.changes.signIn?.authenticatedAt == Self.now.adding(seconds: 60)) == (request.intent != .link))
            return .user(
                user.uid, isNew: decision.isNewUser, email: user.email, verified: user.emailVerified, providers: user.providerIDs)
        } catch { return .refused(error) }
    }

    @Test("one account per address", arguments: cases)
    func oneAccount(_ request: Case) { #expect(outcome(request, oneAccountPerEmail: true) == request.one) }

    @Test("several accounts per address", arguments: cases)
    func severalAccounts(_ request: Case) {
        // The store tells no namesakes apart by setting, so the rules must not look at them here.
        #expect(outcome(request, oneAccountPerEmail: false) == request.many ?? request.one)
    }

    // MARK: What else a row does

    private func row(_ name: String) throws -> AccountRules.Decision {
        try decide(#require(Self.cases.first { $0.name.hasPrefix(name) }), oneAccountPerEmail: true)
    }

    @Test("rows 5 and 6 take the authority's name and photo, absent ones too")
    func profileIsOverwritten() throws {
        for name in ["5", "6"] {
            let user = try row(name).user
            #expect(user.displayName == "Ada of google.com" && user.photoURL == nil)
        }
    }

    @Test("row 4 and linking leave the user's name and photo alone")
    func profileStays() throws {
        #expect(try row("4").user.displayName == "Name of O")
        #expect(try row("4").user.photoURL == "https://example.com/O")
        #expect(try row("3").user.displayName == "Name of U")
    }

    @Test("row 6 removes the password, the second factors and the other providers' credentials, and signs the other apps out")
    func squatterIsOut() throws {
        let changes = try row("6").changes
        #expect(changes.password == .removed && changes.signsOutOtherApps)
        #expect(changes.upsertUser?.hasPassword == false)
        #expect(changes.released == [CredentialKey(Self.facebook)])
        #expect(try row("6: the squatter").user.secondFactors.isEmpty)
    }

    @Test("row 6: a provider's word for an address keeps nothing of its user's: no account, no password, no factor, no other app")
    func claimIsNoProof() throws {
        let decision = try row("6: though")
        #expect(decision.changes.password == .removed && decision.changes.signsOutOtherApps)
        #expect(decision.changes.released == [CredentialKey(Self.squatter)])
        #expect(decision.user.secondFactors.isEmpty && decision.user.addressProof == .authority)
    }

    private func proof(_ request: Case) throws -> AddressProof { try decide(request, oneAccountPerEmail: true).user.addressProof }

    @Test("a new user's address is as well proved as whoever tells it can prove it")
    func newProof() throws {
        let unverified = Self.identity(verified: false)
        func made(_ identity: Identity, isAuthority: Bool) throws -> AddressProof {
            try proof(Case(name: "9", identity: identity, isAuthority: isAuthority, facts: AccountFacts(), one: Self.exists))
        }
        #expect(try made(Self.identity(), isAuthority: true) == .authority)
        #expect(try made(Self.identity(), isAuthority: false) == .provider)
        #expect(try made(unverified, isAuthority: false) == .none)
        // Yours, which say nothing of it.
        #expect(try made(unverified, isAuthority: true) == .authority)
        #expect(try made(Self.identity(email: nil), isAuthority: true) == .none)
    }

    @Test("linking proves the user's own address as well as the linked account can, and takes no proof away")
    func linkedProof() throws {
        func linked(_ before: AddressProof, isAuthority: Bool, email: String? = Self.address, own: String? = Self.address) throws -> AddressProof {
            let current = Self.user("U", email: own, proof: before)
            return try proof(
                Case(
                    name: "3", intent: .link, identity: Self.identity(email: email), isAuthority: isAuthority,
                    facts: AccountFacts(current: Self.signedIn(current)), one: Self.exists))
        }
        #expect(try linked(.none, isAuthority: true) == .authority)
        #expect(try linked(.none, isAuthority: false) == .provider)
        #expect(try linked(.provider, isAuthority: true) == .authority)
        #expect(try linked(.authority, isAuthority: false) == .authority)
        #expect(try linked(.provider, isAuthority: true, email: "countess@example.com") == .provider)
        #expect(try linked(.none, isAuthority: true, own: nil) == .authority)
        #expect(try linked(.none, isAuthority: false, own: nil) == .provider)
    }

    @Test("row 4: the authority proves the address of its own user, and of no other address", arguments: [Intent.signIn, .reauthenticate])
    func returningProof(intent: Intent) throws {
        func returned(isAuthority: Bool, email: String? = Self.address, own: String? = Self.address) throws -> AddressProof {
            let owner = Self.user("O", email: own, proof: .provider, identities: [Self.identity()])
            return try proof(
                Case(
                    name: "4", intent: intent, identity: Self.identity(email: email), isAuthority: isAuthority,
                    facts: AccountFacts(current: Self.signedIn(owner), owner: owner), one: Self.exists))
        }
        #expect(try returned(isAuthority: true) == .authority)
        #expect(try returned(isAuthority: true, email: "ADA@example.com") == .authority)
        #expect(try returned(isAuthority: false) == .provider)
        #expect(try returned(isAuthority: true, email: "countess@example.com") == .provider)
        #expect(try returned(isAuthority: true, email: nil, own: nil) == .provider)
    }

    @Test("row 5 keeps the password and the other apps' sign-ins")
    func otherWaysStay() throws {
        let changes = try row("5").changes
        #expect(changes.password == .unchanged && !changes.signsOutOtherApps && changes.released.isEmpty)
    }

    @Test("row 7 leaves nothing of who had the address before")
    func recycledAddress() throws {
        #expect(try row("7").changes.released == [Self.identity(), Self.facebook].map(CredentialKey.init))
        #expect(try row("7").user.identities.map(\.subject) == ["g2"])
        #expect(try row("7").changes.signsOutOtherApps && row("7").changes.endsPending && row("7").changes.password == .removed)
    }

    @Test("B: after a recycled address, the old account is a stranger again")
    func oldSubjectIsOut() throws {
        let user = try row("7").user
        // Nobody owns the old subject now; its address is the user's, and the provider is its authority no less than before: the newest wins.
        let back = Case(name: "B", isAuthority: false, facts: AccountFacts(namesakes: [user]), one: Self.exists)
        #expect(
            outcome(back, oneAccountPerEmail: true)
                == .refused(.accountExists(email: Self.address, providerIDs: ["google.com"])))
    }

    @Test("A: after row 6, the squatter's own provider is asked to sign in otherwise")
    func squatterComesBack() throws {
        let back = Case(name: "A", identity: Self.facebook, facts: AccountFacts(namesakes: [try row("6").user]), one: Self.exists)
        #expect(
            outcome(back, oneAccountPerEmail: true) == .refused(.accountExists(email: Self.address, providerIDs: ["google.com"])))
    }

    @Test("an anonymous user that is linked is a lasting one with the same uid")
    func anonymousUser() throws {
        var anonymous = Self.user("U", email: nil)
        anonymous.isAnonymous = true
        let link = Case(name: "3", intent: .link, facts: AccountFacts(current: Self.signedIn(anonymous)), one: Self.exists)
        let user = try decide(link, oneAccountPerEmail: true).user
        #expect(user.uid == "U" && !user.isAnonymous)
    }

    @Test("an account that is linked already writes nothing without the second factor, as a new link does not")
    func linkedAgain() throws {
        let user = Self.user("U", identities: [Self.identity()], factors: ["t"])
        var again = Case(name: "1", intent: .link, facts: AccountFacts(current: Self.signedIn(user), owner: user), one: Self.exists)
        #expect(
            outcome(again, oneAccountPerEmail: true) == .refused(.secondFactorRequired(uid: "U", hints: user.secondFactors)))
        again.given = "t"
        #expect(try decide(again, oneAccountPerEmail: true).changes.signIn?.secondFactor == "t")
        again.given = nil
        again.facts.current = Self.signedIn(user, factor: "t")
        #expect(try decide(again, oneAccountPerEmail: true).user.uid == "U")
    }

    @Test("an anonymous user with an address that its authority comes for is anonymous no more")
    func anonymousNamesake() throws {
        var anonymous = Self.user("U")
        anonymous.isAnonymous = true
        let arrival = Case(name: "6", isAuthority: true, facts: AccountFacts(namesakes: [anonymous]), one: Self.exists)
        #expect(try !decide(arrival, oneAccountPerEmail: true).user.isAnonymous)
    }

    @Test(
        "P: an address is put into lower case and changed in no other way",
        arguments: [
            ("Ada@Example.COM", "ada@example.com"), ("ÅDA@EXAMPLE.COM", "Åda@example.com"), ("ada+tag@example.com", "ada+tag@example.com"),
            ("a.d.a@example.com", "a.d.a@example.com"), ("A\u{30A}da@example.com", "a\u{30A}da@example.com"),
        ])
    func addresses(_ told: String, _ kept: String) throws {
        let arrival = Case(name: "9", identity: Self.identity(email: told), facts: AccountFacts(), one: Self.exists)
        let user = try decide(arrival, oneAccountPerEmail: true).user
        #expect(user.email.map { Array($0.utf8) } == Array(kept.utf8))
        // What the provider said stays as it came.
        #expect(user.identities.first?.email.map { Array($0.utf8) } == Array(told.utf8))
    }

    @Test("P: two Unicode forms of an address are two addresses, so that neither verifies the other")
    func unicodeForms() throws {
        var user = Self.password
        user.email = "\u{E5}da@example.com"
        let link = Case(
            name: "3", intent: .link, identity: Self.identity(email: "a\u{30A}da@example.com"),
            facts: AccountFacts(current: Self.signedIn(user)), one: Self.exists)
        #expect(try !decide(link, oneAccountPerEmail: true).user.emailVerified)
    }

    @Test("P: two Unicode forms of a subject are two accounts")
    func unicodeSubjects() throws {
        let owner = Self.user("O", identities: [Self.identity("work", "\u{E5}")])
        let arrival = Case(
            name: "4", identity: Self.identity("work", "a\u{30A}"), facts: AccountFacts(owner: owner), one: Self.exists)
        #expect(try decide(arrival, oneAccountPerEmail: true).user.identities.count == 2)
    }
}

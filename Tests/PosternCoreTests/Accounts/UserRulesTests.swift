import PosternCore
import Testing

@Suite("What a user may do with itself")
struct UserRulesTests {
    let now = Timestamp(seconds: 1_800_000_000)
    let hash = PasswordHash(
        parameters: PasswordHash.Parameters(cost: 2, blockSize: 1, parallelization: 1), salt: [1], hash: Secret("hash"),
        changedAt: Timestamp(seconds: 1))

    private func user(
        _ uid: String = "uid", email: String? = "ada@example.com", isVerified: Bool = true, providers: [String] = [], password: Bool = true,
        anonymous: Bool = false, factors: [SecondFactor] = []
    ) -> User {
        User(
            uid: uid, isAnonymous: anonymous, displayName: "Ada", email: email, addressProof: isVerified ? .authority : .none,
            photoURL: "https://example.com/a",
            identities: providers.map { Identity(providerID: $0, subject: "1", email: $0 == "google.com" ? "Ada@Example.com" : "other@b") },
            hasPassword: password, secondFactors: factors, createdAt: now, lastSignInAt: now)
    }

    private func current(_ user: User, factor: String? = nil) -> (signIn: AppSignIn, user: User) {
        (AppSignIn(id: "sign-in", app: "app", uid: user.uid, authenticatedAt: now, providerID: "google.com", secondFactor: factor), user)
    }

    private var factor: SecondFactor { SecondFactor(kind: .totp, uid: "factor", enrolledAt: now) }
    private func yes(_: AppSignIn) -> Bool { true }
    private func no(_: AppSignIn) -> Bool { false }

    // MARK: Making and signing in

    @Test("a user is made with an address that nobody has, unverified, and signs its app in")
    func create() throws {
        let decision = try AccountRules.createUser(
            email: "ada@example.com", displayName: "Ada", password: hash, app: "app", newUID: "new", newSignIn: "sign-in", namesakes: [], now: now)
        #expect(decision.isNewUser && decision.user.hasPassword && !decision.user.emailVerified && !decision.user.isAnonymous)
        #expect(decision.changes.password == .set(hash))
        #expect(decision.changes.signIn == AppSignIn(id: "sign-in", app: "app", uid: "new", authenticatedAt: now, providerID: "password"))
        for namesake in [user(), user(isVerified: false, providers: ["google.com"], password: false)] {
            #expect(throws: AccountFailure.refused(.emailAlreadyInUse(email: "ada@example.com"))) {
                try AccountRules.createUser(
                    email: "ada@example.com", displayName: nil, password: hash, app: "app", newUID: "new", newSignIn: "sign-in", namesakes: [namesake], now: now)
            }
        }
    }

    @Test("the right password signs in, and proves the current user and nobody else")
    func signIn() throws {
        let later = now.adding(seconds: 60)
        let decision = try AccountRules.signIn(byPassword: user(), intent: .signIn, app: "app", newSignIn: "new", current: current(user("other")), now: later)
        #expect(decision.user.lastSignInAt == later && decision.changes.signIn?.authenticatedAt == later)
        #expect(decision.changes.password == .unchanged && !decision.isNewUser)
        #expect(throws: AccountRefusal.noCurrentUser) {
            try AccountRules.signIn(byPassword: user(), intent: .reauthenticate, app: "app", newSignIn: "new", current: nil, now: now)
        }
        #expect(throws: AccountRefusal.userMismatch) {
            try AccountRules.signIn(byPassword: user(), intent: .reauthenticate, app: "app", newSignIn: "new", current: current(user("other")), now: now)
        }
        // To reauthenticate renews the sign-in that there is.
        #expect(decision.changes.signIn?.id == "new")
        let renewed = try AccountRules.signIn(byPassword: user(), intent: .reauthenticate, app: "app", newSignIn: "new", current: current(user()), now: now)
        #expect(renewed.changes.signIn?.id == "sign-in")
        #expect(throws: AccountRefusal.secondFactorRequired(uid: "uid", hints: [factor])) {
            try AccountRules.signIn(byPassword: user(factors: [factor]), intent: .signIn, app: "app", newSignIn: "new", current: nil, now: now)
        }
    }

    @Test("of users who share an address, the password is the one's who has it")
    func sharers() {
        #expect(AccountRules.passwordUser(among: [user("a", password: false), user("b")])?.uid == "b")
        #expect(AccountRules.passwordUser(among: [user("a", password: false)])?.uid == "a")
        #expect(AccountRules.passwordUser(among: []) == nil)
    }

    // MARK: Linking a password

    private func link(
        _ user: User, email: String = "ada@example.com", isRecent: Bool = false, factor: String? = nil, namesakes: [User] = []
    ) throws -> AccountRules.Decision {
        try AccountRules.linkPassword(
            hash, email: email, to: current(user, factor: factor), isRecent: { _ in isRecent }, namesakes: namesakes)
    }

    @Test("an anonymous user keeps its uid when it gets an address and a password")
    func upgrade() throws {
        let decision = try link(user(email: nil, isVerified: false, password: false, anonymous: true))
        #expect(decision.user.uid == "uid" && !decision.user.isAnonymous && decision.user.email == "ada@example.com")
        #expect(decision.changes.signIn?.providerID == "password" && decision.changes.signIn?.authenticatedAt == now)
        #expect(!decision.changes.signsOutOtherApps && decision.changes.password == .set(hash))
    }

    @Test("setting a password needs a recent sign-in; an unchanged address stays verified, and a new one is not")
    func linkAddress() throws {
        let google = user(providers: ["google.com"], password: false)
        #expect(throws: AccountFailure.refused(.requiresRecentSignIn)) { try link(google, namesakes: [google]) }
        #expect(try link(google, isRecent: true, namesakes: [google]).user.emailVerified)
        #expect(throws: AccountFailure.refused(.requiresRecentSignIn)) { try link(google, email: "new@b") }
        let changed = try link(google, email: "new@b", isRecent: true)
        #expect(!changed.user.emailVerified && changed.changes.signsOutOtherApps)
    }

    @Test("a second password, and another's address, are refused")
    func linkRefused() {
        #expect(throws: AccountFailure.refused(.providerAlreadyLinked(providerID: "password"))) { try link(user()) }
        #expect(throws: AccountFailure.refused(.emailAlreadyInUse(email: "ada@example.com"))) {
            try link(user(email: nil, password: false, anonymous: true), namesakes: [user("other")])
        }
        #expect(throws: AccountFailure.refused(.noCurrentUser)) {
            try AccountRules.linkPassword(hash, email: "a@b", to: nil, isRecent: yes, namesakes: [])
        }
        #expect(throws: AccountFailure.refused(.requiresRecentSignIn)) { try link(user(password: false, factors: [factor]), isRecent: true) }
        #expect(throws: Never.self) { try link(user(password: false, factors: [factor]), isRecent: true, factor: "factor") }
    }

    // MARK: Changing

    private func update(
        _ update: ProfileUpdate, of user: User, isRecent: Bool = false, factor: String? = nil, namesakes: [User] = []
    ) throws -> AccountRules.Decision {
        try AccountRules.update(
            update, password: update.setsPassword ? hash : nil, of: current(user, factor: factor), isRecent: { _ in isRecent },
            namesakes: namesakes)
    }

    @Test("a name and a photo change at any time, and an empty one goes")
    func profile() throws {
        let decision = try update(ProfileUpdate(displayName: "Countess", photoURL: ""), of: user())
        #expect(decision.user.displayName == "Countess" && decision.user.photoURL == nil)
        #expect(!decision.changes.signsOutOtherApps && decision.changes.password == .unchanged)
        #expect(try update(ProfileUpdate(), of: user()).user == user())
    }

    @Test("an address changes after a recent sign-in, is not verified then, and signs other apps out")
    func address() throws {
        #expect(throws: AccountFailure.refused(.requiresRecentSignIn)) { try update(ProfileUpdate(email: "new@b"), of: user()) }
        let decision = try update(ProfileUpdate(email: "new@b"), of: user(), isRecent: true)
        #expect(decision.user.email == "new@b" && !decision.user.emailVerified && decision.changes.signsOutOtherApps)
        #expect(throws: AccountFailure.refused(.emailAlreadyInUse(email: "new@b"))) {
            try update(ProfileUpdate(email: "new@b"), of: user(), isRecent: true, namesakes: [user("other", email: "new@b")])
        }
        let same = try update(ProfileUpdate(email: "ada@example.com"), of: user(), namesakes: [user()])
        #expect(same.user == user() && !same.changes.signsOutOtherApps)
    }

    @Test("a password changes after a recent sign-in, and needs an address")
    func password() throws {
        #expect(throws: AccountFailure.refused(.requiresRecentSignIn)) { try update(ProfileUpdate(setsPassword: true), of: user()) }
        let decision = try update(ProfileUpdate(setsPassword: true), of: user(password: false), isRecent: true)
        #expect(decision.user.hasPassword && decision.changes.password == .set(hash) && decision.changes.signsOutOtherApps)
        #expect(throws: AccountFailure.password(.addressMissing)) {
            try update(ProfileUpdate(setsPassword: true), of: user(email: nil, password: false), isRecent: true)
        }
        // A sign-in from before the second factor was there is none with it.
        #expect(throws: AccountFailure.refused(.requiresRecentSignIn)) {
            try update(ProfileUpdate(setsPassword: true), of: user(factors: [factor]), isRecent: true)
        }
        #expect(throws: Never.self) {
            try update(ProfileUpdate(setsPassword: true), of: user(factors: [factor]), isRecent: true, factor: "factor")
        }
    }

    @Test("an anonymous user needs no recent sign-in: nobody can prove to be it")
    func anonymous() throws {
        let nobody = user(email: nil, isVerified: false, password: false, anonymous: true)
        let named = try update(ProfileUpdate(email: "a@b", setsPassword: true), of: nobody)
        #expect(named.user.uid == "uid" && named.user.hasPassword && !named.user.isAnonymous)
        #expect(named.changes.signIn?.providerID == "password")
        #expect(try update(ProfileUpdate(displayName: "N"), of: nobody).user.isAnonymous)
        #expect(try AccountRules.deleteUser(current(nobody), isRecent: no).changes.deleteUser == "uid")
    }

    // MARK: Unlinking

    struct Unlink: Sendable {
        var providers: [String]
        var password: Bool
        var unlinked: String
        /// Nil: refused.
        var left: [String]?
        var email: String?
    }

    @Test(
        "a provider is unlinked, but not the last one; the address goes with the password unless another provider has it",
        arguments: [
            Unlink(
                providers: ["google.com", "github.com"], password: false, unlinked: "google.com", left: ["github.com"],
                email: "ada@example.com"),
            Unlink(providers: ["google.com"], password: true, unlinked: "password", left: ["google.com"], email: "ada@example.com"),
            Unlink(providers: ["github.com"], password: true, unlinked: "password", left: ["github.com"], email: nil),
            Unlink(providers: ["github.com"], password: true, unlinked: "github.com", left: ["password"], email: "ada@example.com"),
            Unlink(providers: ["github.com"], password: false, unlinked: "github.com"),
            Unlink(providers: [], password: true, unlinked: "password"),
        ])
    func unlink(_ row: Unlink) throws {
        let before = user(providers: row.providers, password: row.password)
        guard let left = row.left else {
            #expect(throws: AccountFailure.refused(.lastProvider(providerID: row.unlinked))) {
                try AccountRules.unlink(row.unlinked, from: current(before), isRecent: yes)
            }
            return
        }
        let decision = try AccountRules.unlink(row.unlinked, from: current(before), isRecent: yes)
        #expect(decision.user.providerIDs == left && decision.user.email == row.email)
        #expect(decision.user.emailVerified == (row.email != nil))
        #expect((decision.changes.password == .removed) == (row.unlinked == "password"))
        #expect(decision.changes.signIn == nil)
    }

    @Test("unlinking needs a recent sign-in with the factor, except for undoing one's own link of a moment ago, and ends what waits")
    func unlinkRecently() throws {
        func unlink(linkedBy signIn: String?, _ seconds: Int64, isRecent: Bool, factor: String? = nil, _ factors: [SecondFactor] = []) throws {
            var before = user(providers: ["github.com", "google.com"], password: false, factors: factors)
            before.identities[1].link = signIn.map { IdentityLink(at: now.adding(seconds: -seconds), signIn: $0, isProved: false) }
            let decision = try AccountRules.unlink("google.com", from: current(before, factor: factor)) {
                // The link's moment is judged like a sign-in's; that of the sign-in itself is as the test says.
                $0.authenticatedAt == now ? isRecent : $0.isRecent(now: now)
            }
            #expect(decision.changes.endsPending && decision.user.generation == before.generation + 1)
        }
        try unlink(linkedBy: nil, 0, isRecent: true)
        try unlink(linkedBy: "sign-in", 299, isRecent: false)
        for (signIn, seconds) in [(nil, 0), ("sign-in", 301), ("another", 299)] as [(String?, Int64)] {
            #expect(throws: AccountFailure.refused(.requiresRecentSignIn)) { try unlink(linkedBy: signIn, seconds, isRecent: false) }
        }
        #expect(throws: AccountFailure.refused(.requiresRecentSignIn)) { try unlink(linkedBy: nil, 0, isRecent: true, [factor]) }
        try unlink(linkedBy: nil, 0, isRecent: true, factor: "factor", [factor])
    }

    @Test("what is not linked cannot be unlinked")
    func notLinked() {
        for provider in ["github.com", "nonsense", ""] {
            #expect(throws: AccountFailure.refused(.noSuchProvider(providerID: provider))) {
                try AccountRules.unlink(provider, from: current(user()), isRecent: yes)
            }
        }
        #expect(throws: AccountFailure.refused(.noCurrentUser)) { try AccountRules.unlink("password", from: nil, isRecent: yes) }
    }

    // MARK: The rest

    @Test("the providers of an address are reported once each; where addresses may be shared, the password alone")
    func providers() {
        let users = [user(providers: ["google.com", "github.com"]), user("b", providers: ["github.com"], password: false)]
        #expect(AccountRules.providers(of: users, oneAccountPerEmail: true) == ["google.com", "github.com", "password"])
        #expect(AccountRules.providers(of: users, oneAccountPerEmail: false) == ["password"])
        #expect(AccountRules.providers(of: [users[1]], oneAccountPerEmail: false).isEmpty)
        #expect(AccountRules.providers(of: [], oneAccountPerEmail: true).isEmpty)
    }

    @Test("an anonymous user stays the same; any other user becomes a new one")
    func anonymously() throws {
        let nobody = user(email: nil, password: false, anonymous: true)
        let same = try AccountRules.signInAnonymously(current(nobody), anonymousApps: 256, app: "app", newUID: "new", newSignIn: "sign-in", now: now)
        #expect(same.user == nobody && !same.isNewUser && same.changes == AccountChanges())
        for before in [nil, current(user())] {
            let made = try AccountRules.signInAnonymously(before, anonymousApps: 255, app: "app", newUID: "new", newSignIn: "sign-in", now: now)
            #expect(made.isNewUser && made.user.isAnonymous && made.user.providerIDs.isEmpty && made.user.email == nil)
            #expect(made.changes.signIn?.providerID == "anonymous" && made.changes.orphanLimit == AccountRules.orphanLimit)
        }
    }

    @Test("where 256 apps have an anonymous user, no other app gets one")
    func tooManyAnonymously() {
        for before in [nil, current(user())] {
            #expect(throws: AccountFailure.refused(.tooManyAnonymousUsers(limit: 256))) {
                try AccountRules.signInAnonymously(before, anonymousApps: 256, app: "app", newUID: "new", newSignIn: "sign-in", now: now)
            }
        }
    }

    @Test("a user can be deleted after a recent sign-in")
    func delete() throws {
        #expect(throws: AccountFailure.refused(.noCurrentUser)) { try AccountRules.deleteUser(nil, isRecent: yes) }
        #expect(throws: AccountFailure.refused(.requiresRecentSignIn)) { try AccountRules.deleteUser(current(user()), isRecent: no) }
        let decision = try AccountRules.deleteUser(current(user()), isRecent: yes)
        #expect(decision.changes.deleteUser == "uid" && decision.changes.upsertUser == nil && decision.changes.signIn == nil)
    }

    // MARK: Recently

    @Test(
        "a sign-in of this life is recent for five minutes of the clock that nobody sets",
        arguments: [
            (0, 0, true), (299, 299, true), (300, 300, true), (301, 301, false), (-3600, 301, false), (-3600, 10, true), (86_400, 10, true),
            (60, 3600, false),
        ] as [(Int64, Int64, Bool)])
    func seen(wall: Int64, uptime: Int64, isRecent: Bool) {
        var moments = SignInMoments(uptime: 1000)
        moments.passed(now, uptime: 5000)
        let signIn = AppSignIn(id: "sign-in", app: "app", uid: "uid", authenticatedAt: now, providerID: "password")
        #expect(moments.isRecent(signIn, now: now.adding(seconds: wall), uptime: 5000 + uptime) == isRecent)
    }

    @Test(
        "one of an earlier life is as old as the wall clock says, and at least as old as this life",
        arguments: [(299, 1, true), (301, 1, false), (-1, 1, false), (10, 300, true), (10, 301, false)] as [(Int64, Int64, Bool)])
    func earlier(wall: Int64, life: Int64, isRecent: Bool) {
        let moments = SignInMoments(uptime: 1000)
        let signIn = AppSignIn(id: "sign-in", app: "app", uid: "uid", authenticatedAt: now, providerID: "password")
        #expect(moments.isRecent(signIn, now: now.adding(seconds: wall), uptime: 1000 + life) == isRecent)
    }

    @Test("moments are remembered in a bounded number, the latest")
    func bounded() {
        var moments = SignInMoments(uptime: 0)
        for number in 0..<5000 as Range<Int64> { moments.passed(now.adding(seconds: number), uptime: 10_000 + number / 1000) }
        let signIn = AppSignIn(id: "sign-in", app: "app", uid: "uid", authenticatedAt: now.adding(seconds: 4999), providerID: "password")
        #expect(moments.isRecent(signIn, now: now.adding(seconds: -9999), uptime: 10_005))
    }
}

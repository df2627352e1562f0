import PosternCore
import Testing

@Suite("Who may have a second factor, and take it away")
struct SecondFactorRulesTests {
    static let now = Timestamp(seconds: 1_800_000_000)
    static let number = PhoneNumber("+819012345678")

    static func factor(_ kind: SecondFactor.Kind, _ uid: String, number: String? = nil) -> SecondFactor {
        SecondFactor(kind: kind, uid: uid, phoneNumber: number, enrolledAt: now)
    }

    static func user(factors: [SecondFactor] = [], email: String? = "ada@example.com", proof: AddressProof = .authority) -> User {
        User(uid: "ada", email: email, addressProof: proof, secondFactors: factors, createdAt: now, lastSignInAt: now)
    }

    static func signIn(secondsAgo: Int64 = 0, secondFactor: String? = nil) -> AppSignIn {
        AppSignIn(
            id: "sign-in", app: "app", uid: "ada", authenticatedAt: now.adding(seconds: -secondsAgo), providerID: "work", secondFactor: secondFactor)
    }

    private static func refusal(_ body: () throws(AccountFailure) -> Void) -> AccountFailure? {
        do throws(AccountFailure) { try body() } catch { return error }
        return nil
    }

    private static let phones = (1...5).map { factor(.phone, "\($0)", number: "+8190123456\($0)0") }

    private static let enrolments: [(User, SecondFactor.Kind, SecondFactorRefusal?)] = [
        (user(), .totp, nil), (user(), .phone, nil),
        (user(proof: .none), .totp, .unprovedAddress("ada@example.com")),
        // Whoever runs the provider can have it say so of anybody's address.
        (user(proof: .provider), .totp, .unprovedAddress("ada@example.com")),
        (user(proof: .provider), .phone, .unprovedAddress("ada@example.com")),
        (user(email: nil), .phone, .unprovedAddress(nil)),
        (User(uid: "x", isAnonymous: true, createdAt: now, lastSignInAt: now), .totp, .anonymousUser),
        (user(factors: [factor(.totp, "1")]), .totp, .alreadyEnrolled(.totp)),
        (user(factors: [factor(.totp, "1")]), .phone, nil),
        (user(factors: [factor(.phone, "1", number: "+819012345678")]), .phone, .alreadyEnrolled(.phone)),
        (user(factors: [factor(.phone, "1", number: "+819012345679")]), .phone, nil),
        (user(factors: [factor(.phone, "1", number: "+819012345678")]), .totp, nil),
        (user(factors: Array(phones.prefix(4))), .totp, nil),
        (user(factors: phones), .totp, .limitReached(5)), (user(factors: phones), .phone, .limitReached(5)),
    ]

    @Test("Who may enrol what", arguments: enrolments)
    func enrolling(user: User, kind: SecondFactor.Kind, refusal: SecondFactorRefusal?) {
        let number = kind == .phone ? Self.number : nil
        #expect(Self.refusal { () throws(AccountFailure) in try AccountRules.mayEnroll(kind, number: number, for: user) } == refusal.map { .secondFactor($0) })
    }

    @Test(
        "Only who signed in within five minutes changes second factors",
        arguments: [(0, nil), (299, nil), (300, nil), (301, .refused(.requiresRecentSignIn)), (-60, .refused(.requiresRecentSignIn))]
            as [(Int64, AccountFailure?)])
    func recent(secondsAgo: Int64, refusal: AccountFailure?) {
        let current = (signIn: Self.signIn(secondsAgo: secondsAgo, secondFactor: "1"), user: Self.user(factors: [Self.factor(.totp, "1")]))
        #expect(Self.refusal { () throws(AccountFailure) in _ = try AccountRules.recent(current) { $0.isRecent(now: Self.now) } } == refusal)
        #expect(Self.refusal { () throws(AccountFailure) in _ = try AccountRules.removeSecondFactor("1", of: current) { $0.isRecent(now: Self.now) } } == refusal)
    }

    @Test("Who gave none of the user's second factors changes none of them", arguments: [nil, "removed"])
    func withoutFactor(given: String?) {
        let current = (signIn: Self.signIn(secondFactor: given), user: Self.user(factors: [Self.factor(.totp, "1")]))
        let refusal = AccountFailure.refused(.requiresRecentSignIn)
        let isRecent: (AppSignIn) -> Bool = { $0.isRecent(now: Self.now) }
        #expect(Self.refusal { () throws(AccountFailure) in _ = try AccountRules.recent(current, isRecent: isRecent) } == refusal)
        #expect(Self.refusal { () throws(AccountFailure) in _ = try AccountRules.removeSecondFactor("1", of: current, isRecent: isRecent) } == refusal)
        let phone = Self.factor(.phone, "2", number: "+819012345678")
        #expect(Self.refusal { () throws(AccountFailure) in _ = try AccountRules.enrolled(phone, secret: nil, step: nil, by: current) } == refusal)
    }

    @Test("Nobody changes the second factors of an app without a user")
    func nobody() {
        #expect(Self.refusal { () throws(AccountFailure) in _ = try AccountRules.recent(nil) { $0.isRecent(now: Self.now) } } == .refused(.noCurrentUser))
        #expect(Self.refusal { () throws(AccountFailure) in _ = try AccountRules.removeSecondFactor("1", of: nil) { $0.isRecent(now: Self.now) } } == .refused(.noCurrentUser))
    }

    @Test("A confirmed factor is the user's, and given; its code and all before it are used up")
    func confirmed() throws {
        let current = (signIn: Self.signIn(secondsAgo: 100), user: Self.user())
        let decision = try AccountRules.enrolled(Self.factor(.totp, "1"), secret: Secret("secret"), step: 77, by: current)
        #expect(decision.user.secondFactors.map(\.uid) == ["1"])
        #expect(decision.changes.upsertUser == decision.user)
        #expect(decision.changes.factorSecrets == ["1": Secret("secret")])
        #expect(decision.changes.usedSteps == ["1": 77])
        #expect(decision.changes.signIn?.secondFactor == "1")
        // Enrolling proves nothing about the first factor.
        #expect(decision.changes.signIn?.authenticatedAt == current.signIn.authenticatedAt)
    }

    @Test("A factor that was enrolled elsewhere meanwhile is not enrolled twice")
    func confirmedTwice() {
        let current = (signIn: Self.signIn(secondFactor: "1"), user: Self.user(factors: [Self.factor(.totp, "1")]))
        let refusal = Self.refusal { () throws(AccountFailure) in
            _ = try AccountRules.enrolled(Self.factor(.totp, "2"), secret: Secret("x"), step: 1, by: current)
        }
        #expect(refusal == .secondFactor(.alreadyEnrolled(.totp)))
    }

    @Test("A removed factor is gone, also from the sign-in that was made with it", arguments: ["1", "2"])
    func removed(uid: String) throws {
        let user = Self.user(factors: [Self.factor(.totp, "1"), Self.factor(.phone, "2", number: "+819012345678")])
        let decision = try AccountRules.removeSecondFactor(uid, of: (Self.signIn(secondFactor: "1"), user)) { $0.isRecent(now: Self.now) }
        #expect(decision.user.secondFactors.map(\.uid) == [uid == "1" ? "2" : "1"])
        #expect(decision.changes.signIn?.secondFactor == (uid == "1" ? nil : "1"))
    }

    @Test("A factor that the user has not is not removed")
    func unknown() {
        let current = (signIn: Self.signIn(secondFactor: "1"), user: Self.user(factors: [Self.factor(.totp, "1")]))
        #expect(Self.refusal { () throws(AccountFailure) in _ = try AccountRules.removeSecondFactor("2", of: current) { $0.isRecent(now: Self.now) } } == .secondFactor(.noSuchFactor))
    }

    // MARK: After a password

    private func signedIn(_ intent: Intent, current: User? = nil) throws(AccountRefusal) -> AccountRules.Decision {
        var user = Self.user(factors: [Self.factor(.totp, "1")])
        user.hasPassword = true
        return try AccountRules.signIn(
            byPassword: user, secondFactor: "1", intent: intent, app: "app", newSignIn: "new",
            current: current.map { (Self.signIn(), $0) }, now: Self.now.adding(seconds: 9))
    }

    @Test("A password and a second factor sign in", arguments: [Intent.signIn, .reauthenticate])
    func password(intent: Intent) throws {
        let changes = try signedIn(intent, current: Self.user()).changes
        #expect(changes.signIn?.providerID == "password")
        #expect(changes.signIn?.secondFactor == "1")
        #expect(changes.signIn?.authenticatedAt == Self.now.adding(seconds: 9))
        #expect(changes.upsertUser?.lastSignInAt == Self.now.adding(seconds: 9))
    }

    @Test("With both, too, only the current user reauthenticates")
    func passwordRefused() {
        var other = Self.user()
        other.uid = "grace"
        #expect(throws: AccountRefusal.noCurrentUser) { try signedIn(.reauthenticate) }
        #expect(throws: AccountRefusal.userMismatch) { try signedIn(.reauthenticate, current: other) }
    }
}
